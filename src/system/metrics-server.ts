import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from './context.ts';

export interface MetricsServer extends AsyncDisposable {
  readonly port: number;
}

/** `/metrics`, `/livez` and `/readyz` of this process, on a port of their own (`METRICS_PORT`). `ready` says why not, or null. */
export async function serveMetrics(
  { config, metrics, log }: Context,
  ready: () => Promise<string | null>,
): Promise<MetricsServer> {
  const answers: Record<string, () => Promise<[number, string, string]>> = {
    '/metrics': async () => [200, metrics.registry.contentType, await metrics.registry.metrics()],
    '/livez': async () => [200, 'text/plain', 'alive\n'],
    '/readyz': async () => {
      const why = await ready();
      return why === null ? [200, 'text/plain', 'ready\n'] : [503, 'text/plain', `${why}\n`];
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url?.split('?')[0] ?? ''];
    const answered = answer
      ? answer()
      : Promise.resolve([404, 'text/plain', `Expected ${Object.keys(answers).join(', ')}.\n`] as const);
    answered.then(
      ([status, type, body]) => response.writeHead(status, { 'content-type': type }).end(body),
      (error: unknown) => {
        log.error({ err: error }, 'a scrape failed');
        response.writeHead(500).end();
      },
    );
  });
  server.listen(config.METRICS_PORT, config.METRICS_HOST);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
