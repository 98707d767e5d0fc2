import { useCall } from '#console/api/use-call.ts';
import { capabilityTitle, modeWords } from '#console/pages/studio/parts/words.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { priceText } from './price.ts';
import classes from './provider-panel.module.css';
import type { Capability } from './provider-types.ts';

const tones = { available: 'ok', unavailable: 'bad', planned: 'wait' } as const;

/** The same by what is made: who can, and what it is for. */
export function CapabilitiesPanel() {
  const capabilities = useCall('GET /api/studio/v1/capabilities', {});
  return (
    <Panel title="By what is made" flush>
      <Answered query={capabilities} what="capabilities">
        {(envelope) => <Capabilities all={envelope.output['capabilities'] as readonly Capability[]} />}
      </Answered>
    </Panel>
  );
}

function Capabilities({ all }: { readonly all: readonly Capability[] }) {
  const planned = all.filter(({ status }) => status === 'planned').map(({ capability }) => capability);
  return (
    <>
      <DataTable
        label="Capabilities"
        rows={all.filter(({ status }) => status !== 'planned')}
        keyOf={({ capability }) => capability}
        empty={null}
        columns={[
          {
            title: 'Makes',
            cell: ({ capability }) => (
              <>
                {capabilityTitle(capability)}
                <span className={classes['more']}>{capability}</span>
              </>
            ),
          },
          {
            title: 'Providers',
            cell: ({ providers }) =>
              providers
                .filter(({ available }) => available)
                .map(({ title, priceUsd }) => `${title} (${priceText(priceUsd)})`)
                .join('; ') || 'none',
          },
          {
            title: 'Briefs that use it',
            cell: ({ modes }) => modes.map((mode) => modeWords[mode as keyof typeof modeWords].title).join(', ') || '—',
            from: 'md',
          },
          { title: 'State', cell: ({ status }) => <StateBadge state={status} tone={tones[status]} /> },
        ]}
      />
      {planned.length > 0 && (
        <p className={classes['planned']}>Planned, and offered by no provider yet: {planned.join(', ')}.</p>
      )}
    </>
  );
}
