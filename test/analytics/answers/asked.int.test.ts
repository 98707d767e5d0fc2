import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { enveloped } from '#src/analytics/answers/envelope.ts';
import { sections } from '#src/analytics/answers/sections.ts';
import { market } from '#test/analytics/market.ts';

test('a surface is answered where it is asked for, from its parameters, and its size has a bound', async () => {
  await using api = await market();
  await api.feed('SPX');
  const { headers } = await api.key();
  const grid = async (query: string) => (await api.call('GET', `/v1/surface/SPX${query}`, headers)).body;
  const whole = await grid('');
  const { days, k, volatility, forwards } = whole.data.grid;
  const [row, column] = [days.indexOf(30), k.indexOf(-0.05)];
  const some = await grid('?k=-0.05,0.03&days=30,45.5');
  expect(some).toMatchObject({ generation: 1, as_of: whole.as_of, feed_status: 'ok' });
  expect(some.data).toMatchObject({ certificate: whole.data.certificate, expiries: whole.data.expiries });
  expect(some.data.grid).toMatchObject({ days: [30, 45.5], k: [-0.05, 0.03], strikes: null });
  expect(some.data.grid.volatility[0][0]).toBeCloseTo(volatility[row][column], 12);
  const strike = forwards[row] * Math.exp(-0.05);
  const struck = (await grid(`?strikes=${strike}&years=${30 / 365}`)).data.grid;
  expect(struck).toMatchObject({ strikes: [strike], k: null });
  expect(struck.volatility[0][0]).toBeCloseTo(volatility[row][column], 12);
  const [, second] = whole.data.expiries;
  const byName = (await api.call('GET', `/v1/surface?symbol=spx&expiries=${second.label}`, headers)).body.data.grid;
  expect(byName.forwards[0]).toBeCloseTo(second.forward, 8);
  expect(byName.volatility[0][k.indexOf(0)]).toBeCloseTo(second.atm_volatility, 12);
  // the quotes that were fitted to come where they are asked for, as many as the fit counts
  const quoted = await grid('?quotes=true');
  expect(Compile(enveloped(sections.surface.data, '')).Errors(quoted)).toEqual([]);
  expect(quoted.data.grid).toEqual(whole.data.grid);
  expect(whole.data.expiries.every((expiry: object) => !('quoted' in expiry))).toBe(true);
  for (const { quotes, quoted: columns, fit_error: error } of quoted.data.expiries) {
    const { bid, mid, ask } = columns;
    expect([columns.k, bid, mid, ask].map(({ length }) => length)).toEqual([quotes, quotes, quotes, quotes]);
    expect(mid.every((value: number, i: number) => bid[i] <= value && value <= ask[i])).toBe(true);
    expect(quotes === 0 || error !== null).toBe(true);
  }
  const refused = async (query: string) => {
    const { status, body } = await api.call('GET', `/v1/surface/SPX?${query}`, headers);
    return [status, body.code, body.detail];
  };
  const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(',');
  for (const query of [
    `strikes=${many(101)}`,
    `days=${many(51)}`,
    'days=0',
    'k=',
    'k=x',
    'k=0&strikes=1',
    'days=1&years=1',
  ])
    expect([query, ...(await refused(query)).slice(0, 2)]).toEqual([query, 400, 'invalid_request']);
  const [status, , detail] = await refused('expiries=SPX%202001-01-01');
  expect(status).toBe(400);
  expect(detail).toContain(second.label);
  // of other sections there is nothing to ask
  expect((await api.call('GET', '/v1/gex/SPX?k=0', headers)).status).toBe(400);
});

test('models of the caller’s own are computed by a job from the chain that the caller sees', async () => {
  await using api = await market();
  await api.feed('SPX');
  const { headers } = await api.key();
  const get = async (path: string) => await api.call('GET', `/v1/${path}`, headers);
  const usual = (await get('flow-forecast/SPX')).body.data;
  const { status, body } = await get('flow-forecast/SPX?spot_shock_pct=-3,2&vol_points=5&hours=0,24');
  expect(status).toBe(200);
  expect(Compile(enveloped(sections.flow_forecast.data, '')).Errors(body)).toEqual([]);
  expect(body.data).toMatchObject({ horizons: usual.horizons, status: 'ok' });
  expect(
    body.data.scenarios.map(({ spot_return_pct, vol_points, hours }: any) => [spot_return_pct, vol_points, hours]),
  ).toEqual([
    [-3, 5, 0],
    [2, 5, 24],
  ]);
  for (const { flow_usd, gamma_usd, vanna_usd, charm_usd, residual_usd } of body.data.scenarios)
    expect(gamma_usd + vanna_usd + charm_usd + residual_usd).toBe(flow_usd);
  expect(body.data.scenarios[0].charm_usd).toBe(0);
  const [vcm, second] = [
    await get('vcm/SPX?expected_vol_points=2&horizon_hours=6'),
    await get('vcm?symbol=spx&expected_vol_points=2&horizon_hours=6&generation=2'),
  ];
  expect(vcm.body.data).toMatchObject({ status: 'ok', expected_vol_points: 2, horizon_hours: 6, volume_share: 0.25 });
  expect(second.body).toMatchObject({ generation: 2, data: { expected_vol_points: 2 } });
  const bands = await get('hedging-bands/SPX?band_model=zakamouline&cost=0.0001&risk_aversion=1e-7');
  expect(bands.body.data).toMatchObject({ model: 'zakamouline', cost: 1e-4, risk_aversion: 1e-7 });
  const [sticky, slid] = [await get('shadow-gamma/SPX?vol_regime=sticky_strike'), await get('shadow-gamma/SPX?ssr=2')];
  expect(sticky.body.data.hidden_gamma).toBe(0);
  expect(slid.body.data.hidden_gamma).not.toBe(0);
  const [flips, levels] = [await get('gex/SPX?vol_regime=sticky_moneyness'), await get('levels/SPX?flip_draws=16')];
  expect(flips.body.data.flips_by_bucket.vol_regime).toBe('sticky_moneyness');
  expect(flips.body.data.flips).toEqual(flips.body.data.flips_by_bucket.all.flips);
  expect(levels.body.data.flip_interval.method).toBe('bootstrap');
  // what is kept stands
  expect((await get('flow-forecast/SPX')).body.data).toEqual(usual);
  for (const query of [
    'spot_shock_pct=-100',
    'spot_shock_pct=1,2&hours=1,2,3',
    'ssr=1&vol_regime=sticky_strike',
    'cost=1',
  ])
    expect(await get(`flow-forecast/SPX?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('a stress may let volatilities slide along the smile that was fitted', async () => {
  await using api = await market();
  await api.feed('SPX');
  const { headers } = await api.key();
  const scenarios = [{ spot_shock_pct: -4 }, { spot_shock_pct: -4, ssr: 1 }, { spot_shock_pct: -4, ssr: 2 }];
  const { body } = await api.call('POST', '/v1/portfolio/stress', headers, { symbols: ['SPX'], scenarios });
  const [still, one, slid] = body.data.results.map(({ members }: any) => members[0].result);
  expect(one).toEqual(still);
  expect([still.ssr, slid.ssr]).toEqual([1, 2]);
  expect(slid.hedge_flow).not.toBeCloseTo(still.hedge_flow, -3);
});
