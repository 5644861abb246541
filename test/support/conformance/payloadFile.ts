/** Name of the file with the last payload of an instance. */
export const payloadFile = (instanceId: string): string => `${encodeURIComponent(instanceId)}.json`;
