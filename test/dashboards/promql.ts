import { parser } from '@prometheus-io/lezer-promql';

/** A selection of series, as an expression has it. */
interface Selector {
  readonly metric: string;
  /** Labels that it asks for. */
  readonly matched: readonly string[];
}

export interface Parsed {
  /** Where the first thing stands that is no PromQL, from 0; undefined where all is. */
  readonly wrongAt: number | undefined;
  readonly selectors: readonly Selector[];
  /** Labels that results are grouped or joined by. */
  readonly grouped: readonly string[];
}

/** What an expression of PromQL names. Grafana's own variables are taken for what they stand for. */
export function parsePromql(expression: string): Parsed {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const selectors: { metric: string; matched: string[] }[] = [];
  const grouped: string[] = [];
  let wrongAt: number | undefined;
  parser.parse(text).iterate({
    enter: ({ node, name, type, from, to }) => {
      const written = text.slice(from, to);
      const parent = node.parent?.name;
      if (type.isError) wrongAt ??= from;
      else if (name === 'VectorSelector') selectors.push({ metric: '', matched: [] });
      else if (name === 'Identifier' && parent === 'VectorSelector') selectors.at(-1)!.metric = written;
      else if (name === 'LabelName' && parent === 'GroupingLabels') grouped.push(written);
      else if (name === 'LabelName') selectors.at(-1)?.matched.push(written);
    },
  });
  return { wrongAt, selectors, grouped };
}
