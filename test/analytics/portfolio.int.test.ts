import { expect, test } from 'vitest';
import { currentRegime } from '#src/analytics/current-regime.ts';
import type { SnapshotFigures } from '#src/analytics/domain/snapshot-schema.ts';
import { storeSnapshot } from '#src/analytics/history-store.ts';
import type { Context } from '#src/system/context.ts';
import { csvOf, market } from './market.ts';

/** A close a day of both symbols; QQQ moves twice as much as SPX, in the same direction. */
async function closes(context: Context, days: number, level = 100, synthetic = true): Promise<void> {
  const figures = {
    source: 'test',
    synthetic,
    model_version: 'test',
    net_gex: 0,
    gex_abs: 0,
    dex: 0,
    vex: 0,
    cex: 0,
    regime: { state: null, ngr: null, gir: null, sigma_d_pct: null, confidence: null, reason: 'no_gamma' },
    levels: {
      call_wall: null,
      put_wall: null,
      abs_gamma: null,
      hvl: null,
      hvl_cumulative_gex: null,
      atm_volatility: null,
      expected_move_1d: null,
    },
    dsi_raw_share: null,
    flips: { status: 'ok', primary: null, levels: [] },
  } satisfies SnapshotFigures;
  let log = 0;
  for (let day = 0; day < days; day++) {
    const asOf = new Date(Date.now() - (days - day) * 86_400_000 - (synthetic ? 60 * 86_400_000 : 0));
    log += 0.01 * Math.sin(day * day);
    for (const [symbol, times] of [
      ['SPX', 1],
      ['QQQ', 2],
    ] as const)
      await storeSnapshot(context, { symbol, asOf, knowledgeTime: asOf, spot: level * Math.exp(times * log), figures });
  }
}

test('a portfolio is analysed from where its symbols stand, with betas once there is a history', async () => {
  await using api = await market();
  await Promise.all([api.feed('SPX'), api.feed('QQQ')]);
  const { headers } = await api.key();
  const body = { symbols: ['SPX', 'QQQ'], weights: [3, 1] };
  const young = await api.call('POST', '/v1/portfolio/analyze', headers, body);
  expect(young).toMatchObject({ status: 200, body: { status: 'missing_beta', data: { net_gex_spx: null } } });
  await closes(api.context, 40);
  const { body: answer } = await api.call('POST', '/v1/portfolio/analyze', headers, body);
  const [spx, qqq] = await Promise.all(
    (['SPX', 'QQQ'] as const).map(async (symbol) => (await currentRegime(api.context, symbol, 'nobody')).data),
  );
  if (!spx || !qqq) throw new Error('expected two regimes');
  expect(answer.status).toBe('ok');
  expect(answer.data.members[1].beta).toBeCloseTo(2, 6);
  expect(answer.data.net_gex).toBeCloseTo(0.75 * spx.net_gex + 0.25 * qqq.net_gex, 0);
  expect(answer.data.net_gex_spx).toBeCloseTo(0.75 * spx.net_gex + 0.25 * 4 * qqq.net_gex, 0);
});

test('a change from a generated to a real market is no return, and generated returns are said to be such', async () => {
  await using api = await market();
  const real = (symbol: 'SPX' | 'QQQ') => csvOf(symbol).replace(/synthetic/gi, 'Index');
  await Promise.all([api.feed('SPX', real('SPX')), api.feed('QQQ', real('QQQ'))]);
  const { headers } = await api.key();
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
