import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import classes from './missing-panel.module.css';
import type { Provider } from './provider-types.ts';

/** Missing settings of providers, and what to do about them; empty where none is missing. */
export function MissingPanel({ providers }: { readonly providers: readonly Provider[] }) {
  const lacking = providers.filter(({ credential }) => credential && !credential.present);
  const onlyLocal = providers.every(({ style }) => style === 'local-animatic');
  const without = providers
    .filter(({ health }) => health.state !== 'unhealthy')
    .flatMap(({ title, capabilities }) =>
      capabilities
        .filter(({ available }) => !available)
        .map(({ capability, unavailableBecause }) => ({ title, capability, unavailableBecause })),
    );
  if (lacking.length === 0 && without.length === 0 && !onlyLocal) return null;
  return (
    <Panel title="What is missing">
      <ul className={classes['list']}>
        {lacking.map(({ id, title, credential }) => (
          <li key={id}>
            <Icon name="key" />
            <span>
              {title} has no key. Set <code>{credential?.variable}</code> in the environment of the API and the workers,
              and start them again.
            </span>
          </li>
        ))}
        {without.map(({ title, capability, unavailableBecause }) => (
          <li key={`${title} ${capability}`}>
            <Icon name="alert" />
            <span>
              {title} cannot do {capability}: {unavailableBecause}
            </span>
          </li>
        ))}
        {onlyLocal && (
          <li>
            <Icon name="providers" />
            <span>
              Only this machine makes anything. Vendors are listed in one file that the setting{' '}
              <code>PROVIDERS_FILE</code> names; docs/providers.md says how.
            </span>
          </li>
        )}
      </ul>
    </Panel>
  );
}
