import { expect, test } from 'vitest';
import { storeChain } from '#src/analytics/chains/chain-store.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { csvOf, market } from '#test/analytics/market.ts';
import { closes } from '#test/analytics/snapshots.ts';

/** Chains of one's own: those of a feed would be part of its history. */
async function upload(
  api: Awaited<ReturnType<typeof market>>,
  headers: Record<string, string>,
  change: (chain: string) => string,
): Promise<void> {
  for (const symbol of ['SPX', 'QQQ'] as const) {
    const chain = change(csvOf(symbol));
    expect(await api.call('POST', '/v1/snapshot', headers, { symbol, chain })).toMatchObject({ status: 200 });
  }
}

test('a portfolio is analysed from where its symbols stand, with betas once there is a history', async () => {
  await using api = await market();
  const { headers } = await api.key();
  await upload(api, headers, (chain) => chain);
  const body = { symbols: ['SPX', 'QQQ'], weights: [3, 1] };
  const young = await api.call('POST', '/v1/portfolio/analyze', headers, body);
  expect(young).toMatchObject({ status: 200, body: { status: 'missing_beta', data: { net_gex_spx: null } } });
  await closes(api.context, 40);
  const { body: answer } = await api.call('POST', '/v1/portfolio/analyze', headers, body);
  const [spx, qqq] = await Promise.all(
    ['SPX', 'QQQ'].map(async (symbol) => (await api.call('GET', `/v1/regime/${symbol}`, headers)).body.data),
  );
  expect(answer.status).toBe('ok');
  expect(answer.data.members[1].beta).toBeCloseTo(2, 6);
  expect(answer.data.net_gex).toBeCloseTo(0.75 * spx.net_gex + 0.25 * qqq.net_gex, 0);
  expect(answer.data.net_gex_spx).toBeCloseTo(0.75 * spx.net_gex + 0.25 * 4 * qqq.net_gex, 0);
});

test('symbols are named in any case, each once, by every portfolio route', async () => {
  await using api = await market();
  await Promise.all([api.feed('SPX'), api.feed('QQQ')]);
  const { headers } = await api.key();
  for (const what of ['analyze', 'optimize', 'stress']) {
    const ask = async (symbols: string[]) => await api.call('POST', `/v1/portfolio/${what}`, headers, { symbols });
    expect(await ask(['SPX', 'spx']), what).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await ask(['DAX']), what).toMatchObject({ status: 404, body: { code: 'unknown_symbol' } });
    expect(await ask(['qqq']), what).toMatchObject({ status: 200, body: { symbol: 'QQQ' } });
  }
});

test('a change from a generated to a real market is no return, and generated returns are said to be such', async () => {
  await using api = await market();
  const { headers } = await api.key();
  await upload(api, headers, (chain) => chain.replace(/synthetic/gi, 'Index'));
  const ask = async (what: string) =>
    await api.call('POST', `/v1/portfolio/${what}`, headers, { symbols: ['SPX', 'QQQ'] });
  await closes(api.context, 40);
  for (const what of ['analyze', 'optimize'])
    expect(await ask(what), what).toMatchObject({ body: { synthetic: true } });
  // the real one stands elsewhere: a return across the change would be of 400 %
  await closes(api.context, 40, 500, false);
  expect(await ask('optimize')).toMatchObject({ body: { synthetic: false } });
  const { body } = await ask('analyze');
  expect(body.synthetic).toBe(false);
  expect(body.data.members[1].beta).toBeCloseTo(2, 6);
});

test('weights of least variance: without a history they need a correlation; what cannot be met is named', async () => {
  await using api = await market();
  await Promise.all([api.feed('SPX'), api.feed('QQQ')]);
  const { headers } = await api.key();
  const ask = async (more: object) =>
    await api.call('POST', '/v1/portfolio/optimize', headers, { symbols: ['SPX', 'QQQ'], ...more });
  expect(await ask({})).toMatchObject({ status: 200, body: { status: 'insufficient_history', data: null } });
  const correlation = [
    [1, 0.2],
    [0.2, 1],
  ];
  const { body } = await ask({ correlation });
  const weights = body.data.members.map(({ weight }: { weight: number }) => weight);
  expect(body.status).toBe('ok');
  expect(weights[0] + weights[1]).toBeCloseTo(1, 12);
  expect(body.data.kkt_residual).toBeLessThan(1e-10);
  expect(await ask({ correlation, lower: [0.8, 0.8] })).toMatchObject({
    status: 200,
    body: { status: 'infeasible', data: { infeasible: { constraint: 'budget' } } },
  });
  expect(await ask({ correlation, lower: [0] })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'body.lower' }] },
  });
  expect(
    await ask({
      correlation: [
        [1, 2],
        [2, 1],
      ],
    }),
  ).toMatchObject({ status: 400 });
  await closes(api.context, 60);
  expect(await ask({})).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('an own chain that is not computed yet is waited for: the feed’s is not taken in its place', async () => {
  await using api = await market();
  const { headers } = await api.key();
  await api.feed('SPX');
  const netGex = async (who: Record<string, string>) => {
    const { body } = await api.call('POST', '/v1/portfolio/analyze', who, { symbols: ['SPX'] });
    return body.data.net_gex;
  };
  const feed = await netGex(headers);
  await storeChain(api.context, 'owner-1', cleanChain(readChain(csvOf('SPX', 2), 'SPX')));
  const own = await netGex(headers);
  const { body } = await api.call('GET', '/v1/gex/SPX', headers);
  expect([body.data.feed, body.data.net_gex]).toEqual(['own', own]);
  expect(own).not.toBe(feed);
});
