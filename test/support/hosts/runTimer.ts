/** Runs a timer function by hand, as an operator does it; resolves when the host has accepted. */
export async function runTimer(baseUrl: string, masterKey: string, functionName: string): Promise<void> {
  const response = await fetch(`${baseUrl}/admin/functions/${encodeURIComponent(functionName)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-functions-key': masterKey },
    body: JSON.stringify({ input: '' }),
  });
  if (response.status !== 202) throw new Error(`${functionName} was not run: ${String(response.status)}`);
}
