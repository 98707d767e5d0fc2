import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { animaticRun } from '#bench/load/animatic.ts';

const MOST_MEGABYTES = 400;

/** Time that the local provider takes for a film, against the film's own length. */
export const animatic: Claim = async (_servers, { quick, say }) => {
  const cases = quick
    ? ([[2, 144]] as const)
    : ([
        [6, 720],
        [6, 720],
        [6, 720],
        [6, 1_080],
      ] as const);
  const runs = [];
  for (const [seconds, shortSide] of cases) {
    const run = await animaticRun(seconds, shortSide);
    say(`  ${seconds} s at ${shortSide}: ${run.tookSeconds.toFixed(1)} s`);
    runs.push({ ...run, share: run.tookSeconds / seconds, megabytes: run.peakBytes / 1e6 });
  }
  const usual = runs.filter(({ shortSide }) => shortSide === cases[0][1]);
  const share = Math.min(...usual.map((run) => run.share));
  const megabytes = Math.max(...usual.map((run) => run.megabytes));
  return {
    title: 'Local films: H.264 and AAC with narration, captions and score',
    body: table(
      ['film', 'took s', 'share of real time', 'most memory MB'],
      runs.map((run) => [
        `${run.seconds} s, ${run.shortSide} lines`,
        figure(run.tookSeconds),
        figure(run.share),
        figure(run.megabytes),
      ]),
    ),
    verdicts: [
      {
        promise: 'a film of 6 seconds and 720 lines is ready before it would have been played',
        measured: `${figure(share)} of its length, the best of ${usual.length}`,
        held: share < 1,
      },
      {
        promise: `a film of 720 lines needs less than ${MOST_MEGABYTES} MB`,
        measured: `${figure(megabytes)} MB`,
        held: megabytes < MOST_MEGABYTES,
      },
    ],
  };
};
