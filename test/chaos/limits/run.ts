import { setTimeout as sleep } from 'node:timers/promises';
import { openContext } from '#src/system/context.ts';
import { seeded } from '#test/chaos/random.ts';
import { chosen } from '#test/chaos/slot.ts';
import { type ChaosSystem, startChaosSystem } from '#test/chaos/system.ts';
import { startChild } from '#test/helpers/child.ts';
import { openLimitedLoad } from './load.ts';
import { openObserver } from './observer.ts';

export interface LimitsOptions {
  readonly seed: number;
  /** Begins after which no more is submitted. */
  readonly claims: number;
  /** Ends the load also before as many have begun. */
  readonly mostMs: number;
  /** Times as many at once as in the suite, and jobs that take no time of their own: for very many claims. */
  readonly width?: number;
  readonly say: (line: string) => void;
}

export interface LimitsRun {
  readonly begins: number;
  readonly kills: number;
  readonly changes: number;
  /** Jobs that ran at once beyond a limit, at the worst. */
  readonly worst: number;
  readonly ms: number;
  readonly reached: ReadonlyMap<string, number>;
  /** Sentences; none when every promise held. */
  readonly wrong: readonly string[];
}

/** Jobs that wait or run, at most. */
const AHEAD = 5_000;
const TOGETHER = 500;
const KILL_EVERY_MS = 5_000;
const CHANGE_EVERY_MS = 700;

/**
 * Limited jobs on two worker processes, which are killed at random like those that feed them, while limits go up and
 * down; an observer of its own counts what runs.
 */
export async function runLimits({ seed, claims, mostMs, width = 1, say }: LimitsOptions): Promise<LimitsRun> {
  const random = seeded(seed);
  await using observer = await openObserver();
  const load = openLimitedLoad(width);
  // more than any limit lets run, so that limits are what binds
  const hands = { CHAOS_HANDS: String(load.hands) };
  const start = (env: Readonly<Record<string, string>>) =>
    startChild(new URL('./worker.ts', import.meta.url), { ...env, CHAOS_OBSERVER: String(observer.port), ...hands });
  const leader = new URL('./leader.ts', import.meta.url);
  await using system = await startChaosSystem(seed, { api: leader, workers: [start, start] });
  await using context = await openContext(system.config, 'chaos');
  const since = performance.now();
  const over = () => observer.begins() >= claims || performance.now() - since > mostMs;
  await load.writeRules(context, observer);
  let [submitted, kills, changes] = [0, 0, 0];

  const submitting = async () => {
    for (const own = random.fork('load'); !over(); ) {
      if (submitted - observer.ends() > AHEAD) await sleep(20);
      else submitted += await load.submitSome(context, own, TOGETHER).then(() => TOGETHER);
    }
  };
  const killing = async () => {
    for (const own = random.fork('kills'); !over(); kills++) {
      await sleep(KILL_EVERY_MS * (0.5 + own.next()));
      const place = chosen(own.chance(0.75) ? system.workers : system.apis, own.whole(0, 1));
      await place.kill(own.whole(0, 500));
    }
  };
  const changing = async () => {
    for (const own = random.fork('rules'); !over(); changes++) {
      await sleep(CHANGE_EVERY_MS * (0.5 + own.next()));
      await load.changeRule(context, observer, own);
    }
  };
  const telling = async () => {
    for (let at = 1; !over(); at++) {
      await sleep(1_000);
      const seconds = (performance.now() - since) / 1_000;
      if (at % 15 === 0)
        say(`  ${seconds.toFixed(0)} s: ${observer.begins()} begins, ${kills} kills, ${observer.wrong.length} wrong`);
    }
  };
  await Promise.all([submitting(), killing(), changing(), telling()]);
  const ms = performance.now() - since;
  say('waiting for every job to end');
  await load.writeRules(context, observer);
  const begins = observer.begins();
  const left = await untilEnded(system);
  return {
    begins,
    kills,
    changes,
    worst: observer.worst(),
    ms,
    reached: observer.reached(),
    wrong: [...observer.wrong, ...left],
  };
}

/** What is wrong with the jobs once they have ended, or have had a minute for it. */
async function untilEnded({ query }: ChaosSystem): Promise<string[]> {
  const open = async () =>
    (await query<{ left: number }>(`select count(*)::int as left from jobs where finished_at is null`))[0]?.left ?? 0;
  let stuckSince = performance.now();
  for (let before = Infinity, left = await open(); left > 0; left = await open()) {
    if (left < before) stuckSince = performance.now();
    else if (performance.now() - stuckSince > 60_000) return [`${left} jobs have not ended`];
    before = left;
    await sleep(250);
  }
  const rows = await query<{ id: string; state: string; starts: number; ends: number; attempt: number }>(
    `select * from (
       select j.id, j.state, j.attempt, count(*) filter (where e.type = 'started')::int as starts,
         count(*) filter (where e.type = 'succeeded')::int as ends
       from jobs j left join events e on e.job = j.id group by j.id
     ) counted where state <> 'succeeded' or ends <> 1 or starts <> attempt limit 10`,
  );
  return rows.map(
    (row) => `job ${row.id} is ${row.state}: ${row.starts} starts, attempt ${row.attempt}, ${row.ends} ends`,
  );
}
