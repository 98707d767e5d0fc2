import { setTimeout as sleep } from 'node:timers/promises';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { loadPeer } from '#bench/peers/peers.ts';

/** Consumes jobs of one system: `consumer.ts <system> <concurrency>`, and a queue that is not the usual one. */
const { openConsumer } = await loadPeer(process.argv[2]);
const { done } = await openConsumer(Number(process.argv[3]), process.argv[4]);

answerCalls({
  done,
  /** Answers when `count` jobs in all have ended. @throws after two minutes. */
  until: async (count: number) => {
    const deadline = now() + 120_000;
    while ((await done()) < count) {
      if (now() > deadline) throw new Error(`expected ${count} jobs within two minutes, got ${await done()}`);
      await sleep(2);
    }
    return now();
  },
});
