import Type, { type TSchema } from 'typebox';
import { version } from '#src/system/version.ts';
import type { Generation } from './domain/dealer-positions.ts';
import { GENERATION } from './domain/estimate-schema.ts';

/** Raised whenever a figure of the same chain would come out another way. */
export const modelVersion = version;

const conventions = {
  positions:
    'dealers’ signed contracts. 1: long every call, short every put; 2: prior by type, delta and tenor; 3: signed trades; ensemble: mean of 2 and 3',
  gex: '$ of dealer delta gained per +1 % spot; above zero dealers damp moves, below zero they amplify them',
  flow: 'above zero dealers buy',
  time: 'ACT/365 from the chain’s own timestamp to settlement',
  volatility_shock: 'relative: sigma times (1 + shock / 100)',
} as const;

/** What every analytics answer carries around its `data`. */
export function enveloped<T extends TSchema>(data: T, description: string) {
  return Type.Object(
    {
      symbol: Type.Union([Type.String(), Type.Null()], { description: 'Underlying; null where there are several' }),
      as_of: Type.Union([Type.String(), Type.Null()], {
        description: 'Time the figures stand for, ISO 8601; null where there are none',
      }),
      data_as_of: Type.Record(Type.String(), Type.String(), { description: 'Timestamp of each chain used, ISO 8601' }),
      model_version: Type.String({ description: 'Version of the models behind the figures' }),
      generation: GENERATION,
      units: Type.Record(Type.String(), Type.String(), { description: 'Units of the figures' }),
      conventions: Type.Record(Type.String(), Type.String(), { description: 'Signs and conventions' }),
      synthetic: Type.Boolean({ description: 'Whether any chain used is generated, not of a real market' }),
      status: Type.String({
        description:
          'ok, or why figures are missing or doubtful; degraded_chain: more than a fifth of the rows could not be used (expired ones and duplicates aside), or half of the open interest has no volatility',
      }),
      data,
    },
    { description, additionalProperties: false },
  );
}

export interface Used {
  readonly symbol: string;
  readonly asOf: string;
  readonly synthetic: boolean;
}

export function envelope<T>(
  used: readonly Used[],
  units: Readonly<Record<string, string>>,
  status: string,
  data: T,
  generation: Generation = 1,
) {
  const dates = used.map(({ asOf }) => asOf).toSorted();
  return {
    symbol: used.length === 1 ? (used[0]?.symbol ?? null) : null,
    // the oldest: no figure is newer than the oldest chain in it
    as_of: dates[0] ?? null,
    data_as_of: Object.fromEntries(used.map(({ symbol, asOf }) => [symbol, asOf])),
    model_version: modelVersion,
    generation,
    units,
    conventions,
    synthetic: used.some(({ synthetic }) => synthetic),
    status,
    data,
  };
}
