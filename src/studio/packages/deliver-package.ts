import { postSigned, RECEIVER_MS } from '#src/governance/owners/post-signed.ts';
import { ownerSecret } from '#src/governance/owners/webhook-secrets.ts';
import { EffectRefused, runEffect } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import { signedLink } from '#src/providers/assets/asset-links.ts';
import type { Asset } from '#src/providers/assets/assets.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { NotSent, type OutsideAnswer } from '#src/system/outside/outside.ts';
import { deliveryEffect } from './deliveries.ts';
import type { PackageManifest } from './package-manifest.ts';
import { type PackageLink, packageMessage } from './package-message.ts';

/** Seconds to fetch a package: a week, so that a person is back at work within it. */
const LINK_SECONDS = 7 * 86_400;
/** Answers that ask to be tried again later. */
const passing = (status: number): boolean => status >= 500 || status === 429 || status === 408;

export interface PackageDelivery {
  readonly job: { readonly id: string; readonly attempt: number; readonly owner: string };
  /** Address that the approval was for, secret in its path perhaps. */
  readonly address: URL;
  readonly asset: Asset;
  readonly manifest: PackageManifest;
}

/**
 * Notifies a channel's receiver of its package by a signed POST (Standard Webhooks), once. `webhook-id` and package are
 * the same at every try; time and link are new. The receiver cannot be asked whether it has got the message, and an
 * address that an operator configures does not have to leave out repetitions. So the effect is of the kind `neither`,
 * and after a break in the exchange only a human sends again.
 *
 * @returns the `webhook-id`
 * @throws AppError `unavailable` where it was refused for now (408, 429, 5xx, no connection) or the exchange broke
 *   off, `outcome_unknown` after that, `provider_refused` where it was refused, `forbidden`.
 */
export async function deliverPackage(
  context: Context,
  { job, address, asset, manifest }: PackageDelivery,
  signal: AbortSignal,
  timeoutMs: number = RECEIVER_MS,
): Promise<string> {
  const { channel } = manifest;
  // before the effect: without it nothing was sent
  const secrets = [await ownerSecret(context, job.owner)];
  const post = async (body: string, id: string): Promise<OutsideAnswer> => {
    try {
      return await postSigned({ url: address.href, origins: [address.origin], id, body, secrets, timeoutMs }, signal);
    } catch (error) {
      if (error instanceof NotSent)
        throw new EffectRefused(error.code, error.message, { ...error.details, channel }, error);
      if (signal.aborted || error instanceof AppError) throw error;
      throw new AppError(
        'unavailable',
        `expected an answer of ${address.origin}, and the exchange broke off: whether it took the package of ${channel} is not known.`,
        { channel },
        error,
      );
    }
  };
  const { externalId } = await runEffect(
    context,
    job,
    deliveryEffect(channel),
    { channel, package: asset.sha256, origin: address.origin },
    {
      kind: 'neither',
      send: async (_request, key) => {
        const now = Date.now();
        const { status } = await post(
          packageMessage(manifest, asset, linkTo(context, asset, now), new Date(now).toISOString()),
          key,
        );
        if (status < 200 || status > 299) throw refused(channel, address.origin, status);
        return { externalId: key, outcome: { origin: address.origin, status, webhookId: key } };
      },
    },
    signal,
  );
  return externalId ?? `${job.id}.${deliveryEffect(channel)}`;
}

/** Builds an address under which its bearer can fetch the package for a week. */
function linkTo({ config }: Context, asset: Asset, now: number): PackageLink {
  const url = new URL(signedLink(config, asset, { seconds: LINK_SECONDS, now }), publicUrlOf(config, 'studio'));
  return { url: url.href, expiresAt: new Date(Number(url.searchParams.get('expires')) * 1_000).toISOString() };
}

function refused(channel: string, origin: string, status: number): EffectRefused {
  return new EffectRefused(
    passing(status) ? 'unavailable' : 'provider_refused',
    `expected ${origin} to take the package of ${channel}, got ${status}. The package is stored among your assets.`,
    { channel, status },
  );
}
