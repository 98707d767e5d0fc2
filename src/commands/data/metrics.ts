import { Command, Option } from 'commander';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { metricTable } from '#src/system/metrics/metric-table.ts';

const help = `
Examples:
  $ npm run proofline -- metrics
  $ npm run --silent proofline -- metrics --markdown > docs/metrics.md

Exit codes: 0 done; 2 wrong use.`;

interface Row {
  readonly kind: string;
  readonly help: string;
  readonly labels: readonly string[];
}

const rows = (): [string, Row][] => Object.entries<Row>(metricTable);

export function metricsCommand(): Command {
  return withJson(new Command('metrics').description('list every metric: its name, kind, labels and meaning'))
    .addOption(new Option('--markdown', 'as docs/metrics.md has them').conflicts('json'))
    .addHelpText('after', help)
    .action((options: Printing & { markdown?: boolean }) =>
      print(options, metricsList(), options.markdown ? metricsMarkdown : metricsText),
    );
}

function metricsList() {
  return rows().map(([name, { kind, labels, help: about }]) => ({ name, kind, labels, about }));
}

function metricsText(): string {
  return rows()
    .map(([name, row]) => `${name}{${row.labels.join(',')}}  ${row.kind}\n    ${row.help}\n`)
    .join('');
}

/** The text of `docs/metrics.md`. */
export function metricsMarkdown(): string {
  return [
    '# Metrics',
    '',
    'Rendered from `src/system/metrics/metric-table.ts` by `proofline metrics --markdown`; a test holds the two equal, and another',
    'that every process exposes the metrics listed here and nothing else of ours. Each process serves `/metrics` on its own',
    '`METRICS_PORT`; beside these stand prom-client’s `process_*` and `nodejs_*`. Seconds are seconds, ratios are 0 to 1.',
    '',
    '| metric | kind | labels | meaning |',
    '| --- | --- | --- | --- |',
    ...rows().map(
      ([name, row]) =>
        `| \`${name}\` | ${row.kind} | ${row.labels.map((label) => `\`${label}\``).join(' ')} | ${row.help} |`,
    ),
    '',
  ].join('\n');
}
