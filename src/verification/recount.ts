import { z } from 'zod';

const collection = z.looseObject({
  features: z.array(
    z.looseObject({ properties: z.looseObject({ class: z.enum(['exceeds', 'undecided', 'below', 'notAssessed']) }) }),
  ),
});

/** Counts exposure classes again from a feature collection; undefined when it is not one. */
export function recountExposure(
  value: unknown,
): { readonly byClass: ReadonlyMap<string, number>; readonly total: number } | undefined {
  const parsed = collection.safeParse(value);
  if (!parsed.success) return undefined;
  const byClass = new Map<string, number>();
  for (const feature of parsed.data.features)
    byClass.set(feature.properties.class, (byClass.get(feature.properties.class) ?? 0) + 1);
  return { byClass, total: parsed.data.features.length };
}
