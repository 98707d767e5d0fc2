import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { PART } from './action.ts';
import { type ActionRow, readAction } from './action-row.ts';
import { announceMoved } from './announce-moved.ts';
import { type Carrier, movePart } from './move-part.ts';

/** Jobs of a turn at the stated rate take about so long together. */
const TURN_MS = 100;

/**
 * Carries out an action from where it is: turn after turn, at most `rate` jobs a second, until every previewed job is
 * over. Reports after each turn.
 *
 * @throws AppError `not_found` where its preview is gone, the signal's reason once it is aborted
 */
export async function runAction(
  context: Context,
  id: string,
  carrier: Carrier,
  {
    rate,
    signal,
    report,
  }: { readonly rate: number; readonly signal: AbortSignal; readonly report: (action: ActionRow) => void },
): Promise<ActionRow> {
  const found = await readAction(context, id);
  if (!found) throw new AppError('not_found', `Expected the preview ${id} of this action, got none: it is forgotten.`);
  let action = found;
  const most = Math.max(1, Math.ceil((rate * TURN_MS) / 1_000));
  while (action.position < action.jobs) {
    signal.throwIfAborted();
    const begun = performance.now();
    // no turn reaches beyond a part
    const turn = await movePart(context, id, carrier, Math.min(most, PART - (action.position % PART)));
    const over = turn.action.position - action.position;
    action = turn.action;
    await announceMoved(context, action.action, turn.done);
    report(action);
    // a turn that took long is not made up for: the rate is the most at any time
    const rest = (over * 1_000) / rate - (performance.now() - begun);
    if (rest > 0 && action.position < action.jobs) await sleep(rest, undefined, { signal });
  }
  // what was done is in its counts
  await context.db.query(sql.unsafe`delete from job_action_parts where action = ${id}`);
  return action;
}
