import { KeyValue } from '#console/ui/data/key-value.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Time } from '#console/ui/time.tsx';
import { Addresses } from './addresses.tsx';
import { type Key, maskedSecret } from './key-state.ts';
import { ScopeList } from './scope-list.tsx';

/** Properties and limits of a key. */
export function KeyFacts({ of }: { readonly of: Key }) {
  const { start, scopes, allowedIps, tier, rateLimitPerMinute, rateLimitPerDay } = of;
  return (
    <Panel title="What it may do">
      <KeyValue
        facts={{
          Begins: <span className="mono">{maskedSecret(start)}</span>,
          Scopes: <ScopeList scopes={scopes} />,
          From: <Addresses of={allowedIps} />,
          Limits: `${rateLimitPerMinute.toLocaleString()} a minute, ${rateLimitPerDay.toLocaleString()} a day (${tier})`,
          Created: <Time at={of.createdAt} />,
          Expires: of.expiresAt === null ? 'never' : <Time at={of.expiresAt} />,
          Revoked: of.revokedAt !== null ? <Time at={of.revokedAt} /> : null,
        }}
      />
    </Panel>
  );
}
