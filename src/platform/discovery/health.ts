import { type Static, Type } from 'typebox';
import { mediaCapabilities } from '#queues/providers.ts';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { healthOf } from '#src/providers/routing/health.ts';
import { offerView } from '#src/providers/routing/provider-view.ts';
import { version } from '#src/system/config/version.ts';
import type { Context } from '#src/system/context.ts';
import { whyUnready } from '#src/system/health/readiness.ts';
import { perContext } from '#src/system/per-context.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Current health of the platform. */
export const PlatformHealth = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'unavailable'], {
      type: 'string',
      description:
        '`degraded`: something that is configured cannot be done now; `unavailable`: nothing can be accepted (the answer is 503 then)',
    }),
    version: Type.String({ description: 'Version of this release' }),
    queue: Type.Object({
      reachable: Type.Boolean({ description: 'True where work can be accepted and carried out' }),
      reason: Type.Union([Type.String(), Type.Null()], { description: 'Why not; null where it can' }),
    }),
    provider_calls: Type.Enum(['on', 'off'], {
      type: 'string',
      description: 'Says whether providers may be called here',
    }),
    capabilities: Type.Record(
      Type.String(),
      Type.Object({ configured: count('Providers that offer it'), healthy: count('Providers that can be called now') }),
      { description: 'By slug' },
    ),
  },
  { title: 'PlatformHealth' },
);
export type PlatformHealth = Static<typeof PlatformHealth>;

/** Reads the platform's health. Anybody may request it, so it is computed once a second at most. */
export const platformHealth = perContext((context) => sharedAnswer(1_000, async () => await look(context)));

async function look(context: Context): Promise<PlatformHealth> {
  const [reason, health] = await Promise.all([whyUnready(context), healthOf(context)]);
  const capabilities = mediaCapabilities.map((slug) => {
    const offering = catalogueOf(context).filter(({ capabilities: offered }) => offered[slug] !== undefined);
    const healthy = offering.filter((provider) => offerView(provider, slug, health.get(provider.id)).available);
    return [slug, { configured: offering.length, healthy: healthy.length }] as const;
  });
  const isDegraded = capabilities.some(([, { configured, healthy }]) => configured > 0 && healthy === 0);
  return {
    status: reason === null ? (isDegraded ? 'degraded' : 'ok') : 'unavailable',
    version,
    queue: { reachable: reason === null, reason },
    provider_calls: context.config.PROVIDER_CALLS,
    capabilities: Object.fromEntries(capabilities),
  };
}
