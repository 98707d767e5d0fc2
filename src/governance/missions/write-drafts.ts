import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { putReceipts } from '#src/receipts/receipt-store.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Written } from './draft.ts';

const Begun = Type.Object({
  mission: Type.String(),
  step: Type.String(),
  input: Type.Unsafe<Readonly<Record<string, unknown>> | null>({}),
});
const Outcome = Type.Object({
  /** History that the numbers of events belong to, where it is known. */
  epoch: Type.Union([Type.String(), Type.Null()]),
  /** Steps that run from now on, with their inputs as they are stored. */
  begun: Type.Array(Begun),
});
const outcomeRow = row(Outcome);

/**
 * Writes what becomes of missions whose rows are locked, in one statement: their rows, their steps and their events; and
 * their receipts in another.
 */
export async function writeDrafts(tx: CommonQueryMethods, all: readonly Written[]): Promise<Static<typeof Outcome>> {
  const written = all.filter(isAnything);
  if (written.length === 0) return { epoch: null, begun: [] };
  await putReceipts(
    tx,
    written.flatMap(({ mission, receipt }) => (receipt ? [{ owner: mission.owner, kind: 'mission', receipt }] : [])),
  );
  const text = (of: (one: Written) => string | null) => textArray(written.map(of));
  const plain = (of: (one: Written) => string | number | boolean | null) => plainArray(written.map(of));
  const steps = written.flatMap(({ mission: { id }, steps: changed }) =>
    [...changed].map(([step, one]) => ({ id, step, ...one })),
  );
  const events = written.flatMap(({ mission: { id }, events: added }) => added.map((event) => ({ id, ...event })));
  return await tx.one(sql.type(outcomeRow)`
    with moved as (
      update missions m
      set state = g.state, spent = g.spent, error = g.error::jsonb, head = g.head, chained = g.chained, events = g.events,
        executed_at = case when g.executed then now() else m.executed_at end,
        deadline_at = case when g.executed then now() + make_interval(secs => m.timeout_s) else m.deadline_at end,
        finished_at = case when g.finished then now() else m.finished_at end,
        sealed_at = coalesce(g.sealed_at::timestamptz, m.sealed_at),
        closed_at = case when g.closed then now() else m.closed_at end
      from unnest(${plain(({ mission }) => mission.id)}::uuid[], ${text(({ mission }) => mission.state)}::text[],
          ${plain(({ mission }) => mission.spent)}::int8[],
          ${text(({ mission: { error } }) => error && JSON.stringify(error))}::text[],
          ${text(({ mission }) => mission.head)}::text[], ${plain(({ mission }) => mission.chained)}::int4[],
          ${plain(({ mission }) => mission.events)}::int4[], ${plain(({ change }) => change.executed ?? false)}::bool[],
          ${plain(({ change }) => change.finished ?? false)}::bool[],
          ${text(({ receipt }) => receipt && receipt.statement.predicate.sealedAt)}::text[],
          ${plain(({ change }) => change.closed ?? false)}::bool[])
        as g (id, state, spent, error, head, chained, events, executed, finished, sealed_at, closed)
      where m.id = g.id
    ), stepped as (
      update mission_steps s
      set state = g.state,
        input = case when g.change ? 'input' then nullif(g.change -> 'input', 'null') else s.input end,
        output = case when g.change ? 'output' then nullif(g.change -> 'output', 'null') else s.output end,
        human = case when g.change ? 'human' then nullif(g.change -> 'human', 'null') else s.human end,
        error = case when g.change ? 'error' then nullif(g.change -> 'error', 'null') else s.error end,
        challenge = case when g.change ? 'challenge' then nullif(g.change -> 'challenge', 'null') else s.challenge end,
        effect = case when g.change ? 'effect' then g.change ->> 'effect' else s.effect end,
        output_length = case when g.change ? 'outputLength' then (g.change ->> 'outputLength')::int else s.output_length end,
        output_hash = case when g.change ? 'outputHash' then g.change ->> 'outputHash' else s.output_hash end,
        started_at = case when g.state = 'running' then coalesce(s.started_at, now()) else s.started_at end,
        finished_at = case when g.state in ('succeeded', 'failed', 'cancelled', 'skipped') then now() end
      from (
        select mission, step, state, change::jsonb from unnest(
          ${plainArray(steps.map(({ id }) => id))}::uuid[], ${textArray(steps.map(({ step }) => step))}::text[],
          ${textArray(steps.map(({ state }) => state))}::text[],
          ${textArray(steps.map(({ change }) => JSON.stringify(change)))}::text[]) as u (mission, step, state, change)
      ) g
      where s.mission = g.mission and s.step = g.step
      returning s.mission, s.step, s.state, s.input
    ), told as (
      insert into mission_events (mission, seq, type, at, data, prev, hash)
      select mission, seq, type, at, data::jsonb, prev, hash from unnest(
        ${plainArray(events.map(({ id }) => id))}::uuid[], ${plainArray(events.map(({ seq }) => seq))}::int4[],
        ${textArray(events.map(({ type }) => type))}::text[], ${textArray(events.map(({ at }) => at))}::text[],
        ${textArray(events.map(({ data }) => JSON.stringify(data)))}::text[],
        ${textArray(events.map(({ prev }) => prev))}::text[], ${textArray(events.map(({ hash }) => hash))}::text[])
        as u (mission, seq, type, at, data, prev, hash)
    )
    select (select epoch from relay) as epoch,
      (select coalesce(json_agg(json_build_object('mission', mission, 'step', step, 'input', input)), '[]')
        from stepped where state = 'running') as begun`);
}

function isAnything({ change, steps, events, receipt }: Written): boolean {
  return events.length > 0 || steps.size > 0 || receipt !== null || Object.keys(change).length > 0;
}
