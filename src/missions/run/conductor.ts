import { setTimeout as sleep } from 'node:timers/promises';
import { missionsChannel } from '#src/governance/missions/change-mission.ts';
import { CircuitOpen } from '#src/lib/async/breaker.ts';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { openBus, type Subscription } from '#src/system/redis/bus.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import { type Awaited, conduct, dueMissions } from './conduct.ts';
import { unclosedMissions } from './seal-mission.ts';

/** Milliseconds between searches of the table whatever messages say: a lost one must not cost more than this. */
const SEARCH_MS = 1_000;
const MOST_PAUSE_MS = 60_000;
/** Missions worked on at once: what they do at one moment shares its statements. */
const AT_ONCE = 128;

/**
 * Conducts every mission, in one process at a time: hears of missions that changed and of jobs that ended by Redis, and
 * searches for what it did not hear of.
 */
export function startConductor(context: Context): AsyncDisposable {
  return leadByLock(context, 'missions', async (signal) => {
    const redis = openSubscriber(context.config, (error) => context.log.debug({ err: error }, 'redis, conductor'));
    const bus = openBus(redis);
    const due = new Set<string>();
    const working = new Map<string, Promise<void>>();
    const followed = new Map<string, { readonly mission: string; readonly subscription: Subscription }>();
    /** Channels that are followed for a mission. */
    const channelsOf = new Map<string, Set<string>>();
    /** Missions that failed to be conducted: they wait longer each time, so that they hold up no other. */
    const failures = new Map<string, { readonly count: number; readonly until: number }>();
    let wake = () => {};
    const add = (id: string) => {
      due.add(id);
      wake();
    };

    const leave = (channel: string) => {
      const one = followed.get(channel);
      if (!one) return;
      one.subscription.close();
      followed.delete(channel);
      const channels = channelsOf.get(one.mission);
      channels?.delete(channel);
      if (channels?.size === 0) channelsOf.delete(one.mission);
    };
    const follow = ({ channel, isIt, hasCome }: Awaited, mission: string) => {
      if (followed.has(channel)) return;
      const close = () => {
        leave(channel);
        add(mission);
      };
      const subscription = bus.subscribe(channel, {
        message: (text) => void (isIt(text) && close()),
        resubscribed: () => add(mission),
      });
      followed.set(channel, { mission, subscription });
      channelsOf.getOrInsertComputed(mission, () => new Set()).add(channel);
      // it may have come before anybody listened; where that cannot be asked, the search finds it
      subscription.ready.then(hasCome).then(
        (come) => void (come && close()),
        () => {},
      );
    };

    const work = async (id: string) => {
      try {
        const awaited = await conduct(context, id);
        const channels = new Set(awaited.map(({ channel }) => channel));
        for (const channel of channelsOf.get(id) ?? []) if (!channels.has(channel)) leave(channel);
        for (const one of awaited) follow(one, id);
        failures.delete(id);
      } catch (error) {
        const before = failures.get(id)?.count ?? 0;
        if (error instanceof CircuitOpen) {
          // nothing of it was tried, so it does not wait longer than the others
          failures.set(id, { count: before, until: performance.now() + error.waitMs });
          return;
        }
        const count = before + 1;
        failures.set(id, { count, until: performance.now() + Math.min(MOST_PAUSE_MS, SEARCH_MS * 2 ** count) });
        await logFailure(
          context,
          error,
          { mission: id, count },
          'a mission could not be conducted; it is tried again later',
        );
      }
    };

    const changed = bus.subscribe(missionsChannel(context.config), { message: add, resubscribed: () => wake() });
    try {
      let searched = Number.NEGATIVE_INFINITY;
      while (!signal.aborted) {
        if (performance.now() - searched >= SEARCH_MS) {
          for (const id of [...(await dueMissions(context)), ...(await unclosedMissions(context))]) due.add(id);
          searched = performance.now();
        }
        for (const id of due) {
          if (working.size >= AT_ONCE) break;
          if (working.has(id)) continue;
          if ((failures.get(id)?.until ?? 0) > performance.now()) {
            // the search finds it again
            due.delete(id);
            continue;
          }
          due.delete(id);
          const run = work(id).finally(() => {
            working.delete(id);
            wake();
          });
          working.set(id, run);
        }
        const woken = new Promise<void>((resolve) => (wake = resolve));
        const isReady = working.size < AT_ONCE && [...due].some((id) => !working.has(id));
        if (!isReady) await Promise.race([woken, pause(searched + SEARCH_MS - performance.now(), signal)]);
      }
    } finally {
      await Promise.all(working.values());
      changed.close();
      redis.disconnect();
    }
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});
}
