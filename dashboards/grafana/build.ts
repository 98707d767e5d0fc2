import {
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  MappingType,
  QueryVariableBuilder,
  RowBuilder,
  TextBoxVariableBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as LinesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import type { Board, BoardSection, Choice, PanelRow } from '#dashboards/grafana/boards/board.ts';

const source = { type: 'prometheus', uid: '${datasource}' };
/** Sizes in the grid's 24 columns, and in rows of 30 pixels. */
const sizes = { stat: { width: 4, height: 4 }, lines: { width: 8, height: 8 } } as const;

/** The dashboard of a board as Grafana reads it. */
export function buildDashboard({ name, title, about, choices, sections }: Board): Dashboard {
  const builder = new DashboardBuilder(`Proofline: ${title}`)
    .uid(`proofline-${name}`)
    .description(about)
    .tags(['proofline'])
    .timezone('browser')
    .refresh('30s')
    .time({ from: 'now-3h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .readonly()
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(
      new TextBoxVariableBuilder('runbook')
        .label('Runbook')
        .description('Where deploy/RUNBOOK.md can be read: links lead there')
        .defaultValue('/public/RUNBOOK.md'),
    )
    .link(
      new DashboardLinkBuilder('Proofline')
        .type(DashboardLinkType.Dashboards)
        .tags(['proofline'])
        .asDropdown(true)
        .keepTime(true),
    );
  for (const choice of choices) builder.withVariable(choiceOf(choice));
  let last = 0;
  for (const section of sections) addSection(builder, section, () => ++last);
  return builder.build();
}

function addSection(builder: DashboardBuilder, { title, panels, closed }: BoardSection, nextId: () => number): void {
  const row = new RowBuilder(title).id(nextId());
  const built = panels.map((panel) => panelOf(panel).id(nextId()));
  if (closed) for (const panel of built) row.withPanel(panel);
  builder.withRow(row.collapsed(closed === true));
  if (!closed) for (const panel of built) builder.withPanel(panel);
}

function choiceOf({ name, title, metric, label }: Choice): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(title)
    .datasource(source)
    .query(`label_values(${metric}, ${label})`)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .multi(true)
    .includeAll(true)
    .allValue('.+')
    .current({ text: 'All', value: '$__all' });
}

function panelOf(row: PanelRow): LinesBuilder | StatBuilder {
  return row.kind === 'stat' ? statOf(row) : linesOf(row);
}

function statOf(row: PanelRow): StatBuilder {
  const panel = new StatBuilder()
    .span(sizes.stat.width)
    .height(sizes.stat.height)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
  return furnish(panel, row, true);
}

function linesOf(row: PanelRow): LinesBuilder {
  const panel = new LinesBuilder()
    .span(sizes.lines.width)
    .height(sizes.lines.height)
    .fillOpacity(8)
    .lineWidth(1)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
  return furnish(isZeroBased(row) ? panel.min(0) : panel, row, false);
}

/** Checks whether an axis begins at zero: that of a figure that cannot be below it. An estimate may say -1. */
function isZeroBased({ targets }: PanelRow): boolean {
  return targets.every(([expr]) => !expr.includes('drain'));
}

function furnish<B extends LinesBuilder | StatBuilder>(panel: B, row: PanelRow, instant: boolean): B {
  panel.title(row.title).description(row.about).datasource(source).unit(row.unit).thresholds(thresholdsOf(row));
  for (const [index, [expr, legend]] of row.targets.entries()) {
    const query = new DataqueryBuilder()
      .refId(String.fromCodePoint(65 + index))
      .expr(expr)
      .legendFormat(legend)
      .datasource(source);
    panel.withTarget(instant ? query.instant() : query.range());
  }
  if (row.words)
    panel.mappings([
      {
        type: MappingType.ValueToText,
        options: Object.fromEntries(Object.entries(row.words).map(([value, text]) => [value, { text }])),
      },
    ]);
  if (row.anchor !== undefined)
    panel.links([new DashboardLinkBuilder('What to do').url(`\${runbook}#${row.anchor}`).targetBlank(true)]);
  return panel;
}

function thresholdsOf({ bounds }: PanelRow): ThresholdsConfigBuilder {
  const builder = new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute);
  if (!bounds) return builder.steps([{ value: null, color: 'green' }]);
  const { warn, bad, below } = bounds;
  return builder.steps(
    below
      ? [
          { value: null, color: 'red' },
          { value: bad, color: 'orange' },
          { value: warn, color: 'green' },
        ]
      : [
          { value: null, color: 'green' },
          { value: warn, color: 'orange' },
          { value: bad, color: 'red' },
        ],
  );
}
