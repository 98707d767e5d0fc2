import type { HumanRow } from '#src/access/humans/human-store.ts';
import { hexOf } from '#src/lib/hex.ts';
import { textTable } from './text-table.ts';

const heading = ['id', 'for', 'state', 'assurance', 'provider', 'enrolled', 'scopes'];

/** Humans as operators read them, one a line below a heading. */
export function humanTable(humans: readonly HumanRow[]): string {
  return textTable([heading, ...humans.map(cells)]);
}

function cells(human: HumanRow): string[] {
  return [
    hexOf(human.nullifier),
    human.label ?? '',
    human.revoked_at ? 'removed' : 'active',
    human.assurance,
    human.provider,
    human.created_at.toISOString(),
    human.scopes.join(','),
  ];
}
