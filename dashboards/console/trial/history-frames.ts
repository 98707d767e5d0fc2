import { historyOption } from '#console/pages/market/history/history-option.ts';
import { drawChart } from '#console/ui/charts/echarts.ts';
import { palettes } from '#src/lib/charts/palette.ts';

/* What the benchmark runs in a browser: the chart of a market's history, drawn and moved through. */

interface Trial {
  readonly milliseconds: number;
  /** From each frame to the next, in milliseconds. */
  readonly frames: readonly number[];
}

/** Draws as many snapshots of spot, flip and walls, then shows another part of them in every frame. */
async function moveThrough(snapshots: number, frames: number): Promise<Trial> {
  const place = document.createElement('div');
  place.style.cssText = 'width: 1000px; height: 400px';
  document.body.replaceChildren(place);
  const rows = Array.from({ length: snapshots }, (_, i) => {
    const spot = 7_800 + 200 * Math.sin(i / 900) + 15 * Math.sin(i * 12.9898);
    return {
      as_of: new Date(1.79e12 + i * 1_000).toISOString(),
      spot,
      flip: spot - 90,
      call_wall: 7_900,
      put_wall: 7_500,
    };
  });
  const since = performance.now();
  const chart = drawChart(place, 'light');
  chart.set(historyOption('levels', rows, palettes.light), false);
  let last = await nextFrame();
  const milliseconds = last - since;
  const between = [];
  for (let frame = 0; frame < frames; frame += 1) {
    const window = { start: 30 * (frame / frames), end: 100 - 30 * (frame / frames) };
    chart.set({ dataZoom: [window, window] }, true);
    const now = await nextFrame();
    between.push(now - last);
    last = now;
  }
  chart.end();
  return { milliseconds, frames: between };
}

/** The moment at which all requested before has been drawn. */
async function nextFrame(): Promise<number> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now();
}

Object.assign(globalThis, { moveThrough });
