import { expect, test } from 'vitest';
import type { Attempt, Batch } from '#src/receipts/anchor/batch-store.ts';
import { decide, type Facts, IN_FLIGHT } from '#src/receipts/anchor/decide.ts';
import { bumpedFees, marketFees, replaces } from '#src/receipts/anchor/fees.ts';
import type { Found } from '#src/receipts/anchor/found-transaction.ts';

const BUMP_MS = 60_000;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  hash: hash('a'),
  nonce: 7,
  raw: '0x02',
  gas: 26_736n,
  maxFee: 100n,
  priorityFee: 10n,
  ageMs: 1_000,
  ...more,
});

const batch = (more: Partial<Batch> = {}): Batch => ({
  id: '01a20097-852c-7e38-9f61-d2b46c1550e5',
  status: 'signed',
  root: hash('1'),
  chain: 'eip155:31337',
  address: `0x${'b'.repeat(40)}`,
  nonce: 7,
  revision: 1,
  ageMs: 1_000,
  attempts: [attempt()],
  ...more,
});

const facts = (more: Partial<Facts> = {}): Facts => ({
  nonce: 7,
  finalNonce: 5,
  safe: 95,
  finalized: 90,
  found: [],
  known: true,
  ...more,
});

const found = (blockNumber: number, succeeded = true): Found => ({
  hash: hash('a'),
  blockNumber,
  blockHash: hash('c'),
  succeeded,
  gasUsed: 22_280n,
  fee: 1n,
});

test.each<[string, Batch, Facts, object]>([
  ['a new one is signed', batch({ status: 'new', nonce: null, attempts: [] }), facts(), { do: 'sign', why: 'first' }],
  ['one that the pool has waits', batch(), facts(), { do: 'wait' }],
  ['one that the pool has lost is sent again', batch(), facts({ known: false }), { do: 'send' }],
  [
    'one that is next in turn and old is bumped',
    batch({ attempts: [attempt({ ageMs: BUMP_MS })] }),
    facts(),
    { do: 'bump' },
  ],
  [
    'one that waits for others is not bumped, however old',
    batch({ attempts: [attempt({ ageMs: BUMP_MS })] }),
    facts({ nonce: 6 }),
    { do: 'wait' },
  ],
  ['the last of those in flight is sent', batch(), facts({ nonce: 7 - IN_FLIGHT + 1, known: false }), { do: 'send' }],
  ['the one behind it is not', batch(), facts({ nonce: 7 - IN_FLIGHT, known: false }), { do: 'wait' }],
  [
    'what is in a block is recorded',
    batch(),
    facts({ nonce: 8, found: [found(96)] }),
    { do: 'record', status: 'included' },
  ],
  ['a safe block', batch(), facts({ nonce: 8, found: [found(95)] }), { do: 'record', status: 'safe' }],
  ['a final block', batch(), facts({ nonce: 8, found: [found(90)] }), { do: 'record', status: 'finalized' }],
  [
    'a chain that tells no finality gives none',
    batch(),
    facts({ nonce: 8, safe: null, finalized: null, found: [found(1)] }),
    { do: 'record', status: 'included' },
  ],
  [
    'of several transactions the lowest counts',
    batch(),
    facts({ found: [found(91), found(96)] }),
    { do: 'record', status: 'safe', found: found(91) },
  ],
  ['what was included and is no more is lost', batch({ status: 'included' }), facts(), { do: 'lose' }],
  ['a nonce that somebody used is waited for', batch(), facts({ nonce: 8, finalNonce: 7 }), { do: 'wait' }],
  ['and given up when that is final', batch(), facts({ nonce: 9, finalNonce: 8 }), { do: 'sign', why: 'nonce_taken' }],
  ['and waited for while the node cannot say', batch(), facts({ nonce: 9, finalNonce: null }), { do: 'wait' }],
  [
    'a filler whose nonce is used is not needed',
    batch({ root: null }),
    facts({ nonce: 9, finalNonce: 8 }),
    { do: 'void' },
  ],
  [
    'a transaction that failed in its block anchors nothing',
    batch(),
    facts({ nonce: 9, finalNonce: 8, found: [found(90, false)] }),
    { do: 'sign', why: 'nonce_taken' },
  ],
])('%s', (_, given, says, expected) => {
  expect(decide(given, says, BUMP_MS)).toMatchObject(expected);
});

test('a bump is an eighth, rounded up, and no less than the market; it ends at the bound', () => {
  const market = marketFees(10n, 2n, 1_000n);
  expect(market).toEqual({ maxFee: 22n, priorityFee: 2n });
  expect(bumpedFees({ maxFee: 100n, priorityFee: 9n }, market, 1_000n)).toEqual({ maxFee: 113n, priorityFee: 11n });
  expect(bumpedFees({ maxFee: 10n, priorityFee: 1n }, market, 1_000n)).toEqual({ maxFee: 22n, priorityFee: 2n });
  const stuck = { maxFee: 1_000n, priorityFee: 9n };
  expect(bumpedFees(stuck, market, 1_000n)).toEqual({ maxFee: 1_000n, priorityFee: 11n });
  expect(replaces(bumpedFees(stuck, market, 1_000n), stuck)).toBe(false);
  expect(replaces({ maxFee: 113n, priorityFee: 11n }, { maxFee: 100n, priorityFee: 9n })).toBe(true);
  expect(replaces({ maxFee: 112n, priorityFee: 11n }, { maxFee: 100n, priorityFee: 9n })).toBe(false);
});
