import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type from 'typebox';
import type { Claim } from '#bench/lib/claim.ts';
import { atLeast, atMost, figure, spreadText, table } from '#bench/lib/markdown.ts';
import { spread } from '#bench/lib/statistics.ts';
import { createMission } from '#src/governance/missions/create-mission.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { makePlan } from '#src/missions/plan/make-plan.ts';
import { startConductor } from '#src/missions/run/conductor.ts';
import { executeMission } from '#src/missions/run/execute.ts';
import { startAnchors } from '#src/receipts/anchor/start-anchors.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { ownAttest } from '#src/receipts/verify/own-attest.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { startAnvil } from '#src/system/embedded/anvil.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { handlersOf } from '#workers/fleets.ts';
import { startFleet } from '#workers/run/fleet.ts';

const BLOCK_MS = 100;

/**
 * Missions of one step: how many are sealed in a second, how long one takes to its seal and its anchor, and what a
 * check costs.
 */
export const missions: Claim = async (servers, { quick, say }) => {
  await using stack = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'proofline-bench-missions-'));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const anvil = await startAnvil(home, say, { blockMs: BLOCK_MS });
  if (!anvil) throw new Error('expected npm’s anvil or one on the PATH, got none');
  stack.defer(anvil.stop);
  const env = { ANCHOR_RPC_URL: anvil.url, ANCHOR_KEY: anvil.key, ANCHOR_IDLE_MS: '100', ANCHOR_POLL_MS: '50' };
  const context = stack.use(
    await openContext(loadConfig({ ...(await servers.fresh('ours')), ...env, PROOFLINE_HOME: home }), 'bench'),
  );
  const module = new URL(import.meta.resolve('#workers/handlers.ts'));
  const fleet = await startFleet(context, { name: 'missions', handlers: handlersOf(['missions']), module });
  stack.defer(() => fleet.drain());
  startRelay(context);
  startAnchors(context);
  startConductor(context);

  // one at a time, the first not counted: it finds cold code
  const alone = [];
  for (let n = 0; n <= (quick ? 2 : 20); n++) alone.push(await carryOut(context, 1));
  const [, ...counted] = alone.map(([one]) => one!);
  const many = quick ? 20 : 500;
  const since = performance.now();
  const together = await carryOut(context, many);
  const wallSeconds = Math.max(...together.map(({ sealedAt }) => sealedAt)) - Math.min(...together.map(({ at }) => at));
  say(`  ${many} missions in ${((performance.now() - since) / 1_000).toFixed(1)} s, anchors included`);
  const perSecond = await verifications(context, together[0]!.id, quick ? 20 : 300);
  const seconds = (pick: 'sealed' | 'anchored') => spreadText(spread(counted.map((one) => one[pick])));
  return {
    title: 'Missions',
    body: [
      `Missions of one step that digests a text, in one process with its fleet, conductor and anchors; a private chain with a block every ${BLOCK_MS} ms, batches closed after 100 ms without a receipt.`,
      table(
        ['what', 'measured'],
        [
          ['one alone: executed to sealed, s min / median / max', seconds('sealed')],
          ['one alone: executed to anchored', seconds('anchored')],
          [`${many} at once: sealed per second`, figure(many / wallSeconds)],
          ['receipts checked per second, without the chain', figure(perSecond)],
        ],
      ),
    ].join('\n\n'),
    verdicts: [
      atLeast('missions, many at once:', 600, many / wallSeconds, 'sealed/s'),
      atMost(
        'a mission alone, executed to sealed, median',
        8,
        spread(counted.map(({ sealed }) => sealed)).median * 1_000,
        'ms',
      ),
    ],
  };
};

const doneRow = row(
  Type.Object({
    id: Type.String(),
    at: Type.Number(),
    sealedAt: Type.Number(),
    sealed: Type.Number(),
    anchored: Type.Number(),
  }),
);

/** Plans and executes missions at once; answers when all are anchored. Times in seconds. */
async function carryOut(context: Context, count: number) {
  const steps = [{ id: 'digest', capability: 'content.digest', input: { value: 'a text' } }];
  const request = { goal: 'digest a text', inputs: {}, budget: null, timeoutS: 600 };
  const ids = await Promise.all(
    Array.from({ length: count }, async () => {
      const input = { ...request, owner: 'bench', human: '00'.repeat(32), request: '' };
      const { mission } = await createMission(context, input, () => makePlan(context, { ...request, steps }));
      return mission.id;
    }),
  );
  await Promise.all(ids.map((id) => executeMission(context, id)));
  for (;;) {
    const done = await context.db.any(sql.type(doneRow)`
      select id, extract(epoch from executed_at)::float8 as at, extract(epoch from sealed_at)::float8 as "sealedAt",
        extract(epoch from sealed_at - executed_at)::float8 as sealed,
        extract(epoch from closed_at - executed_at)::float8 as anchored
      from missions where id = any(${sql.array(ids, 'uuid')}) and closed_at is not null`);
    if (done.length === count) return done;
    await sleep(20);
  }
}

async function verifications(context: Context, id: string, count: number): Promise<number> {
  const receipt = await readReceipt(context, id);
  if (!receipt) throw new Error('expected a receipt, got none');
  const { offline } = ownAttest(context);
  const since = performance.now();
  for (let n = 0; n < count; n++) {
    const { integrity } = await offline(receipt, receipt.id);
    if (integrity.verdict !== 'pass') throw new Error(`expected a receipt that passes, got: ${integrity.reason}`);
  }
  return (count * 1_000) / (performance.now() - since);
}
