import { type Static, Type } from 'typebox';
import { generate } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import type { PlatformWork } from '#src/platform/work.ts';
import { signedLink } from '#src/providers/asset-links.ts';
import { readAsset } from '#src/providers/assets.ts';
import { catalogueOf } from '#src/providers/catalogue-load.ts';
import { healthOf } from '#src/providers/health.ts';
import { routeFor } from '#src/providers/routing.ts';
import { publicUrlOf } from '#src/system/public-url.ts';

const LINK_SECONDS = 86_400;

const Body = Type.Object(
  {
    prompt: Type.String({ minLength: 1, maxLength: 32_000 }),
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    model: Type.Optional(Type.Enum(['auto'], { type: 'string' })),
    response_format: Type.Optional(Type.Enum(['url'], { type: 'string' })),
    user: Type.Optional(Type.String({ maxLength: 512 })),
  },
  { additionalProperties: false },
);

/** Pictures from words: whichever provider suits makes them, and the answer has their addresses. */
export const imageWork: PlatformWork<typeof generate, Static<typeof Body>> = {
  path: '/images/generate',
  aliases: ['/images/generations'],
  body: Body,
  queue: generate,
  payload: async (context, { keyId }, { prompt, n }) => {
    const capability = 'image.generate';
    const request = { prompt, ...(n !== undefined && { count: n }) };
    const question = { catalogue: catalogueOf(context), health: await healthOf(context), capability, request } as const;
    const { primary, backups, leftOut } = routeFor({ ...question, policy: 'balanced' });
    if (!primary) {
      const told = leftOut.map(({ provider, reason }) => `${provider} (${reason})`).join(', ');
      const message = `expected a provider that can be asked for ${capability}, got none: ${told}.`;
      throw new AppError('providers_exhausted', message, { providers: leftOut });
    }
    const route = [primary, ...backups].slice(0, 16).map(({ provider, cost }) => ({ provider, quoted: cost }));
    return { capability, request, route, budgets: [], surface: 'platform', keyId, name: 'image' };
  },
  present: async (context, job, { assets }) => {
    const made = await Promise.all(assets.map(async ({ id }) => await readAsset(context, id, job.owner)));
    const images = made.filter((asset) => asset?.kind === 'image').filter((asset) => asset !== null);
    const link = (asset: (typeof images)[number]) => signedLink(context.config, asset, { seconds: LINK_SECONDS });
    return {
      created: Math.floor((job.finishedAt ?? job.createdAt).getTime() / 1_000),
      data: images.map((asset) => ({ url: `${publicUrlOf(context.config, 'platform')}${link(asset)}` })),
    };
  },
};
