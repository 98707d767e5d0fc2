import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import Type from 'typebox';
import type { BenchOptions, Claim } from '#bench/lib/claim.ts';
import { figure, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { spread } from '#bench/lib/statistics.ts';
import { anchor } from '#queues/missions.ts';
import { prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { leafHash } from '#src/lib/crypto/merkle.ts';
import { putLeaf } from '#src/receipts/anchor/leaves.ts';
import { startAnchors } from '#src/receipts/anchor/start-anchors.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { startAnvil } from '#src/system/embedded/anvil.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { handlersOf } from '#workers/fleets.ts';
import { startFleet } from '#workers/run/fleet.ts';

const sizes = [1, 16, 256] as const;
const BLOCK_MS = 100;

interface Anchored {
  readonly gasPerReceipt: number;
  /** From the sealing of a batch's last receipt until its inclusion was seen, s. */
  readonly seconds: readonly number[];
}

/** Cost of an anchor for each receipt, and the time from the seal to the block. */
export const anchors: Claim = async (servers, options) => {
  const rows: string[][] = [];
  for (const size of sizes) {
    const { gasPerReceipt, seconds } = await measure(servers, size, options);
    rows.push([String(size), figure(gasPerReceipt), spreadText(spread(seconds))]);
    options.say(`  batches of ${size}: ${figure(gasPerReceipt)} gas a receipt`);
  }
  return {
    title: 'Anchoring receipts',
    body: [
      `On a private chain with a block every ${BLOCK_MS} ms. A full batch is closed at once; one that is not full waits ANCHOR_IDLE_MS more. The time is from the seal of the last receipt of a batch until its inclusion was noted.`,
      table(['receipts a batch', 'gas a receipt', 'sealed to included, s min / median / max'], rows),
    ].join('\n\n'),
    verdicts: [],
  };
};

async function measure(servers: Servers, size: number, { quick, say }: BenchOptions): Promise<Anchored> {
  await using stack = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'proofline-bench-chain-'));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const anvil = await startAnvil(home, say, { blockMs: BLOCK_MS });
  if (!anvil) throw new Error('expected npm’s anvil or one on the PATH, got none');
  stack.defer(anvil.stop);
  const context = stack.use(
    await openContext(
      loadConfig({
        ...(await servers.fresh('ours')),
        ANCHOR_RPC_URL: anvil.url,
        ANCHOR_KEY: anvil.key,
        ANCHOR_BATCH_MAX: String(size),
        ANCHOR_POLL_MS: '50',
      }),
      'bench',
    ),
  );
  const module = new URL(import.meta.resolve('#workers/handlers.ts'));
  const fleet = await startFleet(context, { name: 'anchors', handlers: handlersOf([anchor.name]), module });
  stack.defer(() => fleet.drain());
  startAnchors(context);
  const batches = quick ? 2 : 8;
  for (let batch = 1; batch <= batches; batch++) {
    await context.db.transaction(async (tx) => {
      for (let leaf = 0; leaf < size; leaf++) {
        const id = randomUUID();
        await putLeaf(tx, `receipt:${id}`, prefixedHexOf(leafHash(Buffer.from(id))));
      }
    });
    while ((await included(context)).length < batch) await sleep(20);
  }
  const all = await included(context);
  return {
    gasPerReceipt: all.reduce((sum, { gas }) => sum + gas, 0) / (all.length * size),
    seconds: all.map((one) => one.seconds),
  };
}

const includedRow = row(Type.Object({ gas: Type.Integer(), seconds: Type.Number() }));

async function included({ db }: Context) {
  return await db.any(sql.type(includedRow)`
    select a.gas_used as gas, extract(epoch from b.included_at -
      (select max(l.created_at) from anchor_leaves l where l.batch_id = b.id))::float8 as seconds
    from anchor_batches b join anchor_attempts a on a.batch_id = b.id and a.block_number is not null`);
}
