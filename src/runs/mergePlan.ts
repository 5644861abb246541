import type { JsonValue } from '../plan/types.ts';
import type { StartRequest } from './request.ts';

type JsonObject = Record<string, JsonValue>;

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The plan that a start request means: the request's goal replaces the plan's (its inputs go to the validator's context).
 * Anything that is not an object is handed on as it is: the validator refuses it with its own findings.
 */
export function mergePlan(request: StartRequest): JsonValue {
  const { plan } = request;
  if (!isObject(plan)) return plan ?? null;
  return request.goal === undefined ? plan : { ...plan, goal: request.goal };
}
