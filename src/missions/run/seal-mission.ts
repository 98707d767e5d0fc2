import { sql } from 'slonik';
import { Type } from 'typebox';
import { changeMission } from '#src/governance/missions/change-mission.ts';
import { sealedMission } from '#src/governance/missions/create-mission.ts';
import { moveMission } from '#src/governance/missions/draft.ts';
import type { Mission, Step } from '#src/governance/missions/mission-row.ts';
import { openBreaker } from '#src/lib/async/breaker.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Asset } from '#src/providers/assets/assets.ts';
import { confirmedAnchor, confirmedStatuses } from '#src/receipts/anchor/leaves.ts';
import type { Receipt, Subject } from '#src/receipts/format/receipt-schema.ts';
import { sealReceipt } from '#src/receipts/format/seal.ts';
import { makeStatement } from '#src/receipts/format/statement.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { actsOf, type MissionActs } from './mission-acts.ts';

/** Seals that fail in a row before the signer is left alone. */
const FAILURES = 3;

/** Breaker between the missions and the signer: a signer that hangs must not hold up what needs no signature. */
const sealBreaker = perContext(({ config, log }: Context) =>
  openBreaker({
    name: 'The signer of the seals',
    failures: FAILURES,
    pauseMs: 2 * config.SEAL_SIGNER_TIMEOUT_MS,
    isFailure: (error) => error instanceof AppError && error.code === 'unavailable',
    changed: (isOpen) => {
      if (isOpen) log.warn('the signer does not sign: missions stay sealing, and it is tried once in a while');
      else log.info('the signer signs again');
    },
  }),
);

/**
 * Seals what a mission did, whatever came of it: the chain of its events, the outcome, and who approved what. Once; the
 * receipt waits for its anchor from then on.
 *
 * @throws CircuitOpen while the signer is left alone; `unavailable` where it fails.
 */
export async function sealMission(context: Context, id: string): Promise<void> {
  const acts = await actsOf(context)(id);
  if (!acts || acts.mission.sealedAt || !acts.mission.finishedAt) return;
  // signing may take a call to a key service, so it is no part of the transaction
  const { anchor: _, ...receipt } = await sealBreaker(context)(async () => await sealedReceipt(context, acts));
  await changeMission(context, id, async (_tx, draft) => {
    if (draft.mission.sealedAt) return;
    draft.keepReceipt(receipt);
    if (draft.mission.state === 'sealing') moveMission(draft, 'seal');
    draft.notice('receipt.sealed', { root: receipt.root, kid: receipt.seal.kid });
  });
}

async function sealedReceipt(context: Context, { mission, events, steps, assets }: MissionActs): Promise<Receipt> {
  const { id } = mission;
  // before the time is taken: the first key is made here, and seals nothing from before it was
  const { signer } = await sealKeysOf(context)();
  const statement = makeStatement({
    receiptId: id,
    issuer: publicUrlOf(context.config),
    mission: sealedMission(mission),
    events: { count: events.length, genesis: mission.genesis, head: mission.head },
    outcome: outcomeOf(mission),
    human: humansOf(steps),
    subjects: subjectsOf(steps, assets),
    sealedAt: new Date().toISOString(),
  });
  return await sealReceipt(statement, [...events], signer);
}

/** Tells the end of a mission's stream: its receipt is anchored, or it never ran and leaves none. */
export async function closeMission(context: Context, id: string): Promise<void> {
  const anchor = await confirmedAnchor(context)(`receipt:${id}`);
  await changeMission(context, id, async (_tx, draft) => {
    const { mission, notice, set } = draft;
    if (mission.closedAt || (mission.executedAt && !anchor)) return;
    if (anchor) notice('receipt.anchored', { ...anchor });
    notice('mission.closed', { state: mission.state });
    set({ closed: true });
  });
}

const Id = Type.Object({ id: Type.String() });

/** Missions whose stream could be closed. */
export async function unclosedMissions({ db, config }: Pick<Context, 'db' | 'config'>): Promise<readonly string[]> {
  const rows = await db.any(sql.type(row(Id))`
    select m.id from missions m left join anchor_leaves l on l.leaf = 'receipt:' || m.id
      left join anchor_batches b on b.id = l.batch_id
    where m.closed_at is null and m.finished_at is not null
      and (m.executed_at is null or b.status = any(${sql.array([...confirmedStatuses(config.ANCHOR_CONFIRM)], 'text')}))
    order by m.id limit 1000`);
  return rows.map(({ id }) => id);
}

function outcomeOf({ state }: Mission): 'succeeded' | 'failed' | 'cancelled' {
  return state === 'failed' || state === 'cancelled' ? state : 'succeeded';
}

/** Lists what its steps have made, also those that failed: two of the same name are distinguished by their step. */
function subjectsOf(steps: readonly Step[], assets: readonly Asset[]): Subject[] {
  return steps.flatMap(({ step, job }) =>
    assets
      .filter((asset) => job !== null && asset.job === job)
      .map(({ name, sha256 }) => ({ name: `assets/${step}/${name}`, digest: { sha256 } })),
  );
}

function humansOf(steps: readonly Step[]) {
  return steps.flatMap(({ step, human }) => (human ? [{ step, ...human }] : []));
}
