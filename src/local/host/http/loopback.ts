import { createServer, type RequestListener, type Server } from 'node:http';

export interface Listener {
  readonly port: number;
  /** Stops accepting and ends idle connections; open requests get until `graceMs`. */
  close(graceMs: number): Promise<void>;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

/**
 * Listens on loopback only, 127.0.0.1 and, where the machine has it, ::1 (browsers may resolve `localhost` to it).
 * @param port 0 = any free one
 * @throws when the port is taken (code EADDRINUSE)
 */
export async function listenLoopback(
  port: number,
  handler: RequestListener,
  options: { ipv6: boolean },
): Promise<Listener> {
  const servers = [createServer(handler)];
  const [first] = servers;
  const actual = first === undefined ? port : await listen(first, port, '127.0.0.1');
  if (options.ipv6) {
    const second = createServer(handler);
    try {
      await listen(second, actual, '::1');
      servers.push(second);
    } catch {
      // No IPv6 loopback here, or the port is taken there: 127.0.0.1 serves alone.
    }
  }
  for (const server of servers) {
    // Streams stay open for minutes; the app closes them itself.
    server.requestTimeout = 0;
  }
  return {
    port: actual,
    close: async (graceMs) => {
      await Promise.all(servers.map((server) => closeServer(server, graceMs)));
    },
  };
}
