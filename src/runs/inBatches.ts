/** Calls `work` for all items, `size` at a time, in their order. A failure ends it after the batch it happened in. */
export async function inBatches<T>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += size) {
    const results = await Promise.allSettled(items.slice(from, from + size).map(work));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
