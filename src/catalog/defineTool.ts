import type { ToolDefinition } from './tool.ts';

const NAME = /^[a-z][a-z0-9]*\.[a-z][A-Za-z0-9]*$/;

/**
 * Checks what the type cannot say about a tool and forgets the type of its arguments, so that tools of all kinds stand
 * in one registry. Safe because `run` is only ever called with arguments that `input` has parsed.
 * Throws a `TypeError` at load time: a wrong definition is a bug of ours, never of a plan.
 */
export function defineTool<Args>(tool: ToolDefinition<Args>): ToolDefinition {
  const fail = (what: string): never => {
    throw new TypeError(`tool ${tool.name}: ${what}`);
  };
  if (!NAME.test(tool.name)) fail('the name must read domain.verb');
  if (!/^\d+\.\d+\.\d+$/.test(tool.version)) fail('the version must read major.minor.patch');
  if (!Number.isInteger(tool.retry.maxAttempts) || tool.retry.maxAttempts < 1) fail('maxAttempts must be 1 or more');
  if (!(tool.limits.timeoutSeconds > 0)) fail('timeoutSeconds must be positive');
  if (!(tool.cost.cents >= 0 && tool.cost.seconds > 0)) fail('cost needs cents ≥ 0 and seconds > 0');
  if (Object.keys(tool.ports.outputs).length === 0) fail('a tool has at least one output');
  if ((tool.effect === 'none' || tool.effect === 'temporary') === (tool.compensate !== undefined)) {
    fail('idempotency, probe and compensate belong to tools with an effect, and only to them');
  }
  // The argument type is erased on purpose, see above.
  return tool as unknown as ToolDefinition;
}
