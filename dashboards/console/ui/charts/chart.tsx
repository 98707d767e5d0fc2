import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Fault } from '#console/ui/states/fault.tsx';
import classes from './chart.module.css';
import type { ChartOption, DrawnChart } from './echarts.ts';

interface Props {
  /** Option that ECharts draws; colours of texts, axes and lines come with the scheme unless it names its own. */
  readonly option: ChartOption;
  /** Contents of the chart in a sentence, for screen readers. */
  readonly label: string;
  /** CSS height. */
  readonly height?: string;
  /** Draws only what has changed; false where series come and go. */
  readonly merge?: boolean;
}

/** A chart. The library is loaded with the first one that is shown. */
export function Chart({ option, label, height = '16rem', merge = true }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const scheme = useComputedColorScheme('light');
  const [isDrawn, setDrawn] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const draw = useEffectEvent(() => drawn.current?.set(option, false));

  useEffect(() => {
    let gone = false;
    const start = async () => {
      const { drawChart } = await import('./echarts.ts');
      if (gone || !place.current) return;
      drawn.current = drawChart(place.current, scheme);
      draw();
      setDrawn(true);
    };
    start().catch((reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))));
    return () => {
      gone = true;
      drawn.current?.end();
      drawn.current = null;
    };
  }, [scheme]);
  useEffect(() => drawn.current?.set(option, merge), [option, merge]);

  if (error) return <Fault error={error} />;
  return (
    <div
      ref={place}
      className={classes['chart']}
      style={{ height }}
      role="img"
      aria-label={label}
      data-loading={!isDrawn || undefined}
    />
  );
}
