import { publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import type { Principal } from '#src/lib/principal.ts';
import { callerName } from '#src/lib/principal.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { missingCredential } from '#src/providers/catalogue/credentials.ts';
import { healthOf } from '#src/providers/routing/health.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { Context } from '#src/system/context.ts';

/** Publishes to the owner's stream what a provider lacks to be called here, for the operator. Names, never values. */
export async function requestProviderSetup(context: Context, principal: Principal, id: string): Promise<Outcome> {
  const { owner } = principal;
  const needs = await whatIsMissing(context, id);
  const event = await context.db.transaction(
    async (tx) =>
      await tellOwner(tx, owner, 'provider.setup_requested', { provider: id, needs, by: callerName(principal) }),
  );
  await publishOwnerEvents(context, owner, [event]);
  return {
    output: {
      provider: id,
      ready: needs.length === 0,
      needs,
      recorded: { event: event.n, type: event.type, at: event.at.toISOString() },
    },
    warnings:
      needs.length > 0 ? ['The operator of this service sets these; no secret is sent over this interface.'] : [],
    resources: ['studio://providers/catalog'],
  };
}

interface Need {
  readonly kind: 'catalogue_entry' | 'credential' | 'package' | 'recovery';
  readonly name: string;
  readonly todo: string;
}

async function whatIsMissing(context: Context, id: string): Promise<readonly Need[]> {
  const provider = catalogueOf(context).find((one) => one.id === id);
  if (!provider) {
    return [
      {
        kind: 'catalogue_entry',
        name: id,
        todo: 'Add the provider to the file that PROVIDERS_FILE names: id, style, url, credential, capabilities with price and latency.',
      },
    ];
  }
  const health = (await healthOf(context)).get(id);
  const credential = missingCredential(provider);
  return [
    ...(credential === null
      ? []
      : [
          {
            kind: 'credential' as const,
            name: credential,
            todo: `Set the environment variable ${credential} of the worker processes to a key of ${provider.title}.`,
          },
        ]),
    ...[...(health?.without ?? [])].map(([capability, why]) => ({
      kind: 'package' as const,
      name: capability,
      todo: `${why}: install it for ${capability}.`,
    })),
    ...(health?.circuit === 'open' ? [{ kind: 'recovery' as const, name: id, todo: `Wait: ${health.reason}.` }] : []),
  ];
}
