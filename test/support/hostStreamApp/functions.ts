/** The host's test app in stream mode. */
import { setTimeout as delay } from 'node:timers/promises';
import { app, type HttpRequest } from '@azure/functions';

app.setup({ enableHttpStream: true });

app.http('info', {
  methods: ['GET', 'POST'],
  route: 'info/{id}',
  handler: (request: HttpRequest) =>
    Promise.resolve({
      status: 201,
      headers: { 'x-own': 'yes' },
      cookies: [{ name: 'a', value: '1' }],
      jsonBody: {
        url: request.url,
        id: request.params['id'],
        header: request.headers.get('x-test'),
        x: request.query.get('x'),
      },
    }),
});

/** Answers the number of bytes without holding the body. */
app.http('count', {
  methods: ['POST'],
  handler: async (request: HttpRequest) => {
    let bytes = 0;
    for await (const chunk of request.body ?? []) bytes += (chunk as Uint8Array).length;
    return { body: String(bytes) };
  },
});

async function* ticks(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 3; i += 1) {
    yield new TextEncoder().encode(`data: ${i}\n\n`);
    await delay(150);
  }
}
app.http('ticks', {
  handler: () => Promise.resolve({ headers: { 'content-type': 'text/event-stream' }, body: ticks() }),
});
app.http('nothing', { handler: () => Promise.resolve() as Promise<never> });
app.http('throws', {
  methods: ['GET', 'POST'],
  handler: () => {
    throw new Error('a streamed handler failed');
  },
});
