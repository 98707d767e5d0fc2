import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { bundle } from '#src/commands/start/console-build.ts';
import { AppError } from '#src/lib/errors.ts';
import { chromiumProgram } from '#test/helpers/chromium.ts';

const entry = join(import.meta.dirname, '../../dashboards/console/trial/history-frames.ts');

/** Limit of what people call smooth: no frame takes as long as two of the 30 a second that films have. */
const SMOOTH_MS = 66;

/**
 * Time that the console takes to draw a long history and to move through it; a short one shows the browser's own part.
 */
export const chart: Claim = async (_servers, { quick, say }) => {
  const program = chromiumProgram();
  if (!program)
    throw new AppError('unavailable', 'expected a Chromium on the PATH, or Debian’s to unpack, got neither.');
  const [[, script] = []] = await bundle(new Set(), {
    logLevel: 'error',
    build: { rolldownOptions: { input: entry, output: { codeSplitting: false } } },
  });
  const browser = await chromium.launch({ executablePath: program.path, env: { ...process.env, ...program.env } });
  try {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await page.addScriptTag({ content: String(script), type: 'module' });
    const rows = [];
    for (const snapshots of [50, 5_000, 20_000]) {
      const frames = quick ? 30 : 180;
      const trial = (await page.evaluate(`moveThrough(${snapshots}, ${frames})`)) as {
        milliseconds: number;
        frames: number[];
      };
      const [median, most] = [percentile(trial.frames, 0.5), percentile(trial.frames, 0.99)];
      say(`  ${snapshots} snapshots: ${median.toFixed(0)} ms a frame`);
      rows.push({ snapshots, drawn: trial.milliseconds, median, most });
    }
    const promised = rows.find(({ snapshots }) => snapshots === 5_000);
    return {
      title: 'The console: four lines of a history, drawn in Chromium without a graphics processor',
      body: table(
        ['snapshots', 'drawn ms', 'a frame of moving through it, p50 ms', 'p99 ms'],
        rows.map(({ snapshots, drawn, median, most }) => [
          String(snapshots),
          figure(drawn),
          figure(median),
          figure(most),
        ]),
      ),
      verdicts: [
        {
          promise: `four lines of 5,000 points move smoothly: p99 of a frame below ${SMOOTH_MS} ms`,
          measured: `${figure(promised?.most ?? Number.NaN)} ms`,
          held: (promised?.most ?? Number.POSITIVE_INFINITY) < SMOOTH_MS,
        },
      ],
    };
  } finally {
    await browser.close();
  }
};
