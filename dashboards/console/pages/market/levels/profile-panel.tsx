import { SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { Legend } from '#console/pages/market/parts/legend.tsx';
import { Section } from '#console/pages/market/parts/section.tsx';
import classes from '#console/pages/market/parts/two-parts.module.css';
import { type Levels, useLevels } from '#console/pages/market/parts/use-levels.ts';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { Chart } from '#console/ui/charts/chart.tsx';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { FiguresTable } from '#console/ui/data/figures-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { dollars, points, signedDollars, words } from '#src/lib/charts/figures.ts';
import { levelLabels } from '#src/lib/charts/level-labels.ts';
import { type NamedLevel, namedLevels, reaches, reachFor } from '#src/lib/charts/named-levels.ts';
import { profileLegend, profileOption, profileRange } from '#src/lib/charts/profile-option.ts';
import { LevelHeads } from './level-heads.tsx';
import { LevelLadder } from './level-ladder.tsx';

/** Places of the plots: the page says around them what they show. */
const places = { left: 64, right: 16, curve: { top: 6, height: '60%' }, bars: { bottom: 38, height: '24%' } } as const;

/** Net gamma over spot with every flip and wall, and the levels as a ladder. */
export function ProfilePanel(props: ViewProps) {
  const { symbol, generation } = props;
  const [percent, setPercent] = useState<number | null>(null);
  const palette = usePalette();
  const { ref, width } = useElementSize();
  const now = useLevels(props);
  const levels = now ? namedLevels(now) : [];
  const reach = percent ?? reachFor(levels, now?.spot ?? 0);
  return (
    <div className={classes['parts']}>
      <Panel
        title="Gamma over spot"
        aside={
          <SegmentedControl
            size="xs"
            aria-label="Prices shown around spot"
            data={reaches.map((value) => ({ value: String(value), label: `±${value} %` }))}
            value={String(reach)}
            onChange={(value) => setPercent(Number(value))}
          />
        }
      >
        <div ref={ref}>
          <Section
            call="GET /v1/gex/{symbol}"
            input={{ path: { symbol }, query: { generation } }}
            what={`gamma profile of ${symbol}`}
          >
            {(gex, answer) => {
              if (!now || width === 0) return null;
              const range = profileRange(gex, reach);
              const layout = { ...places, width: width - places.left - places.right };
              const labels = levelLabels(levels, range, layout.width);
              const expected = now.levels.expected_range_1d;
              return (
                <>
                  <Legend
                    entries={profileLegend.map(({ tone, text }) => [tone, text])}
                    note={answer.units['gex'] ?? ''}
                  />
                  <LevelHeads labels={labels} left={layout.left} />
                  <Chart
                    option={profileOption({ gex, range, expected }, labels, palette, layout)}
                    label={sentence(symbol, now, levels)}
                    height="30rem"
                    merge={false}
                  />
                  <p className={classes['note']}>
                    <Freshness of={answer} />
                  </p>
                  <FiguresTable
                    label={`Gamma of ${symbol} by strike`}
                    rows={gex.profile_by_strike.filter(({ strike }) => strike >= range[0] && strike <= range[1])}
                    keyOf={({ strike }) => String(strike)}
                    columns={[
                      { title: 'Strike, points', cell: ({ strike }) => points(strike) },
                      { title: 'Calls', number: true, cell: ({ call_gex }) => signedDollars(call_gex) },
                      { title: 'Puts', number: true, cell: ({ put_gex }) => signedDollars(put_gex) },
                      { title: 'Net', number: true, cell: (row) => signedDollars(row.gex) },
                      {
                        title: 'Open interest, contracts',
                        number: true,
                        from: 'md',
                        cell: (row) => (row.call_open_interest + row.put_open_interest).toLocaleString('en-US'),
                      },
                    ]}
                  />
                </>
              );
            }}
          </Section>
        </div>
      </Panel>
      <LevelLadder levels={levels} spot={now?.spot ?? null} status={now?.flips.status ?? null} />
    </div>
  );
}

function sentence(symbol: string, now: Levels, levels: readonly NamedLevel[]): string {
  const list = levels.map(({ name, level }) => `${name} ${points(level)}`).join(', ');
  return `Net gamma of ${symbol} dealers over spot: ${dollars(now.netGex)} per +1 % now, regime ${words(now.regime?.state)}. Levels, points: ${list}.`;
}
