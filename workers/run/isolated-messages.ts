import type { Delivery } from '#src/jobs/broker/broker-names.ts';
import type { MetricName } from '#src/system/metrics/metric-table.ts';

/** Message of the isolated process to its parent. */
export type FromIsolated =
  | { readonly kind: 'ready' }
  /** It cannot start, and ends: a server is away, or the handlers cannot be imported. */
  | { readonly kind: 'unready'; readonly why: string }
  | { readonly kind: 'claimed'; readonly id: string; readonly attempt: number }
  | { readonly kind: 'done'; readonly id: string }
  | Counted;

/**
 * A counter or histogram of the isolated process moved; Prometheus does not scrape the isolated process, so its parent
 * counts.
 */
export interface Counted {
  readonly kind: 'counted';
  readonly name: MetricName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ToIsolated extends Delivery {
  readonly queue: string;
  readonly version: number;
}
