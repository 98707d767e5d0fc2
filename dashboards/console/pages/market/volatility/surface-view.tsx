import { ActionIcon, Tooltip, useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Chart } from '#console/ui/charts/chart.tsx';
import type { ChartOption } from '#console/ui/charts/echarts.ts';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import type { AxisText, Shape } from './surface-grid.ts';
import type { SurfaceScene } from './surface-scene.ts';
import classes from './surface-view.module.css';

interface Props {
  readonly shape: Shape;
  /** Description of the drawing, for screen readers. */
  readonly label: string;
  /** The same from above, for browsers without WebGL. */
  readonly flat: ChartOption;
}

type Move = Parameters<SurfaceScene['move']>[0] | 'reset';

/** Actions of keys and buttons. */
const moves: readonly { readonly key: string; readonly sign: string; readonly title: string; readonly move: Move }[] = [
  { key: 'ArrowLeft', sign: '←', title: 'Turn left', move: { around: -0.16 } },
  { key: 'ArrowRight', sign: '→', title: 'Turn right', move: { around: 0.16 } },
  { key: 'ArrowUp', sign: '↑', title: 'Look from above', move: { over: -0.12 } },
  { key: 'ArrowDown', sign: '↓', title: 'Look from below', move: { over: 0.12 } },
  { key: '+', sign: '+', title: 'Nearer', move: { nearer: 0.88 } },
  { key: '-', sign: '−', title: 'Farther', move: { nearer: 1.14 } },
  { key: '0', sign: '⟲', title: 'As at first', move: 'reset' },
];

/**
 * The surface in three dimensions: turned by mouse, finger, keys or buttons. Its library is loaded when it is shown.
 */
export function SurfaceView({ shape, label, flat }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const texts = useRef<HTMLDivElement>(null);
  const scene = useRef<SurfaceScene | null>(null);
  const scheme = useComputedColorScheme('light');
  const [state, setState] = useState<'loading' | 'drawn' | 'missing' | Error>('loading');
  const show = useEffectEvent(() => scene.current?.show(shape.heights));
  const putTexts = useEffectEvent((where: (at: AxisText['at']) => { left: number; top: number }) => {
    for (const [i, element] of [...(texts.current?.children ?? [])].entries()) {
      const text = shape.texts[i];
      if (!text || !(element instanceof HTMLElement)) continue;
      const { left, top } = where(text.at);
      // all of a text stays to be read, however the surface is turned
      const half = element.offsetWidth / 2;
      const inside = Math.min(Math.max(left, half), (stage.current?.clientWidth ?? left) - half);
      element.style.transform = `translate(-50%, -50%) translate(${inside.toFixed(1)}px, ${top.toFixed(1)}px)`;
    }
  });

  useEffect(() => {
    let gone = false;
    const start = async () => {
      const { canDraw, drawSurface } = await import('./surface-scene.ts');
      if (gone || !place.current) return;
      if (!canDraw()) {
        setState('missing');
        return;
      }
      scene.current = drawSurface(place.current, scheme === 'dark' ? '#3a414e' : '#d5d9e0', putTexts);
      show();
      setState('drawn');
    };
    start().catch((reason: unknown) => setState(reason instanceof Error ? reason : new Error(String(reason))));
    return () => {
      gone = true;
      scene.current?.end();
      scene.current = null;
    };
  }, [scheme]);
  useEffect(() => scene.current?.show(shape.heights), [shape]);

  const go = (move: Move) => (move === 'reset' ? scene.current?.reset() : scene.current?.move(move));
  const press = useEffectEvent((event: KeyboardEvent) => {
    const found = moves.find(({ key }) => key === event.key || (key === '+' && event.key === '='));
    if (!found) return;
    event.preventDefault();
    go(found.move);
  });
  useEffect(() => {
    const on = stage.current;
    const hear = (event: KeyboardEvent) => press(event);
    on?.addEventListener('keydown', hear);
    return () => on?.removeEventListener('keydown', hear);
  }, []);
  if (state instanceof Error) return <Fault error={state} />;
  if (state === 'missing')
    return (
      <>
        <Empty title="This browser draws nothing in three dimensions">
          WebGL is missing or switched off, so this is the surface from above; to turn it, allow hardware acceleration
          in the browser’s settings.
        </Empty>
        <Chart option={flat} label={label} height="24rem" />
      </>
    );
  return (
    <>
      <div
        ref={stage}
        className={classes['stage']}
        data-drawn={state === 'drawn'}
        data-loading={state === 'loading' ? true : undefined}
        role="application"
        aria-label={`${label} Arrow keys turn it, plus and minus come nearer and farther, 0 shows it as at first.`}
        tabIndex={0}
      >
        <div ref={place} className={classes['place']} />
        <div ref={texts} className={classes['texts']} aria-hidden="true">
          {shape.texts.map(({ text, at, isTitle }) => (
            <span key={`${text} ${at.join(' ')}`} data-title={isTitle}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <div className={classes['moves']} role="group" aria-label="Turn the surface">
        {moves.map(({ key, sign, title, move }) => (
          <Tooltip key={key} label={title}>
            <ActionIcon variant="default" aria-label={title} onClick={() => go(move)}>
              {sign}
            </ActionIcon>
          </Tooltip>
        ))}
      </div>
    </>
  );
}
