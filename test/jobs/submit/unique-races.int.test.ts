import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { openClaims } from '#src/jobs/run/claim-jobs.ts';
import { releaseOrphans } from '#src/jobs/run/release.ts';
import { openSettlements } from '#src/jobs/run/settle-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import { openContext } from '#src/system/context.ts';
import { seeded } from '#test/chaos/random.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

const owner = 'alice';
const unless = (code: AppError['code']) => (error: unknown) => {
  if (!(error instanceof AppError && error.code === code)) throw error;
  return null;
};

/** Codes that a submit may be refused with while the key is held until the end, and while it is held until the beginning. */
const cases = { unfinished: 'unique_conflict', queued: null } as const;

test.each(Object.keys(cases) as (keyof typeof cases)[])(
  'property: many replace a job that is claimed, cancelled, expired, failed and redriven meanwhile: %s',
  async (until) => {
    await using system = await quietSystem();
    const { context } = system;
    const other = await openContext(context.config, 'test');
    context.onClose(async () => await other[Symbol.asyncDispose]());
    const sides = [context, other];
    const claims = sides.map((side) => openClaims(side, false));
    const settlements = sides.map(openSettlements);
    const sweep = await system.connect();
    const worker = randomUUID();
    await context.db.query(
      sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, 'infinity')`,
    );
    const random = seeded(20261127);
    const keys = ['a', 'b', 'c'] as const;
    /** Texts that were answered with a job, and whether they made it. */
    const answered = new Map<string, { text: string; created: boolean }[]>();
    const ran = new Map<string, string>();
    let made = 0;
    const submitOne = async (side: number) => {
      const [key, text] = [random.pick(keys), `${made++}`];
      const delayMs = random.pick([0, 0, 5, 30]);
      const answer = submit(sides[side]!, trial, {
        principal: { owner },
        payload: { do: 'succeed', text },
        unique: { key, while: until, conflict: 'replace' },
        ...(delayMs > 0 && { runAt: new Date(Date.now() + delayMs) }),
        ...(random.chance(0.3) && { expiresAt: new Date(Date.now() + delayMs + random.whole(1, 40)) }),
      });
      const found = await (cases[until] === null ? answer : answer.catch(unless(cases[until])));
      if (!found) return;
      const { id } = found.job;
      answered.set(id, [...(answered.get(id) ?? []), { text, created: found.created }]);
    };
    const someJob = async (where: ReturnType<typeof sql.fragment>) => {
      const found = await context.db.any(
        sql.unsafe`select id, dispatch from jobs where ${where} order by random() limit 1`,
      );
      return found[0] as { id: string; dispatch: number } | undefined;
    };
    const claimOne = async (side: number) => {
      const job = await someJob(sql.fragment`state = 'queued'`);
      if (!job) return;
      const token = randomUUID();
      const claimed = await claims[side]!({ ...job, token, worker });
      if (!claimed) return;
      const { text } = claimed.payload as { text: string };
      // a redrive gives it another attempt, and no other payload
      expect(ran.get(job.id) ?? text).toBe(text);
      ran.set(job.id, text);
      await sleep(random.whole(0, 5));
      const isGood = random.chance(0.5);
      await settlements[side]!({
        id: job.id,
        attempt: claimed.attempt,
        token,
        state: isGood ? 'succeeded' : 'failed',
        event: isGood ? 'succeeded' : 'failed',
        data: {},
        counts: true,
        delayMs: 0,
        ...(isGood ? { result: 1 } : { error: { code: 'job_failed', message: 'no' } }),
      });
    };
    const acts = [
      submitOne,
      submitOne,
      submitOne,
      claimOne,
      claimOne,
      async (side: number) => {
        const job = await someJob(sql.fragment`finished_at is null`);
        if (job) await cancelJob(sides[side]!, job.id, owner).catch(unless('state_conflict'));
      },
      async (side: number) => {
        const job = await someJob(sql.fragment`state = 'failed'`);
        if (job) await redriveJob(sides[side]!, job.id, owner).catch(unless('state_conflict'));
      },
    ] as const;
    let isOver = false;
    const sweeping = (async () => {
      while (!isOver) {
        await releaseOrphans(context, sweep, false, []);
        await sleep(3);
      }
    })();
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        for (let turn = 0; turn < 60; turn++) await random.pick(acts)(index % 2);
      }),
    );
    isOver = true;
    await sweeping;

    const all = (await context.db.anyFirst(sql.unsafe`select id from jobs`)).map(String);
    expect(new Set(answered.keys())).toEqual(new Set(all));
    expect(ran.size).toBeGreaterThan(0);
    for (const id of all) {
      const events = await readEvents(context, id, 0, 10_000);
      expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
      const types = events.map(({ type }) => type);
      const told = answered.get(id)!;
      // each submit that was answered with it made it, or replaced it: once, and before it began
      expect(told.filter(({ created }) => created)).toHaveLength(1);
      expect([id, types.filter((type) => type === 'replaced').length]).toEqual([id, told.length - 1]);
      if (types.includes('started')) expect(types.lastIndexOf('replaced')).toBeLessThan(types.indexOf('started'));
      const job = (await readJob(context, id))!;
      const { text } = job.payload as { text: string };
      expect(told.map((one) => one.text)).toContain(text);
      expect(ran.get(id) ?? text).toBe(text);
      expect([id, types.filter((type) => type === 'started').length]).toEqual([id, job.attempt]);
      // between two ends somebody has put it back
      const ends = types.filter((type) => ['succeeded', 'failed', 'cancelled'].includes(type)).length;
      const redriven = types.filter((type) => type === 'redriven').length;
      expect([id, ends - redriven]).toEqual([id, job.finishedAt === null ? 0 : 1]);
      const expired = events.findIndex(({ data }) => (data as { reason?: string }).reason === 'expired');
      if (expired >= 0) expect(types.slice(0, expired)).not.toContain('started');
    }
  },
  120_000,
);
