/** What an orchestrator sees of a failure, without what differs from run to run (stacks). */
export function failureText(error: unknown): unknown {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const [reason, ...rest] = error.message.split(' \n ');
  const details = rest.join(' \n ');
  if (!details.startsWith('{'))
    return { name: error.name, reason, details: details.replace(/StackTrace: [^]*/, 'StackTrace: …') };
  const parsed = JSON.parse(details) as Record<string, unknown>;
  const inner = parsed['InnerException'] as { Message?: string } | null;
  return {
    name: error.name,
    reason,
    className: parsed['ClassName'],
    message: parsed['Message'],
    inner: inner?.Message?.replace(/\nStack: [^]*/, '\nStack: …'),
  };
}
