import { Link } from 'wouter';
import type { Approval, Channel } from '#console/pages/studio/parts/studio-types.ts';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import classes from './effect.module.css';
import { RunningJob } from './job-effect.tsx';

type EffectProps = { readonly approval: Pick<Approval, 'kind' | 'subject' | 'effect'> };

interface RenderEffect {
  readonly planId: string;
  readonly maxCostUsd: string;
  readonly providers: readonly string[];
  readonly makes: readonly string[];
  readonly prompt: string;
}

interface PublishEffect {
  readonly assets: readonly { readonly id: string; readonly sha256: string; readonly name: string }[];
  readonly channels: readonly Channel[];
  readonly deliveredTo: Readonly<Record<string, string>>;
  readonly caption: string;
}

/** Exactly what will happen: everything that the effect says, as it is hashed. */
export function Effect({ approval }: EffectProps) {
  const { kind, effect } = approval;
  if (kind === 'job') return <RunningJob approval={approval} />;
  return kind === 'render' ? (
    <Rendering effect={effect as unknown as RenderEffect} />
  ) : (
    <Publishing effect={effect as unknown as PublishEffect} />
  );
}

function Rendering({ effect: { planId, maxCostUsd, providers, makes, prompt } }: { readonly effect: RenderEffect }) {
  return (
    <KeyValue
      facts={{
        Renders: <Link href={`/studio/plans/${planId}`}>this plan</Link>,
        'Costs at most': <strong>{formatMoney(Number(maxCostUsd))}</strong>,
        Calls: providers.join(', '),
        Makes: (
          <ul className={classes['list']}>
            {makes.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        ),
        'From the words': <span className={classes['words']}>{prompt}</span>,
      }}
    />
  );
}

function Publishing({ effect: { assets, channels, deliveredTo, caption } }: { readonly effect: PublishEffect }) {
  return (
    <KeyValue
      facts={{
        Packages: (
          <ul className={classes['list']}>
            {channels.map((channel) => (
              <li key={channel}>
                {channelFormats[channel].title}
                {deliveredTo[channel] === undefined
                  ? ': kept here, for a person to take'
                  : `: sent once to ${deliveredTo[channel]}`}
              </li>
            ))}
          </ul>
        ),
        Holding: (
          <ul className={classes['list']}>
            {assets.map(({ id, name, sha256 }) => (
              <li key={id}>
                <Link href={`/studio/assets/${id}`}>{name}</Link> <code title={sha256}>{sha256.slice(0, 12)}…</code>
              </li>
            ))}
          </ul>
        ),
        Caption: <span className={classes['words']}>{caption}</span>,
      }}
    />
  );
}
