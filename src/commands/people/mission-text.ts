import { plain, textTable } from '#src/commands/terminal/text-table.ts';
import type { MissionView } from '#src/missions/routes/mission-view.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';

/** A mission as people read it, or the receipt of one that is over. */
export function missionText(answer: MissionView | Receipt): string {
  if ('missionId' in answer) return planText(answer);
  const { id, root, seal, events, anchor } = answer;
  return textTable([
    ['receipt', id],
    ['events', `${events.length}`],
    ['root', root],
    ['sealed by', seal.kid],
    ['anchored in', anchor ? anchor.tx : 'nothing yet'],
    ['in full', '--json, and what "proofline verify" takes'],
  ]);
}

function planText({ missionId, state, goal, budgetUsd, spentUsd, error, plan, steps, answer }: MissionView): string {
  const capabilities = new Map(plan.steps.map(({ id, capability }) => [id, capability]));
  const facts = [
    ['mission', missionId],
    ['state', state.replaceAll('_', ' ')],
    ['goal', goal],
    ['spent', `$ ${spentUsd}${budgetUsd === null ? '' : ` of ${budgetUsd}`}`],
    ...(error ? [['error', error.message]] : []),
    ...plan.unmapped.map((text) => ['left out', text]),
    ...plan.notes.map((note) => ['note', note]),
    ...(answer === null ? [] : answer.split('\n').map((line) => ['answer', line])),
  ];
  const rows = steps.map(({ id, state: at, error: failure, challenge }) => {
    const more = failure?.message ?? (challenge ? 'awaits its human: proofline mission approve' : '');
    return [id, capabilities.get(id) ?? '', at.replaceAll('_', ' '), plain(more)];
  });
  return `${textTable(facts)}\n\n${textTable([['step', 'capability', 'state', ''], ...rows])}`;
}
