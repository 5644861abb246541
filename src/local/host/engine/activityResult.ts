import type { InvocationResult, TypedData } from '../core/loadApp.ts';
import { EventType, messageBase, type FailureDetails, type TaskCompleted, type TaskFailed } from '../durable/events.ts';
import { hideCredentials } from './credentialText.ts';

/** JSON text of a handler's return value; null for none. */
export function resultText(value: TypedData | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (value.json !== undefined) return value.json === 'null' ? null : value.json;
  if (value.string !== undefined) return JSON.stringify(value.string);
  if (value.int !== undefined) return JSON.stringify(value.int);
  if (value.double !== undefined) return JSON.stringify(value.double);
  if (value.bytes !== undefined) return JSON.stringify(Buffer.from(value.bytes).toString('base64'));
  return null;
}

/** JSON of the .NET exception that the engine stores as `Details`; the SDK needs a string and shows it in its message. */
export function exceptionJson(className: string, message: string, inner: string): string {
  return JSON.stringify({
    $type: `${className}, System.Private.CoreLib`,
    ClassName: className,
    Message: message,
    Data: null,
    InnerException: { $type: 'Microsoft.Azure.WebJobs.Script.Workers.Rpc.RpcException', Message: inner },
    HelpURL: null,
    StackTraceString: null,
    RemoteStackTraceString: null,
    RemoteStackIndex: 0,
    ExceptionMethod: null,
    HResult: -2146233088,
    Source: null,
    WatsonBuckets: null,
  });
}

/** The structured failure that the SDK writes into the message when the app registered a properties provider. */
function failureDetails(message: string, stack: string): FailureDetails {
  if (!message.startsWith('{')) return null;
  try {
    const value = JSON.parse(message) as Record<string, unknown>;
    if (typeof value['errorType'] !== 'string' || typeof value['errorMessage'] !== 'string') return null;
    return {
      ErrorType: value['errorType'],
      ErrorMessage: value['errorMessage'],
      StackTrace: typeof value['stackTrace'] === 'string' ? value['stackTrace'] : stack,
      IsNonRetriable: value['isNonRetriable'] === true,
      Properties: value['properties'] ?? null,
      InnerFailure: null,
    };
  } catch {
    return null;
  }
}

/** The message that ends an activity call, with the engine's failure texts (two spaces after "failed:", Q7). */
export function completionEvent(
  taskId: number,
  functionName: string,
  result: InvocationResult,
  at: number,
): TaskCompleted | TaskFailed {
  if (result.ok) {
    return {
      ...messageBase(at),
      EventType: EventType.TaskCompleted,
      TaskScheduledId: taskId,
      Result: resultText(result.returnValue),
    };
  }
  const message = hideCredentials(result.message);
  const inner = `Result: Failure\nException: ${message}\nStack: ${result.stack}`;
  // The engine keeps what stands between "\nException:" and "\nStack:", with its leading space.
  const start = inner.indexOf('\nException:') + '\nException:'.length;
  const text = inner.slice(start, inner.indexOf('\nStack:'));
  return {
    ...messageBase(at),
    EventType: EventType.TaskFailed,
    TaskScheduledId: taskId,
    Reason: `Activity function '${functionName}' failed: ${text}`,
    Details: exceptionJson('System.Exception', text, inner),
    FailureDetails: failureDetails(message, result.stack),
  };
}
