/** One thing that is drawn: an expression, and what its series are called (`{{label}}`). */
export type Target = readonly [expr: string, legend: string];

export interface PanelRow {
  readonly title: string;
  /** Meaning of the panel, and its normal values. */
  readonly about: string;
  /** lines over time; stat: one number, coloured by its bounds. */
  readonly kind: 'lines' | 'stat';
  /** As Grafana names them; `short` is a count, `cps`, `reqps` and `eps` are counts, requests and events a second. */
  readonly unit: 'none' | 'short' | 's' | 'percentunit' | 'cps' | 'reqps' | 'eps' | 'bytes' | 'Bps' | 'currencyUSD';
  readonly targets: readonly Target[];
  /** From here on it deserves a look, and from there on something is wrong. `below`: the other way round. */
  readonly bounds?: { readonly warn: number; readonly bad: number; readonly below?: true };
  /** Section of deploy/RUNBOOK.md. */
  readonly anchor?: string;
  /** Numbers that stand for words. */
  readonly words?: Readonly<Record<string, string>>;
}

export interface BoardSection {
  readonly title: string;
  readonly panels: readonly PanelRow[];
  /** Closed until a reader opens it. */
  readonly closed?: true;
}

/** A choice at the top of a board: the values that a label of a metric has. */
export interface Choice {
  readonly name: string;
  readonly title: string;
  readonly metric: string;
  readonly label: string;
}

export interface Board {
  /** File name and, behind `proofline-`, the uid. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly choices: readonly Choice[];
  readonly sections: readonly BoardSection[];
}

/** Panel of how fast an error budget burns: 1 uses it up in just a month. */
export function burnPanel(slo: string, title: string, legend: string, matcher = ''): PanelRow {
  const of = `{slo="${slo}"${matcher}}`;
  return {
    title,
    about:
      'Share of what was bad in the last hour, divided by the share that may be. 1 uses up the budget of a month in a month; an operator is paged at 14.4.',
    kind: 'lines',
    unit: 'none',
    targets: [[`slo:proofline_errors:ratio_rate1h${of} / slo:proofline_error_budget:ratio${of}`, legend]],
    bounds: { warn: 1, bad: 14.4 },
    anchor: `${slo}-burns`,
  };
}
