import { type MediaCapability, mediaCapabilities } from '#queues/providers.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { missingCredential } from '#src/providers/catalogue/credentials.ts';
import { healthFor, healthOf } from '#src/providers/routing/health.ts';
import { healthView, offerView } from '#src/providers/routing/provider-view.ts';
import { flagshipMediaRoadmap } from '#src/studio/domain/roadmap.ts';
import { modesUsing } from '#src/studio/domain/workflows.ts';
import type { Context } from '#src/system/context.ts';

/** Providers with what they offer and how they are. Names of credentials are shown, never values. */
export async function providerViews(context: Context) {
  const health = await healthOf(context);
  return catalogueOf(context).map((provider) => {
    const { id, title, style, credential } = provider;
    const state = health.get(id);
    return {
      id,
      title,
      style,
      health: healthView(state),
      credential:
        credential === undefined ? null : { variable: credential, present: missingCredential(provider) === null },
      capabilities: (Object.keys(provider.capabilities) as MediaCapability[]).map((capability) => ({
        capability,
        ...offerView(provider, capability, state),
      })),
    };
  });
}

/** Lists every capability with its providers and the modes whose plans use it; then the planned capabilities. */
export async function capabilityViews(context: Context) {
  const health = await healthOf(context);
  const catalogue = catalogueOf(context);
  const known = mediaCapabilities.map((capability) => {
    const providers = catalogue
      .filter(({ capabilities }) => capabilities[capability] !== undefined)
      .map((provider) => ({
        provider: provider.id,
        title: provider.title,
        health: healthView(healthFor(health.get(provider.id), capability)),
        ...offerView(provider, capability, health.get(provider.id)),
      }));
    const status = providers.some(({ available }) => available) ? 'available' : 'unavailable';
    return { capability, status, modes: modesUsing(capability), providers };
  });
  const planned = new Set(flagshipMediaRoadmap.flatMap(({ capabilities }) => capabilities));
  for (const capability of mediaCapabilities) planned.delete(capability);
  return [
    ...known,
    ...[...planned].toSorted().map((capability) => ({ capability, status: 'planned', modes: [], providers: [] })),
  ];
}
