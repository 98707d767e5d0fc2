/** A series that Prometheus computes from others and keeps. */
export interface Recording {
  /** `level:metric:operation`, as Prometheus' own naming has it. */
  readonly record: string;
  readonly expr: string;
  /** Labels that the series have. */
  readonly by: readonly string[];
  /** Labels among them that the rule itself sets. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Values of series by their name with labels, in promtool's notation: `0+1x60`. One value a minute. */
export type SeriesValues = Readonly<Record<string, string>>;

/** Proof of an alert. */
export interface Trial {
  /** Series under which it fires. */
  readonly firing: SeriesValues;
  /** Series under which it does not, though they are nearly those. */
  readonly calm: SeriesValues;
  /** Time of the check, from the start of the series. */
  readonly at: string;
  /** Labels of each alert that fires, beside those of its rule. */
  readonly fires: readonly Readonly<Record<string, string>>[];
  /** Text of `$value` in the annotations, where they show it. */
  readonly value?: string;
}

export interface Alert {
  readonly name: string;
  /** critical: pages an operator; warning: for the next working day; none: for the pager's own health. */
  readonly severity: 'critical' | 'warning' | 'none';
  readonly expr: string;
  /** Time that the expression must hold before the alert fires. */
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** One sentence: what is wrong. */
  readonly summary: string;
  /** Meaning of the alert, and what to do first. */
  readonly description: string;
  /** Anchor of its section in deploy/RUNBOOK.md. */
  readonly anchor: string;
  readonly trial: Trial;
}

/** An alert that is the same for several things: one rule each, proven together. */
export interface AlertFamily extends Omit<Alert, 'expr' | 'labels' | 'trial'> {
  readonly rules: readonly Pick<Alert, 'expr' | 'labels'>[];
  readonly trial: Trial;
}
