import { useState } from 'react';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell, useNow } from '#console/ui/time.tsx';
import { momentAtExchange, words } from '#src/lib/charts/figures.ts';

interface FigureStamp {
  readonly as_of: string | null;
  readonly age_seconds: number | null;
  readonly stale: boolean | null;
  readonly feed_status: string | null;
  readonly synthetic: boolean;
  readonly status: string;
}

/** Shows the time of the figures, their age on a running clock, and whether they can be relied on. */
export function Freshness({ of }: { readonly of: FigureStamp }) {
  const now = useNow();
  const [read, setRead] = useState({ of, at: now });
  if (read.of !== of) setRead({ of, at: now });
  const age = of.age_seconds === null ? null : of.age_seconds + Math.max(0, (now - read.at) / 1_000);
  const isWell = of.feed_status === null || of.feed_status === 'ok';
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: '0.1rem 0.75rem' }}>
      {of.as_of !== null && (
        <time dateTime={of.as_of} title={of.as_of}>
          as of {momentAtExchange(of.as_of)} New York
        </time>
      )}
      {age !== null && <span>{age < 1 ? 'now' : `${spell(age)} old`}</span>}
      {of.stale === true && <StateBadge state="stale" tone="bad" />}
      {!isWell && <StateBadge state={`feed ${words(of.feed_status)}`} tone="bad" />}
      {of.status !== 'ok' && of.status !== 'stale' && <StateBadge state={words(of.status)} tone="ask" />}
    </span>
  );
}
