import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { packChain, unpackChain } from '#src/analytics/domain/chain/pack-chain.ts';
import { readCboeJson } from '#src/analytics/domain/chain/read-cboe-json.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { AppError } from '#src/lib/errors.ts';
import { csv, editRow, quotesDocument } from '#test/analytics/chain-text.ts';

/** Columns of a row that hold the call. */
const CALL = { symbol: 1, bid: 4, ask: 5, interest: 10 } as const;
const neighbour = csv.split('\n')[4]!.split(',')[CALL.symbol]!;

test.each([
  ['negative open interest', 'bad_open_interest', CALL.interest, '-5'],
  ['open interest in words', 'bad_open_interest', CALL.interest, 'many'],
  ['no open interest', 'bad_open_interest', CALL.interest, ''],
  ['a bid that is no number', 'bad_quote', CALL.bid, 'NaN'],
  ['a negative bid', 'bad_quote', CALL.bid, '-1'],
  ['an endless ask', 'bad_quote', CALL.ask, 'Infinity'],
  ['crossed quotes', 'crossed_quote', CALL.bid, '9999'],
  ['an expiry before the timestamp', 'expired', CALL.symbol, 'SPXW261119C06000000'],
  ['a root of another underlying', 'foreign_root', CALL.symbol, 'NDXP261120C06000000'],
  ['a symbol that is none', 'malformed_symbol', CALL.symbol, 'hello'],
  ['a symbol of another strike than its column says', 'contradictory', CALL.symbol, neighbour],
] as const)('one row with %s is dropped as %s, the rest is used', (_, reason, column, value) => {
  const whole = cleanChain(readChain(csv, 'SPX'));
  const text = editRow(30, (row) => {
    row[column] = value;
  });
  const chain = cleanChain(readChain(text, 'SPX'));
  expect(chain.dropped).toEqual({ [reason]: 1 });
  expect(chain.contracts).toBe(whole.contracts - 1);
});

test.each([
  ['strike', 11, '6000.50'],
  ['strike in words', 11, 'six'],
  ['expiry', 0, 'Mon Nov 23 2026'],
])('a row whose column says another %s than its symbols is dropped, both its contracts', (_, column, value) => {
  const whole = cleanChain(readChain(csv, 'SPX'));
  const text = editRow(30, (row) => {
    row[column] = value;
  });
  const chain = cleanChain(readChain(text, 'SPX'));
  expect(chain.dropped).toEqual({ contradictory: 2 });
  expect(chain.contracts).toBe(whole.contracts - 2);
});

test.each([
  ['no strike', 11, ''],
  ['no expiry', 0, ''],
  ['an expiry in another wording', 0, '2026-11-23'],
])('a row with %s beside its symbols is taken at their word', (_, column, value) => {
  const text = editRow(30, (row) => {
    row[column] = value;
  });
  expect(cleanChain(readChain(text, 'SPX')).dropped).toEqual({});
});

test('of two rows that name one contract the first is kept', () => {
  const document = quotesDocument();
  document.data.options.push({ ...document.data.options[0]!, open_interest: 999 });
  const chain = cleanChain(readCboeJson(document, 'SPX'));
  expect(chain.dropped).toEqual({ duplicate: 1 });
  expect(chain.columns.openInterest.includes(999)).toBe(false);
});

test('an ask under intrinsic value drops the contract before any number is made from it', () => {
  const text = editRow(3, (row) => {
    row[CALL.bid] = '1.00';
    row[CALL.ask] = '1.10';
  });
  const { quality } = analyzeChain(cleanChain(readChain(text, 'SPX')), { advUsd: 400e9 });
  expect(quality.dropped).toEqual({ below_intrinsic: 1 });
});

test('columns lie by time to settlement, strike, call before put, over one shared buffer', () => {
  const chain = cleanChain(readChain(csv, 'SPX'));
  const { expiry, strike, isCall } = chain.columns;
  for (let i = 1; i < chain.contracts; i++) {
    const order = expiry[i]! - expiry[i - 1]! || strike[i]! - strike[i - 1]! || isCall[i - 1]! - isCall[i]!;
    expect(order).toBeGreaterThan(0);
  }
  const years = chain.expiries.map((one) => one.years);
  expect(years).toEqual(years.toSorted((a, b) => a - b));
  expect(Object.values(chain.columns).every((column) => column.buffer === strike.buffer)).toBe(true);
  expect(strike.buffer).toBeInstanceOf(SharedArrayBuffer);
});

test('SPX and SPXW of one day settle apart: 09:30 and 16:00 in New York', () => {
  const document = quotesDocument();
  document.data.options.push({ ...document.data.options[0]!, option: 'SPX261218C05900000' });
  const { expiries } = cleanChain(readCboeJson(document, 'SPX'));
  expect(expiries.map(({ root, settlement, settlesAt }) => [root, settlement, settlesAt])).toEqual([
    ['SPX', 'am', '2026-12-18T14:30:00.000Z'],
    ['SPXW', 'pm', '2026-12-18T21:00:00.000Z'],
  ]);
});

test('packing and unpacking gives the same chain, from a buffer at any offset', () => {
  const chain = cleanChain(readChain(csv, 'SPX'));
  const packed = packChain(chain);
  for (const offset of [0, 1, 7]) {
    const room = new Uint8Array(packed.length + offset);
    room.set(packed, offset);
    const back = unpackChain(room.subarray(offset));
    expect(back).toEqual(chain);
    expect(back.columns.strike.buffer).toBeInstanceOf(SharedArrayBuffer);
  }
});

test('bytes of another version, cut short or changed in their header are refused', () => {
  const packed = packChain(cleanChain(readChain(csv, 'SPX')));
  const other = packed.slice();
  other[0] = 9;
  for (const bytes of [other, packed.subarray(0, 100), packed.subarray(0, packed.length - 8), new Uint8Array(3)]) {
    expect(() => unpackChain(bytes)).toThrow(AppError);
  }
});

test('fuzz: packed bytes with any bytes changed unpack or are refused, and nothing else is thrown', () => {
  const packed = packChain(cleanChain(readCboeJson(quotesDocument(), 'SPX')));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(packed.length - 1), fc.nat(255)), { maxLength: 6 }),
      fc.nat(packed.length),
      (changes, cut) => {
        const bytes = packed.slice(0, cut % 3 === 0 ? cut : packed.length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        expect(isAnsweredOrRefused(() => analyzeChain(unpackChain(bytes), { advUsd: 1e9 }))).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

/** Whether a run ends in finite numbers or in `invalid_chain`; what else it throws goes on to the caller. */
function isAnsweredOrRefused(run: () => unknown): boolean {
  try {
    expectFinite(run());
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'invalid_chain' && JSON.stringify(error.details).length > 2;
  }
}

/** No NaN and no Infinity anywhere: JSON would turn both into a null that means something else. */
function expectFinite(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('a number is not finite');
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) expectFinite(part);
}

const rubbish = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -1, 1e300, -1e300, 5e-324, Number.MAX_SAFE_INTEGER, 1e7, 1e9),
  fc.string(),
  fc.constant(null),
  fc.constant(undefined),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.object({ maxDepth: 1 }),
);
const fields = fc.constantFrom('option', 'bid', 'ask', 'iv', 'open_interest', 'volume');
const tops = fc.constantFrom('timestamp', 'symbol', 'data', 'data.symbol', 'data.current_price', 'data.options');

test('fuzz: a document with any values anywhere is analysed in finite numbers or refused with invalid_chain', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(5), fields, rubbish), { maxLength: 8 }),
      fc.option(fc.tuple(tops, rubbish), { freq: 4 }),
      (rows, top) => {
        const document: Record<string, unknown> & { data: Record<string, unknown> } = quotesDocument();
        const { options } = document.data;
        for (const [row, field, value] of rows) if (Array.isArray(options)) options[row][field] = value;
        if (top) {
          const [path, value] = top;
          const target = path.startsWith('data.') ? document.data : document;
          target[path.replace('data.', '')] = value;
        }
        expect(
          isAnsweredOrRefused(() => analyzeChain(cleanChain(readCboeJson(document, 'SPX')), { advUsd: 400e9 })),
        ).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

test('fuzz: any text, and the CSV with any part replaced, is analysed or refused with invalid_chain', () => {
  const small = csv.split('\n').slice(0, 30).join('\n');
  fc.assert(
    fc.property(fc.nat(small.length), fc.nat(40), fc.string({ unit: 'binary', maxLength: 30 }), (at, length, text) => {
      expect(isAnsweredOrRefused(() => analyzeChain(cleanChain(readChain(text, 'SPX')), { advUsd: 400e9 }))).toBe(true);
      const changed = small.slice(0, at) + text + small.slice(at + length);
      expect(isAnsweredOrRefused(() => analyzeChain(cleanChain(readChain(changed, 'SPX')), { advUsd: 400e9 }))).toBe(
        true,
      );
    }),
    { numRuns: 600 },
  );
});

test('fuzz: any JSON value is refused with invalid_chain', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(isAnsweredOrRefused(() => cleanChain(readCboeJson(value, 'SPX')))).toBe(true);
    }),
  );
});
