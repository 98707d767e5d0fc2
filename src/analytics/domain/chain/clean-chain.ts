import { type Chain, type ChainExpiry, columnBytes, viewColumns } from './chain.ts';
import { createExpiryTable, type ExpiryTable } from './expiry-table.ts';
import { osiIsCall, osiSeries, osiStrike } from './osi-symbol.ts';
import { invalidChain, type RawChain, type RawContract } from './raw-chain.ts';
import { markets } from './symbols.ts';

/** A checked contract of one expiry. */
interface Row {
  readonly contract: RawContract;
  readonly strike: number;
  readonly isCall: boolean;
  readonly expiry: number;
}

/** Room for the place of a row beside its strike, in the 53 bits of a number. */
const PLACES = 2 ** 20;

/**
 * The rows of an expiry by strike, calls first, equals in their old order. Strike and place are packed in one number,
 * because sorting a typed array is several times as fast as sorting objects with a comparison.
 */
function sortStrikes(rows: readonly Row[]): Row[] {
  const keys = Float64Array.from(rows, ({ strike, isCall }, place) => {
    return (Math.round(strike * 1000) * 2 + (isCall ? 0 : 1)) * PLACES + place;
  });
  return Array.from(keys.toSorted(), (key) => rows[key % PLACES]!);
}

/** Keeps the first of the rows that name the same contract. The rows are sorted. */
function withoutDuplicates(rows: readonly Row[]): Row[] {
  return rows.filter(({ strike, isCall }, i) => {
    const before = rows[i - 1];
    return before === undefined || before.strike !== strike || before.isCall !== isCall;
  });
}

/** Why a row of the source is left out before any number is computed from it. */
type DropReason =
  | 'malformed_symbol'
  | 'foreign_root'
  | 'contradictory'
  | 'duplicate'
  | 'expired'
  | 'bad_quote'
  | 'crossed_quote'
  | 'bad_open_interest';

/** No open interest or price of a listed option comes near these: beyond them sums could overflow. */
const MAX_CONTRACTS = 1e9;
const MAX_PRICE = 1e7;
/** Ten times the longest chain listed; more is not a chain. */
const MAX_ROWS = 300_000;

/**
 * Checks every row of a raw chain: bad rows are dropped and counted by reason, the rest become columns.
 *
 * @throws AppError `invalid_chain` where nothing usable is left, or the whole is of another underlying.
 */
export function cleanChain(input: RawChain): Chain {
  const raw = { ...input, name: plainText(input.name) };
  if (!(raw.spot > 0 && raw.spot < MAX_PRICE)) throw invalidChain('spot', 'a positive number', raw.spot);
  if (!Number.isFinite(raw.asOf)) throw invalidChain('as_of', 'an instant', raw.asOf);
  const count = raw.contracts.length;
  if (!(count > 0 && count <= MAX_ROWS)) throw invalidChain('contracts', `1 to ${MAX_ROWS}`, count);
  const dropped: Partial<Record<DropReason, number>> = {};
  const expiries = createExpiryTable(raw);
  const buckets: Row[][] = [];
  for (const contract of raw.contracts) {
    const row = checkRow(contract, expiries);
    if (typeof row === 'string') dropped[row] = (dropped[row] ?? 0) + 1;
    else (buckets[row.expiry] ??= []).push(row);
  }
  // An expiry of which every row was dropped leaves a hole: it is not part of the chain.
  const order = [...buckets.keys()]
    .filter((e) => buckets[e] !== undefined)
    .toSorted((a, b) => expiries.list[a]!.years - expiries.list[b]!.years);
  const sorted = order.map((e) => sortStrikes(buckets[e]!));
  const rows = sorted.map(withoutDuplicates);
  const total = rows.reduce((sum, { length }) => sum + length, 0);
  const duplicates = sorted.reduce((sum, { length }) => sum + length, 0) - total;
  if (duplicates > 0) dropped.duplicate = duplicates;
  refuseUnusable(raw, rows, dropped);
  return toChain(raw, rows, { expiries: order.map((e) => expiries.list[e]!), dropped, total });
}

function checkRow(contract: RawContract, expiries: ExpiryTable): Row | DropReason {
  const expiry = expiries.indexOf(osiSeries(contract.symbol));
  if (typeof expiry === 'string') return expiry;
  const isCall = osiIsCall(contract.symbol);
  const strike = osiStrike(contract.symbol);
  if (isCall === null || !(strike > 0)) return 'malformed_symbol';
  if (contradicts(contract, strike, expiries.list[expiry]?.date)) return 'contradictory';
  return quoteFault(contract) ?? { contract, strike, isCall, expiry };
}

/**
 * Checks whether a row names another contract beside its symbol than by it. It is not known which of the two is right,
 * and quotes of one contract under the name of another are worse than none.
 */
function contradicts({ stated }: RawContract, strike: number, date: string | undefined): boolean {
  return (stated.strike !== null && stated.strike !== strike) || (stated.date !== null && stated.date !== date);
}

function quoteFault({ bid, ask, openInterest }: RawContract): DropReason | null {
  if (!(openInterest >= 0 && openInterest <= MAX_CONTRACTS)) return 'bad_open_interest';
  if (!(bid >= 0 && ask >= 0 && bid <= MAX_PRICE && ask <= MAX_PRICE)) return 'bad_quote';
  return bid > ask ? 'crossed_quote' : null;
}

type Counts = Readonly<Partial<Record<DropReason, number>>>;

/** A chain without one contract, or without one two-sided quote, says nothing about any volatility. */
function refuseUnusable(raw: RawChain, rows: readonly (readonly Row[])[], dropped: Counts): void {
  if (dropped.foreign_root === raw.contracts.length) {
    throw invalidChain('symbol', `contracts of ${raw.symbol}`, raw.contracts[0]?.symbol, { dropped });
  }
  if (rows.length === 0) {
    const [reason = 'none'] = Object.entries(dropped).toSorted((a, b) => b[1] - a[1])[0] ?? [];
    throw invalidChain('contracts', 'at least one usable', `0 of ${raw.contracts.length}, mostly ${reason}`, {
      dropped,
    });
  }
  if (!rows.some((bucket) => bucket.some(({ contract }) => contract.bid > 0 && contract.ask > 0))) {
    throw invalidChain('quotes', 'at least one two-sided quote', 0, { dropped });
  }
}

interface Rest {
  readonly expiries: readonly ChainExpiry[];
  readonly dropped: Counts;
  readonly total: number;
}

/** Columns in the order expiry, strike, call before put: the two sides of a strike lie next to each other. */
function toChain(raw: RawChain, rows: readonly (readonly Row[])[], { expiries, dropped, total }: Rest): Chain {
  const columns = viewColumns(new SharedArrayBuffer(columnBytes(total)), total);
  let i = 0;
  for (const [e, bucket] of rows.entries()) {
    for (const { contract, strike, isCall } of bucket) {
      columns.strike[i] = strike;
      columns.bid[i] = contract.bid;
      columns.ask[i] = contract.ask;
      columns.openInterest[i] = contract.openInterest;
      columns.volume[i] = contract.volume >= 0 && contract.volume <= MAX_CONTRACTS ? contract.volume : 0;
      columns.quotedIv[i] = contract.iv > 0 && contract.iv < Infinity ? contract.iv : Number.NaN;
      columns.expiry[i] = e;
      columns.isCall[i] = isCall ? 1 : 0;
      i++;
    }
  }
  return {
    symbol: raw.symbol,
    name: raw.name,
    source: raw.source,
    asOf: new Date(raw.asOf).toISOString(),
    spot: raw.spot,
    multiplier: markets[raw.symbol].multiplier,
    contracts: total,
    columns,
    expiries,
    dropped,
  };
}

/** A name as it can be stored and shown: no control characters, no lone surrogates. */
function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .toWellFormed()
    .trim();
}
