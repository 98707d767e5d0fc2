import { capabilityTitle } from '#console/pages/studio/parts/words.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell } from '#console/ui/time.tsx';
import { latencyText, limitsText, priceText } from './price.ts';
import classes from './provider-panel.module.css';
import type { Health, Posture, Provider } from './provider-types.ts';

const healthTones = { healthy: 'ok', degraded: 'ask', unhealthy: 'bad' } as const;
const circuits = {
  closed: ['closed', 'ok'],
  open: ['open: not called', 'bad'],
  half_open: ['half open: one call tries it', 'ask'],
} as const;

interface Props {
  readonly provider: Provider;
  readonly posture: Posture | undefined;
  /** Health of the provider for one of its capabilities; undefined while that is not known. */
  readonly healthFor: (capability: string) => Health | undefined;
}

/** One provider: how it is, what it needs, and what it offers at which price. */
export function ProviderPanel({ provider, posture, healthFor }: Props) {
  const { id, title, style, health, credential, capabilities } = provider;
  return (
    <Panel title={title} aside={<StateBadge state={health.state} tone={healthTones[health.state]} />} flush>
      <div className={classes['facts']}>
        <span>
          <code>{id}</code> · {style}
        </span>
        {credential?.present !== false && <span>{health.reason}</span>}
        <span>
          {credential === null ? (
            'needs no key'
          ) : (
            <>
              key in <code>{credential.variable}</code>: {credential.present ? 'set' : <strong>missing</strong>}
            </>
          )}
        </span>
        {posture && posture.calls > 0 && (
          <span>
            your last 30 days: {posture.calls} {posture.calls === 1 ? 'call' : 'calls'}, {formatMoney(posture.costUsd)}
            {posture.latencyMs.p50 !== null && `, half of them within ${spell(posture.latencyMs.p50 / 1_000)}`}
          </span>
        )}
      </div>
      <DataTable
        label={`What ${title} offers`}
        rows={capabilities}
        keyOf={({ capability }) => capability}
        empty={null}
        columns={[
          {
            title: 'Makes',
            width: '30%',
            cell: ({ capability, model }) => (
              <>
                {capabilityTitle(capability)}
                <span className={classes['more']}>
                  {capability} · {model}
                </span>
              </>
            ),
          },
          { title: 'Price', width: '16%', cell: ({ priceUsd }) => priceText(priceUsd) },
          { title: 'Takes', width: '15%', cell: ({ latencyMs }) => latencyText(latencyMs), from: 'md' },
          { title: 'Quality', width: '8%', cell: ({ quality }) => quality.toFixed(2), number: true, from: 'md' },
          { title: 'At most', width: '12%', cell: ({ limits }) => limitsText(limits) || 'no limit', from: 'lg' },
          {
            title: 'Circuit',
            width: '12%',
            from: 'md',
            cell: ({ capability }) => <Circuit circuit={(healthFor(capability) ?? health).circuit} />,
          },
          {
            title: 'Can be called',
            width: '14%',
            cell: ({ available, unavailableBecause }) => (
              <span title={unavailableBecause ?? undefined}>
                <StateBadge state={available ? 'yes' : 'no'} tone={available ? 'ok' : 'bad'} />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** After failures in a row a provider is not called for a while, then tried by one call. */
function Circuit({ circuit }: Pick<Health, 'circuit'>) {
  const [state, tone] = circuits[circuit];
  return <StateBadge state={state} tone={tone} />;
}
