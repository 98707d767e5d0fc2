import { expect, test } from 'vitest';
import { takeChain } from '#src/analytics/chains/take-chain.ts';
import { csvOf } from '#test/analytics/market.ts';
import { testApi } from '#test/http/api.ts';

test('uploads that find the queue of threads full are answered 503, to come again', async () => {
  await using api = await testApi(
    { THREADS_MIN: '1', THREADS_MAX: '1', THREAD_QUEUE_LIMIT: '1' },
    (app, { context }) => {
      // as many as come are read at once, so that which of them find no room does not depend on the network
      app.get('/test/uploads', async () => {
        const uploads = Array.from({ length: 4 }, () =>
          takeChain(
            context,
            'owner-1',
            Buffer.from(csvOf('SPX')),
            { isCsv: true, symbol: 'SPX' },
            new AbortController().signal,
          ),
        );
        const results = await Promise.allSettled(uploads);
        const refused = results.find(({ status }) => status === 'rejected');
        if (refused?.status === 'rejected') throw refused.reason;
        return {};
      });
    },
  );
  const { headers } = await api.key();
  const response = await api.app.inject({ url: '/test/uploads', headers });
  expect(response.json()).toMatchObject({
    status: 503,
    code: 'unavailable',
    detail: expect.stringMatching(/^expected fewer than 1 tasks that wait for a thread .* try again in a second\.$/),
  });
  expect(response.headers['retry-after']).toBe('1');
});
