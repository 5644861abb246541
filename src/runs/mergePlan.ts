import type { JsonValue } from '../plan/types.ts';
import type { StartRequest } from './request.ts';

type JsonObject = Record<string, JsonValue>;

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The plan that a start request means: its goal replaces the plan's, its inputs override the plan's. A typed declaration
 * keeps its limits and gets the value as its default, so that the validator checks the value against them. Anything that
 * is not an object is handed on as it is: the validator refuses it with its own findings.
 */
export function mergePlan(request: StartRequest): JsonValue {
  const { plan } = request;
  if (!isObject(plan)) return plan ?? null;
  const merged: JsonObject = { ...plan };
  if (request.goal !== undefined) merged['goal'] = request.goal;
  if (request.inputs !== undefined) merged['inputs'] = mergeInputs(plan['inputs'], request.inputs);
  return merged;
}

/** Declared inputs with the caller's values put in. */
export function mergeInputs(declared: JsonValue | undefined, given: Readonly<Record<string, JsonValue>>): JsonObject {
  const inputs: JsonObject = isObject(declared) ? { ...declared } : {};
  for (const [name, value] of Object.entries(given)) {
    const declaration = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    inputs[name] =
      isObject(declaration) && typeof declaration['type'] === 'string' ? { ...declaration, default: value } : value;
  }
  return inputs;
}
