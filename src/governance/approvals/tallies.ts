import { sql } from 'slonik';
import { Type } from 'typebox';
import { type MissionState, missionStates } from '#src/governance/missions/mission-states.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type ApprovalState, approvalStates } from './approval-row.ts';

const Tally = Type.Object({ state: Type.String(), n: Type.Integer() });

/** Missions of this service in each state. */
export async function missionTally({ db }: Pick<Context, 'db'>): Promise<Record<MissionState, number>> {
  const found = await db.any(sql.type(row(Tally))`select state, count(*) as n from missions group by state`);
  return inEach(missionStates, found);
}

/** Approvals of this service in each state. One whose time is over is expired, whether noted or not. */
export async function approvalTally({ db }: Pick<Context, 'db'>): Promise<Record<ApprovalState, number>> {
  const found = await db.any(sql.type(row(Tally))`
    select case when state in ('pending', 'granted') and expires_at <= now() then 'expired' else state end as state,
      count(*) as n
    from approvals group by 1`);
  return inEach(approvalStates, found);
}

function inEach<S extends string>(
  states: readonly S[],
  found: readonly { readonly state: string; readonly n: number }[],
): Record<S, number> {
  const counts = new Map(found.map(({ state, n }) => [state, n]));
  return Object.fromEntries(states.map((state) => [state, counts.get(state) ?? 0])) as Record<S, number>;
}
