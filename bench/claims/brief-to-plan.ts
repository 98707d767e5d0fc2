import { startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { inFlight } from '#bench/lib/flight.ts';
import { atLeast, figure, table } from '#bench/lib/markdown.ts';
import { percentile } from '#bench/lib/statistics.ts';

/** At once: one after the other, as many as a small team, and as many as keep the machine full. */
const widths = [1, 8, 32] as const;

interface Target {
  readonly port: number;
  readonly key: string;
}

/** From a brief to its costed plan with its approval, over HTTP: both kept in Postgres before they are answered. */
export const briefToPlan: Claim = async (servers, { quick, say }) => {
  const count = quick ? 50 : 1_000;
  const env = await servers.fresh('ours');
  await using api = await startHelper(new URL('../children/api.ts', import.meta.url), env);
  const target = await api.call<Target>('address');
  // finds cold code, and what this machine can make
  await pairs(target, Math.ceil(count / 10), 1);
  const rows: string[][] = [];
  let best = 0;
  for (const width of widths) {
    const since = performance.now();
    const times = await pairs(target, count, width);
    const perSecond = (count * 1_000) / (performance.now() - since);
    say(`  ${count} pairs by ${width} at once: ${figure(perSecond)} a second`);
    best = Math.max(best, perSecond);
    const shares = [0.5, 0.99].map((share) => figure(percentile(times, share)));
    rows.push([String(width), String(count), ...shares, figure(Math.max(...times)), figure(perSecond)]);
  }
  return {
    title: 'From brief to plan',
    body: [
      'POST brief, then POST plan of it, by clients of another process, each one pair after the other; every brief is another one, for two channels, so that its plan has five steps. Milliseconds of the pair.',
      table(['clients', 'pairs', 'p50', 'p99', 'slowest', 'pairs/s'], rows),
    ].join('\n\n'),
    verdicts: [atLeast('brief and plan:', 1_000, best, 'pairs/s')],
  };
};

/** Milliseconds of each pair. */
async function pairs(target: Target, count: number, width: number): Promise<readonly number[]> {
  const times: number[] = [];
  await inFlight(count, width, async (index) => {
    const since = performance.now();
    const input = {
      mode: 'video',
      prompt: `A harbour wakes at ${index}. Boats go out.`,
      channels: ['tiktok', 'linkedin'],
    };
    const { brief } = await post(target, 'brief', input);
    const { plan, approval } = await post(target, 'plan', { briefId: brief?.id });
    times.push(performance.now() - since);
    if (plan === undefined || approval === undefined) throw new Error('expected a plan and its approval, got neither');
  });
  return times;
}

async function post(
  { port, key }: Target,
  path: string,
  body: object,
): Promise<Readonly<Record<string, { readonly id: string } | undefined>>> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/studio/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`expected 201 of ${path}, got ${answer.status} ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { output: Record<string, { id: string } | undefined> }).output;
}
