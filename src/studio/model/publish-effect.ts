import type { Asset } from '#src/providers/assets/assets.ts';
import type { Config } from '#src/system/config/config-type.ts';

/** Address that a channel's packages are delivered to; null where they are only exported. */
export function channelAddress({ CHANNEL_WEBHOOKS }: Pick<Config, 'CHANNEL_WEBHOOKS'>, channel: string): URL | null {
  const found = CHANNEL_WEBHOOKS.find((one) => one.startsWith(`${channel}=`));
  return found === undefined ? null : URL.parse(found.slice(channel.length + 1));
}

export interface PublishEffect {
  readonly kind: 'publish';
  readonly assets: readonly { readonly id: string; readonly sha256: string; readonly name: string }[];
  readonly channels: readonly string[];
  /** Origins that packages are sent to, by channel; the address itself may hold a secret. */
  readonly deliveredTo: Readonly<Record<string, string>>;
  readonly caption: string;
}

/** Describes exactly what a publication does: an approval is requested for it, and compared with it when used. */
export function publishEffect(
  config: Pick<Config, 'CHANNEL_WEBHOOKS'>,
  assets: readonly Asset[],
  channels: readonly string[],
  caption: string,
): PublishEffect {
  const delivered = channels.map((channel) => [channel, channelAddress(config, channel)?.origin] as const);
  return {
    kind: 'publish',
    assets: assets.map(({ id, sha256, name }) => ({ id, sha256, name })),
    channels: channels.toSorted(),
    deliveredTo: Object.fromEntries(delivered.filter((one): one is readonly [string, string] => one[1] !== undefined)),
    caption,
  };
}
