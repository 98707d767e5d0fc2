import { type RandomStream, randomStream } from '#src/analytics/domain/statistics/random.ts';
import { hawkesArrivals } from './arrivals.ts';
import type { DayBook } from './day-book.ts';
import { sessionMinutes, tradingDay } from './trading-index.ts';

/** Acts of a customer in a trade; a dealer takes the other side of every one. */
export const BUY_OPEN = 0;
const SELL_CLOSE = 1;
export const SELL_OPEN = 2;
const BUY_CLOSE = 3;

/** The trades of one session in the order of time, without their prices. */
export interface DayFlows {
  readonly count: number;
  /** Milliseconds after the opening. */
  readonly time: Float64Array;
  /** Index into the contracts of the day's book. */
  readonly contract: Uint32Array;
  readonly size: Float64Array;
  /** {@link BUY_OPEN} and its like. */
  readonly act: Uint8Array;
}

interface Order {
  readonly act: number;
  readonly size: number;
}

/** A contract's customers and the orders they still have. */
interface Desk {
  readonly orders: Order[];
  long: number;
  short: number;
}

/** Turnover of a contract with no days left, in multiples of what is open; less with every day. */
const TURNOVER = 0.6;
/** Contracts beyond which a day's quantity is cut into more orders. */
const TYPICAL_SIZE = 40;

/**
 * Trades that lead from the positions before a session to those after it. Customers hold `long` and `short` contracts,
 * the dealers n = short − long, and open are max(long, short); openings and closings in either direction take each of
 * them to its end, with some turnover beyond what is needed, and no customer ever closes more than its own position.
 */
export function dayFlows(book: DayBook, seed: string): DayFlows {
  const random = randomStream(`${seed}/${tradingDay(book.day)}/flows`);
  const desks = book.contracts.map((_, i) => openDesk(book, i, random));
  const total = desks.reduce((sum, { orders }) => sum + orders.length, 0);
  const contract = new Uint32Array(total);
  let filled = 0;
  for (const [i, { orders }] of desks.entries()) {
    contract.fill(i, filled, filled + orders.length);
    filled += orders.length;
  }
  shuffle(contract, random);
  const size = new Float64Array(total);
  const act = new Uint8Array(total);
  for (let slot = 0; slot < total; slot++) {
    const order = nextOrder(desks[contract[slot]!]!);
    size[slot] = order.size;
    act[slot] = order.act;
  }
  return { count: total, time: hawkesArrivals(random, sessionMinutes(book.day), total), contract, size, act };
}

/**
 * Returns the sign of the change that a customer's act makes in the dealers' position: opposite to the customer's side.
 */
export function dealerSign(act: number): 1 | -1 {
  return act === BUY_OPEN || act === BUY_CLOSE ? -1 : 1;
}

function openDesk(book: DayBook, i: number, random: RandomStream): Desk {
  const holders = (open: number, dealers: number): { long: number; short: number } => ({
    long: open - Math.max(dealers, 0),
    short: open - Math.max(-dealers, 0),
  });
  const before = holders(book.openBefore[i]!, book.dealersBefore[i]!);
  const after = holders(book.openAfter[i]!, book.dealersAfter[i]!);
  const { expiry, isCall } = book.contracts[i]!;
  const left = Math.max(Date.parse(expiry.date) - Date.parse(tradingDay(book.day)), 0) / 86_400_000;
  const churn = (): number =>
    Math.floor((book.openAfter[i]! * TURNOVER * random.uniform() ** 2) / (1 + left) ** (isCall ? 0.8 : 0.75));
  const longs = churn();
  const shorts = churn();
  const gain = { long: after.long - before.long, short: after.short - before.short };
  const orders: Order[] = [];
  const split = (act: number, contracts: number): void => splitOrders(orders, { act, size: contracts }, random);
  split(BUY_OPEN, Math.max(gain.long, 0) + longs);
  split(SELL_CLOSE, Math.max(-gain.long, 0) + longs);
  split(SELL_OPEN, Math.max(gain.short, 0) + shorts);
  split(BUY_CLOSE, Math.max(-gain.short, 0) + shorts);
  shuffle(orders, random);
  return { orders, ...before };
}

/** Cuts a quantity into few orders of very unlike size. */
function splitOrders(orders: Order[], { act, size }: Order, random: RandomStream): void {
  let left = size;
  for (let parts = 1 + Math.floor(Math.log2(1 + size / TYPICAL_SIZE)); left > 0; parts--) {
    const part = parts <= 1 ? left : Math.min(left, Math.max(1, Math.round(left * random.uniform() ** 2)));
    orders.push({ act, size: part });
    left -= part;
  }
}

/** Takes the last order that can be filled: openings always can, closings once there is enough to close. */
function nextOrder(desk: Desk): Order {
  const { orders } = desk;
  let place = orders.length - 1;
  while (place > 0 && !canFill(desk, orders[place]!)) place--;
  const order = orders[place]!;
  orders[place] = orders.at(-1)!;
  orders.pop();
  if (order.act === BUY_OPEN) desk.long += order.size;
  else if (order.act === SELL_CLOSE) desk.long -= order.size;
  else if (order.act === SELL_OPEN) desk.short += order.size;
  else desk.short -= order.size;
  return order;
}

function canFill({ long, short }: Desk, { act, size }: Order): boolean {
  return act === SELL_CLOSE ? long >= size : act === BUY_CLOSE ? short >= size : true;
}

/** Fisher and Yates's shuffle. */
function shuffle<T>(items: T[] | (Uint32Array & { [place: number]: T }), random: RandomStream): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random.uniform() * (i + 1));
    const kept = items[i]!;
    items[i] = items[j]!;
    items[j] = kept;
  }
}
