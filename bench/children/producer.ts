import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { inFlight } from '#bench/lib/flight.ts';
import { loadPeer } from '#bench/peers/peers.ts';

/** Adds jobs of one system: `producer.ts <system>`. */
const { openProducer } = await loadPeer(process.argv[2]);
const { add, addMany, addOf } = await openProducer();

answerCalls({
  /** Adds `count` jobs with `width` at once, in turn of so many groups; answers when it began and ended. */
  add: async ({ count, width, groups = 0 }: { count: number; width: number; groups?: number }) => {
    const from = now();
    let n = 0;
    await inFlight(count, width, groups > 0 && addOf ? () => addOf(`group ${n++ % groups}`) : add);
    return { from, to: now() };
  },
  /** Adds `count` jobs, `together` by one call. @throws where the system has no way to. */
  addMany: async ({ count, together }: { count: number; together: number }) => {
    if (!addMany) throw new Error(`expected a system that adds many at once, got ${process.argv[2]}`);
    const from = now();
    for (let left = count; left > 0; left -= together) await addMany(Math.min(together, left));
    return { from, to: now() };
  },
});
