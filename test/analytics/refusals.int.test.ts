import { expect, test } from 'vitest';
import { uploadBudget } from '#src/system/outside/upload-budget.ts';
import { csvOf, market } from './market.ts';

const contract = (option: string, more: object = {}) => ({
  option,
  bid: 10,
  ask: 11,
  iv: 0.2,
  open_interest: 5,
  volume: 1,
  ...more,
});
const cboe = (options: unknown, more: object = {}) => ({
  timestamp: '2026-11-19 18:30:00',
  symbol: '_SPX',
  data: { symbol: '^SPX', current_price: 6900, options, ...more },
});

const badBodies: Record<string, [body: unknown, status: number, says: RegExp]> = {
  'an unknown body property': [{ symbol: 'SPX', chian: 'x' }, 400, /chian/],
  'a symbol of the wrong type': [{ symbol: 5 }, 400, /symbol.*5/],
  'no symbol': [{ chain: 'x' }, 400, /symbol/],
  'an array': [[1], 400, /array/],
  'malformed JSON': ['{"symbol": "SPX", ', 400, /JSON/],
  'another symbol': [{ symbol: 'DAX', chain: 'x' }, 404, /SPX, SPY, QQQ, IWM, NDX, RUT.*DAX/],
  'an empty chain': [{ symbol: 'SPX', chain: cboe([]) }, 422, /contracts|options/],
  'an empty CSV': [{ symbol: 'SPX', chain: ' ' }, 422, /./],
  'a truncated CSV': [{ symbol: 'SPX', chain: csvOf('SPX').slice(0, 400) }, 422, /./],
  'a CSV cut inside its last row': [{ symbol: 'SPX', chain: csvOf('SPX').slice(0, -40) }, 422, /./],
  'a chain without two-sided quotes': [
    { symbol: 'SPX', chain: cboe([contract('SPXW261218C06900000', { bid: 0, iv: 0 })]) },
    422,
    /two-sided|quote/,
  ],
  'a spot that is not a number': [
    { symbol: 'SPX', chain: cboe([contract('SPXW261218C06900000')], { current_price: 'high' }) },
    422,
    /current_price|spot/,
  ],
  'a chain without data': [{ symbol: 'SPX', chain: {} }, 422, /^data: expected an object, got nothing\.$/],
  'options that are no list': [{ symbol: 'SPX', chain: cboe({}) }, 422, /options/],
  'contracts of another underlying': [
    { symbol: 'SPX', chain: cboe([contract('SPY261218C00690000')]) },
    422,
    /SPX|SPY|symbol/,
  ],
  'a chain whose every expiry has passed': [
    { symbol: 'SPX', chain: cboe([contract('SPXW240119C06900000')]) },
    422,
    /expired/,
  ],
  'nothing but negative open interest': [
    { symbol: 'SPX', chain: cboe([contract('SPXW261218C06900000', { open_interest: -5 })]) },
    422,
    /open_interest/,
  ],
};

test('bad chains are refused with what is wrong where, never with a 500', async () => {
  await using api = await market();
  const { headers } = await api.key();
  for (const [name, [body, status, says]] of Object.entries(badBodies)) {
    const answer = await api.call('POST', '/v1/snapshot', headers, body);
    expect({ name, status: answer.status, detail: answer.body.detail }).toMatchObject({
      name,
      status,
      detail: expect.stringMatching(says),
    });
  }
  const csv = { ...headers, 'content-type': 'text/csv' };
  expect(await api.call('POST', '/v1/snapshot', csv, csvOf('SPX'))).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', errors: [{ field: 'query.symbol' }] },
  });
  for (const path of ['/v1/snapshot?symbol=', '/v1/snapshot?symbol=NDX']) {
    expect(await api.call('POST', path, headers, { symbol: 'SPX', chain: csvOf('SPX') })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'query.symbol' }] },
    });
  }
  expect(await api.call('POST', '/v1/snapshot?symbol=DAX', csv, csvOf('SPX'))).toMatchObject({ status: 404 });
  expect(await api.call('POST', '/v1/snapshot?symbol=SPX', csv, csvOf('SPX'))).toMatchObject({ status: 200 });
  expect(await api.call('POST', '/v1/snapshot?symbol=NDX', csv, csvOf('SPX'))).toMatchObject({ status: 422 });
});

test('single bad rows are dropped and counted by reason; the rest is used', async () => {
  await using api = await market();
  const { headers } = await api.key();
  const strikes = [6700, 6750, 6800, 6850, 6900, 6950, 7000, 7050, 7100];
  const rows = strikes.flatMap((strike) =>
    ['C', 'P'].map((type) => {
      const intrinsic = Math.max(0, type === 'C' ? 6900 - strike : strike - 6900);
      return contract(`SPXW261218${type}0${strike}000`, { bid: intrinsic + 60, ask: intrinsic + 61 });
    }),
  );
  const bad = [
    contract('SPXW261218C07150000', { open_interest: -1 }),
    contract('SPXW261218C07200000', { bid: Number.NaN, ask: null }),
    contract('SPXW261218C06900000'),
    contract('SPXW240119C07000000'),
    contract('SPXW261218C07250000', { bid: 20, ask: 10 }),
    contract('nonsense'),
  ];
  const { status, body } = await api.call('POST', '/v1/snapshot', headers, {
    symbol: 'SPX',
    chain: cboe([...rows, ...bad]),
  });
  expect(status).toBe(200);
  const { dropped, contracts_used } = body.data.quality;
  expect(contracts_used).toBe(rows.length);
  expect(dropped).toMatchObject({
    bad_open_interest: 1,
    duplicate: 1,
    expired: 1,
    crossed_quote: 1,
    malformed_symbol: 1,
  });
  expect(Object.values(dropped as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(bad.length);
  expect(JSON.stringify(body)).not.toMatch(/NaN|Infinity/);
});

test('a body over the limit is refused with 413', async () => {
  await using api = await market({ CHAIN_BODY_LIMIT_BYTES: '2000000' });
  const { headers } = await api.key();
  const answer = await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPX', chain: 'x'.repeat(3_000_000) });
  expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
});

test('uploads above the byte budget of a process are told to come again, and it is given back', async () => {
  await using api = await market({ UPLOAD_TOTAL_BYTES: '2000000' });
  const { headers } = await api.key();
  const room = uploadBudget(api.context)(1_999_990);
  const refused = await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPX', chain: csvOf('SPX') });
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  room();
  for (let turn = 0; turn < 4; turn++) {
    expect(await api.call('POST', '/v1/snapshot', headers, { symbol: 'DAX' })).toMatchObject({ status: 404 });
  }
  expect(() => uploadBudget(api.context)(2_000_000)()).not.toThrow();
});

test('a field is named the same by the edge and by the routes', async () => {
  await using api = await market();
  const { headers } = await api.key();
  const fields = async (path: string, body: object) =>
    (await api.call('POST', path, headers, body)).body.errors.map(({ field }: any) => field);
  expect(await fields('/v1/portfolio/stress', { symbols: ['SPX', 'spx'] })).toEqual(['body.symbols']);
  expect(await fields('/v1/portfolio/stress', { symbols: [] })).toEqual(['body.symbols']);
  expect(await fields('/v1/snapshot', { symbol: 5 })).toEqual(['body.symbol']);
});

const badStress: Record<string, [body: object, status: number, says: RegExp]> = {
  'no symbols': [{ symbols: [] }, 400, /symbols/],
  'seven symbols': [{ symbols: ['SPX', 'SPY', 'QQQ', 'IWM', 'NDX', 'RUT', 'DAX'] }, 400, /symbols/],
  'a symbol twice': [{ symbols: ['SPX', 'SPX'] }, 400, /symbols/],
  'a symbol twice in another case': [{ symbols: ['SPX', 'spx'] }, 400, /symbols/],
  'an unknown symbol': [{ symbols: ['DAX'] }, 404, /SPX/],
  'weights of another length': [{ symbols: ['SPX'], weights: [1, 2] }, 400, /weights/],
  'weights that sum to zero': [{ symbols: ['SPX', 'SPY'], weights: [1, -1] }, 400, /weights.*zero/],
  'a weight that is a text': [{ symbols: ['SPX'], weights: ['1'] }, 400, /weights/],
  'zero scenarios': [{ symbols: ['SPX'], scenarios: [] }, 400, /scenarios/],
  '10,000 scenarios': [
    { symbols: ['SPX'], scenarios: Array.from({ length: 10_000 }, () => ({ spot_shock_pct: 1 })) },
    400,
    /scenarios/,
  ],
  'a scenario without a shock': [{ symbols: ['SPX'], scenarios: [{}] }, 400, /scenarios/],
  'a scenario that says only how the smile follows': [
    { symbols: ['SPX'], scenarios: [{ ssr: 1.5 }] },
    400,
    /scenarios.*spot_shock_pct/,
  ],
  'a shock of -100': [{ symbols: ['SPX'], scenarios: [{ spot_shock_pct: -100 }] }, 400, /spot_shock_pct.*-100/],
  'a volatility shock below -100': [
    { symbols: ['SPX'], scenarios: [{ vol_shock_pct: -150 }] },
    400,
    /vol_shock_pct.*-150/,
  ],
  'days below zero': [{ symbols: ['SPX'], scenarios: [{ days: -1 }] }, 400, /days.*-1/],
  'an unknown property': [{ symbols: ['SPX'], scenarios: [{ spot: 1 }] }, 400, /spot/],
};

test('bad stress tests are refused with the field and the value', async () => {
  await using api = await market();
  await Promise.all([api.feed('SPX'), api.feed('SPY')]);
  const { headers } = await api.key();
  for (const [name, [body, status, says]] of Object.entries(badStress)) {
    const answer = await api.call('POST', '/v1/portfolio/stress', headers, body);
    expect({ name, status: answer.status, detail: answer.body.detail }).toMatchObject({
      name,
      status,
      detail: expect.stringMatching(says),
    });
  }
  expect(await api.call('POST', '/v1/portfolio/stress', headers, { symbols: ['RUT'] })).toMatchObject({
    status: 404,
    body: { code: 'no_chain' },
  });
});

test('a name with a NUL in it is shown without; a day that does not exist is refused', async () => {
  await using api = await market();
  const { headers } = await api.key();
  const named = csvOf('SPX').replace('SPX synthetic', 'SPX\u0000 synthetic\ud800');
  const answer = await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPX', chain: named });
  expect(answer).toMatchObject({ status: 200, body: { data: { name: 'SPX synthetic\ufffd' } } });
  const dated = csvOf('SPX').replace(/Date: \w+ \d+, 2026/, 'Date: February 31, 2026');
  expect(await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPX', chain: dated })).toMatchObject({
    status: 422,
  });
  const json = { ...cboe([contract('SPXW261218C06900000')]), timestamp: '2026-02-31 10:00:00' };
  expect(await api.call('POST', '/v1/snapshot', headers, { symbol: 'SPX', chain: json })).toMatchObject({
    status: 422,
  });
});
