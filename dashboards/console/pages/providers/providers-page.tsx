import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '#console/api/session.ts';
import { callKey, useCall } from '#console/api/use-call.ts';
import { Icon } from '#console/ui/icon.tsx';
import { Page } from '#console/ui/page.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { CapabilitiesPanel } from './capabilities-panel.tsx';
import { MissingPanel } from './missing-panel.tsx';
import { ProviderPanel } from './provider-panel.tsx';
import type { Capability, Posture, Provider } from './provider-types.ts';
import { UnknownCallsPanel } from './unknown-calls-panel.tsx';

/** Providers and their capabilities: the health, the price and the missing settings of each. */
export function ProvidersPage() {
  const client = useQueryClient();
  const { operator } = useSession();
  const explored = useCall('GET /api/studio/v1/explore', { query: { mode: 'providers', limit: 100 } });
  const analyzed = useCall('GET /api/studio/v1/analyze', { query: { scope: 'providers', window: '30d' } });
  const known = useCall('GET /api/studio/v1/capabilities', {});
  const capabilities = (known.data?.output['capabilities'] as readonly Capability[] | undefined) ?? [];
  const postures =
    (analyzed.data?.output['figures'] as { readonly providers: readonly Posture[] } | undefined)?.providers ?? [];
  const lookAgain = () => {
    for (const name of ['explore', 'analyze', 'capabilities'] as const)
      void client.invalidateQueries({ queryKey: callKey(`GET /api/studio/v1/${name}`) });
    void client.invalidateQueries({ queryKey: callKey('GET /v1/provider-calls') });
  };
  return (
    <Page
      title="Providers"
      lead="Who makes pictures, film, sound and text. Plans choose among them by policy, price, speed and health."
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="again" size={13} />}
          loading={explored.isRefetching}
          onClick={lookAgain}
        >
          Look again
        </Button>
      }
    >
      <Answered query={explored} what="providers">
        {(envelope) => {
          const providers = envelope.output['items'] as readonly Provider[];
          return (
            <>
              <MissingPanel providers={providers} />
              {providers.map((provider) => (
                <ProviderPanel
                  key={provider.id}
                  provider={provider}
                  healthFor={(capability) =>
                    capabilities
                      .find((one) => one.capability === capability)
                      ?.providers.find((one) => one.provider === provider.id)?.health
                  }
                  posture={postures.find((one) => one.provider === provider.id)}
                />
              ))}
            </>
          );
        }}
      </Answered>
      <CapabilitiesPanel />
      {operator && <UnknownCallsPanel />}
    </Page>
  );
}
