/** One metric of ours, as the tables list it. */
export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds in the unit of the name. */
  readonly buckets?: readonly number[];
}
