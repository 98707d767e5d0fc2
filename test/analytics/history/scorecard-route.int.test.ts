import { expect, test } from 'vitest';
import { market } from '#test/analytics/market.ts';

test('the scorecard is computed by a job, once for those who ask the same, and says how', {
  timeout: 240_000,
}, async () => {
  await using api = await market();
  const { headers } = await api.key();
  const path = '/v1/scorecard?symbol=IWM';
  const first = await api.call('GET', path, { ...headers, prefer: 'respond-async' });
  expect(first.status).toBe(202);
  let answer = await api.call('GET', path, headers);
  while (answer.status === 202) answer = await api.call('GET', path, headers);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status: 200,
    body: { status: 'ok', symbol: 'IWM', synthetic: true, data: { seed: 7, symbol: 'IWM' } },
  });
  const { days, generations, method } = answer.body.data;
  expect(method).toContain('not what dealers hold in the world');
  for (const { gex } of generations) expect(gex.sign.trials).toBe(days.length);
  expect(answer.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
  expect(await api.call('GET', '/v1/scorecard?symbol=TSLA', headers)).toMatchObject({ status: 404 });
  expect(await api.call('GET', `${path}&seed=-1`, headers)).toMatchObject({ status: 400 });
});
