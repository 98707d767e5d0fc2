import type { FlowContract, FlowState, FlowSums } from './flow-state.ts';

/** With fewer contracts traded, how one-sided customers are cannot be told from chance. */
const LEAST_CONTRACTS = 20;

/**
 * The dealers' change and its variance, from the sums of a contract.
 *
 * Let customers buy with a share of (1 + θ)/2 in this contract, where θ is 0 on average and has the variance
 * `oneSidedness` over contracts. Then net = −Σ v·e has the variance τ²U² + Q − τ²R and, with the true change, the
 * covariance τ²UV + Q(1 − τ²), which give the best linear estimate and its error (V = Σv, W = Σv², U = Σve²,
 * Q = Σv²e², R = Σv²e⁴).
 *
 * At τ² = 0 that is the definition as it stands (analytics.md 1.4): mean −Σ v·λx, variance Σ v²(1 − (λx)²). It takes
 * each trade for a toss of its own, and so shrinks a flow that is one-sided throughout to λ² of its true size.
 */
export function flowMoments(sums: FlowSums, oneSidedness: number): { mean: number; variance: number } {
  const { net, volume, squares, signal, signalSquares, signalFourths } = sums;
  const rest = 1 - oneSidedness;
  const seen = oneSidedness * signal * signal + signalSquares - oneSidedness * signalFourths;
  const shared = oneSidedness * signal * volume + signalSquares * rest;
  const all = oneSidedness * volume * volume + squares * rest;
  const gain = seen > 0 ? shared / seen : 1;
  // What is certain has no variance but that of rounding.
  const left = all - gain * shared;
  return { mean: gain * net, variance: left > 1e-12 * all ? left : 0 };
}

/** The tape's own τ², 0 to 1, by moments: Σ(net² − Q)/Σ(U² − R) over its contracts; 0 under twenty contracts. */
export function flowOneSidedness({ contracts }: Pick<FlowState, 'contracts'>): number {
  const traded = Object.values<FlowContract>(contracts).filter(({ sums }) => sums.signal > 0);
  if (traded.length < LEAST_CONTRACTS) return 0;
  let [excess, scale] = [0, 0];
  for (const { sums } of traded) {
    excess += sums.net ** 2 - sums.signalSquares;
    scale += sums.signal ** 2 - sums.signalFourths;
  }
  return scale > 0 ? Math.min(Math.max(excess / scale, 0), 1) : 0;
}
