import type { OptionTrade } from '#src/analytics/domain/tapes/option-trade.ts';
import { type FlowContract, type FlowState, unseenContract } from './flow-state.ts';
import { nextTick, publishedRule, type SigningRule, signTrade } from './sign-trade.ts';

export interface ApplyOptions {
  /** Epoch milliseconds: trades stamped later are left for a later call. */
  readonly asOf: number;
  readonly rule?: SigningRule;
}

/**
 * Adds trades of the state's day: each of v contracts changes the dealers' expected inventory by −v·λx and its variance
 * by v²(1 − (λx)²), the variance of a side that is +1 or −1 with mean λx (`flowMoments` says what more the sums tell).
 * Each trade must be given once, in any number of calls; the sums do not depend on their order, save where the tick
 * rule signs.
 */
export function applyTrades(state: FlowState, trades: readonly OptionTrade[], options: ApplyOptions): FlowState {
  const contracts: Record<string, FlowContract> = { ...state.contracts };
  const rule = options.rule ?? publishedRule;
  const known = trades.filter(({ time }) => time <= options.asOf).toSorted((a, b) => a.time - b.time);
  for (const trade of known) {
    contracts[trade.contract] = addTrade(contracts[trade.contract] ?? unseenContract(0), trade, rule);
  }
  return { ...state, contracts };
}

function addTrade(contract: FlowContract, trade: OptionTrade, rule: SigningRule): FlowContract {
  // A trade that came late knows nothing of the price before it, and must not become the price before later ones.
  const inOrder = trade.time >= contract.lastTime;
  const tick = inOrder && !trade.complex ? nextTick(contract.tick, contract.lastPrice, trade.price) : contract.tick;
  const sign = signTrade(trade, inOrder ? tick : 0, rule);
  const { sums, today } = contract;
  const { size } = trade;
  const [net, square, power] = [-size * sign, size * size, sign * sign];
  const next = {
    ...contract,
    sums: {
      net: sums.net + net,
      volume: sums.volume + size,
      squares: sums.squares + square,
      signal: sums.signal + size * power,
      signalSquares: sums.signalSquares + square * power,
      signalFourths: sums.signalFourths + square * power * power,
    },
    today: {
      volume: today.volume + size,
      net: today.net + net,
      variance: today.variance + square * (1 - power),
    },
  };
  return inOrder && !trade.complex ? { ...next, tick, lastPrice: trade.price, lastTime: trade.time } : next;
}
