import type { HumanRow } from '#src/access/humans/store/human-store.ts';
import { textTable } from '#src/commands/terminal/text-table.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';

const heading = ['id', 'for', 'state', 'assurance', 'provider', 'enrolled', 'scopes'];

/** Humans as operators read them, one a line below a heading. */
export function humanTable(humans: readonly HumanRow[]): string {
  return textTable([heading, ...humans.map(cells)]);
}

/** A human as programs read them. */
export function humanView(human: HumanRow) {
  return {
    id: hexOf(human.nullifier),
    for: human.label,
    state: human.revoked_at ? 'removed' : 'active',
    assurance: human.assurance,
    provider: human.provider,
    scopes: human.scopes,
    tier: human.tier,
    created_at: human.created_at.toISOString(),
    revoked_at: human.revoked_at?.toISOString() ?? null,
  } as const;
}

function cells(human: HumanRow): string[] {
  const { id, for: label, state, assurance, provider, created_at, scopes } = humanView(human);
  return [id, label ?? '', state, assurance, provider, created_at, scopes.join(',')];
}
