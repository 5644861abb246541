/** Where the durable webhooks and the RPC endpoint of this host are. */
export interface DurableUrls {
  /** Without trailing slash: `http://localhost:7071/runtime/webhooks/durabletask`. */
  readonly webhookBase: string;
  /** With trailing slash; null when the endpoint is off. */
  readonly rpcBase: string | null;
  readonly hubName: string;
  readonly key: string;
}

type LinkName =
  | 'statusQueryGetUri'
  | 'sendEventPostUri'
  | 'terminatePostUri'
  | 'rewindPostUri'
  | 'purgeHistoryDeleteUri'
  | 'restartPostUri'
  | 'suspendPostUri'
  | 'resumePostUri';

const LINKS: readonly (readonly [LinkName, string, string])[] = [
  ['statusQueryGetUri', '', ''],
  ['sendEventPostUri', '/raiseEvent/{eventName}', ''],
  ['terminatePostUri', '/terminate', 'reason={text}&'],
  ['rewindPostUri', '/rewind', 'reason={text}&'],
  ['purgeHistoryDeleteUri', '', ''],
  ['restartPostUri', '/restart', ''],
  ['suspendPostUri', '/suspend', 'reason={text}&'],
  ['resumePostUri', '/resume', 'reason={text}&'],
];

/** As .NET encodes it for a URL: a blank becomes a plus. */
const urlEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%20', '+').replaceAll("'", '%27').replaceAll('~', '%7E');

/** The management links of an instance, as the engine writes them; `{eventName}` and `{text}` are for the reader to fill. */
export function managementLinks(
  urls: DurableUrls,
  instanceId: string,
  options: { rewind: boolean },
): Record<string, string> {
  const query = `taskHub=${encodeURIComponent(urls.hubName)}&connection=Storage&code=${urls.key}`;
  const links = LINKS.filter(([name]) => options.rewind || name !== 'rewindPostUri').map(([name, path, extra]) => [
    name,
    `${urls.webhookBase}/instances/${urlEncode(instanceId)}${path}?${extra}${query}`,
  ]);
  return { id: instanceId, ...(Object.fromEntries(links) as Record<string, string>) };
}

/** JSON text of the durable client binding. Every URL is a string: the SDK walks them and fails on null. */
export function clientBinding(urls: DurableUrls): string {
  const create = `${urls.webhookBase}/orchestrators/{functionName}[/{instanceId}]`;
  return JSON.stringify({
    taskHubName: urls.hubName,
    connectionName: null,
    creationUrls: {
      createNewInstancePostUri: `${create}?code=${urls.key}`,
      createAndWaitOnNewInstancePostUri: `${create}?timeout={timeoutInSeconds}&pollingInterval={intervalInSeconds}&code=${urls.key}`,
    },
    managementUrls: managementLinks(urls, 'INSTANCEID', { rewind: true }),
    baseUrl: urls.webhookBase,
    requiredQueryStringParameters: `code=${urls.key}`,
    ...(urls.rpcBase === null ? {} : { rpcBaseUrl: urls.rpcBase }),
    httpBaseUrl: null,
  });
}
