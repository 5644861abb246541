/** Small steps for driving a `HostModel` by hand. */
import { HostModel, type ModelOptions } from './model.ts';
import type { Body } from './sdk.ts';

export const DAY = 86_400_000;

/** A model over these orchestrators; not strict unless asked. */
export function modelOf(bodies: Readonly<Record<string, Body>>, options: ModelOptions = {}): HostModel {
  return new HostModel(new Map(Object.entries(bodies)), options);
}

/** Ends the oldest open call of the activity `name` (default: of any) and runs what follows. */
export async function finish(
  host: HostModel,
  result: { readonly value: unknown } | { readonly failure: string } = { value: 'ok' },
  name?: string,
): Promise<void> {
  const activity = host.activities.find((a) => name === undefined || a.name === name);
  if (activity === undefined) throw new Error(`no activity ${name ?? ''} is open`);
  host.finish(activity, result);
  await host.settle();
}

/** Moves the clock to the next timer and delivers it. */
export async function fireNext(host: HostModel): Promise<void> {
  const due = host.nextDue();
  if (due === undefined) throw new Error('no timer is armed');
  host.now = due;
  await host.settle();
}
