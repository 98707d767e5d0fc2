import { type DayFlow, type FlowContract, type FlowState, unseenContract } from './flow-state.ts';
import type { OptionTrade } from './option-trade.ts';
import { nextTick, publishedRule, type SigningRule, signTrade } from './sign-trade.ts';

export interface ApplyOptions {
  /** Epoch milliseconds: trades stamped later are left for a later call. */
  readonly asOf: number;
  readonly rule?: SigningRule;
}

/**
 * Adds trades of the state's day: each of v contracts changes the dealers' expected inventory by −v·λx and its variance
 * by v²(1 − (λx)²), the variance of a side that is +1 or −1 with mean λx. Each trade must be given once, in any number
 * of calls; the sum does not depend on their order, save where the tick rule signs.
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
  const net = -trade.size * sign;
  const variance = trade.size * trade.size * (1 - sign * sign);
  const next = {
    ...contract,
    net: contract.net + net,
    variance: contract.variance + variance,
    today: addFlow(contract.today, { volume: trade.size, net, variance }),
  };
  return inOrder && !trade.complex ? { ...next, tick, lastPrice: trade.price, lastTime: trade.time } : next;
}

function addFlow(a: DayFlow, b: DayFlow): DayFlow {
  return { volume: a.volume + b.volume, net: a.net + b.net, variance: a.variance + b.variance };
}
