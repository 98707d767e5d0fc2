import { useCall } from '#console/api/use-call.ts';
import type { Figures } from './section.tsx';
import type { ViewProps } from './view-props.ts';

export interface Levels {
  readonly spot: number;
  readonly flip: number | null;
  readonly flips: Figures<'GET /v1/levels/{symbol}'>['flips'];
  readonly levels: Figures<'GET /v1/levels/{symbol}'>;
  readonly netGex: number | null;
  readonly regime: Figures<'GET /v1/regime/{symbol}'> | null;
  /** Probability that net gamma is above zero, by the model's own error; null where it has none. */
  readonly probability: number | null;
}

/** The levels of a symbol as they are now: what was read, and over it what the stream has said since. */
export function useLevels({ symbol, generation, market }: ViewProps): Levels | null {
  const input = { path: { symbol }, query: { generation } };
  const read = useCall('GET /v1/levels/{symbol}', input);
  const other = useCall('GET /v1/regime/{symbol}', input);
  const answer = read.data && 'data' in read.data ? read.data : null;
  const regimes = other.data && 'data' in other.data ? other.data : null;
  if (!answer?.data) return null;
  const regime = regimes?.data ?? null;
  // the stream tells of the feed, by the convention alone
  const live = generation === '1' && answer.age_seconds !== null ? market : null;
  const flips = live?.flips ?? answer.data.flips;
  return {
    spot: live?.spot ?? answer.data.spot,
    flips,
    flip: live?.flips ? (live.flips.primary?.level ?? null) : answer.data.flip,
    levels: { ...answer.data, ...live?.levels },
    netGex: live?.net_gex ?? regime?.net_gex ?? null,
    regime: regime && { ...regime, ...live?.regime },
    probability: regime?.estimate.p_positive ?? null,
  };
}
