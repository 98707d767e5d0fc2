import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { market } from '#test/analytics/market.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

/** A collector that speaks OTLP over HTTP with JSON. */
async function collector() {
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test('one trace goes from the caller through request and job to the thread', async () => {
  const { spans, url, close } = await collector();
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const caller = 'b7ad6b7169203331';
  {
    await using api = await market({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    await api.feed('SPX');
    const { headers } = await api.key();
    const answer = await api.call(
      'POST',
      '/v1/portfolio/stress',
      { ...headers, traceparent: `00-${traceId}-${caller}-01` },
      { symbols: ['SPX'] },
    );
    expect(answer.status).toBe(200);
  }
  close();
  const mine = spans.filter((span) => span.traceId === traceId);
  const named = (name: RegExp) => mine.find((span) => name.test(span.name));
  const [request, job, thread] = [
    named(/portfolio\/stress/),
    named(/^analytics\.stress$/),
    named(/^thread stress-book$/),
  ];
  expect(request?.parentSpanId).toBe(caller);
  expect(job?.parentSpanId).toBe(request?.spanId);
  expect(thread?.parentSpanId).toBe(job?.spanId);
});

test('without a collector a caller’s trace still reaches the job', async () => {
  const traceId = '1af7651916cd43dd8448eb211c80319d';
  await using api = await market();
  await api.feed('SPX');
  const { headers } = await api.key();
  const traced = { ...headers, traceparent: `00-${traceId}-b7ad6b7169203331-01`, prefer: 'respond-async' };
  const answer = await api.call('POST', '/v1/portfolio/stress', traced, { symbols: ['SPX'] });
  const kept = await api.context.db.oneFirst(sql.unsafe`select trace from jobs where id = ${answer.body.id}`);
  expect(kept).toContain(traceId);
});
