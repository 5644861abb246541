/** What an orchestrator sees of a failure, without what differs from run to run (stacks). */
export function failureText(error: unknown): unknown {
  if (!(error instanceof Error)) return { thrown: typeof error };
  // Reason, then details; of a child's failure the reason has the same two parts.
  const parts = error.message.split(' \n ').map((part) => {
    if (!part.startsWith('{')) return part.replace(/StackTrace: [^]*/, 'StackTrace: …');
    try {
      const parsed = JSON.parse(part) as Record<string, unknown>;
      const inner = parsed['InnerException'] as { Message?: string } | null;
      return {
        className: parsed['ClassName'],
        message: parsed['Message'],
        inner: inner?.Message?.replace(/\nStack: [^]*/, '\nStack: …'),
      };
    } catch {
      return part.replace(/StackTrace"?: [^]*/, 'StackTrace: …').slice(0, 80);
    }
  });
  return { name: error.name, parts };
}
