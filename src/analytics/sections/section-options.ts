import Type, { type TProperties } from 'typebox';
import type { SectionName } from '#src/analytics/answers/sections.ts';
import {
  MODEL_OPTIONS,
  type ModelOptions,
  SCENARIO_LIMIT,
} from '#src/analytics/domain/figures/model-options-schema.ts';
import { AppError } from '#src/lib/errors.ts';

const { scenarios, flip_draws, vol_regime, ssr, expected_vol_points, horizon_hours, band_model, cost, risk_aversion } =
  MODEL_OPTIONS.properties;
const smile = { vol_regime, ssr };
const move = scenarios.items.properties;

type MoveName = keyof typeof move;
const moveNames = Object.keys(move) as MoveName[];
const listOf = (name: MoveName) =>
  Type.Optional(
    Type.Array(move[name], {
      minItems: 1,
      maxItems: SCENARIO_LIMIT,
      description: 'One number a scenario, or one for all of them; commas between; 0 without it',
    }),
  );
const moves = { spot_shock_pct: listOf('spot_shock_pct'), vol_points: listOf('vol_points'), hours: listOf('hours') };

/** Options of the models behind a section that a caller may set; none for a section without an entry. */
const options: Partial<Record<SectionName, TProperties>> = {
  gex: smile,
  levels: { ...smile, flip_draws },
  dsi: smile,
  shadow_gamma: smile,
  flow_forecast: { ...moves, ...smile },
  vcm: { expected_vol_points, horizon_hours },
  hedging_bands: { band_model, cost, risk_aversion },
};

/** The parameters by which a section is computed with models of the caller's own. */
export function optionParameters(section: SectionName): TProperties {
  return options[section] ?? {};
}

type OptionQuery = Partial<Record<MoveName, readonly number[]>> & Omit<ModelOptions, 'scenarios'>;

/** Reads the options of the models that a query sets; null for none. @throws AppError `invalid_request`. */
export function optionsIn(section: SectionName, query: object): ModelOptions | null {
  const names = new Set(Object.keys(optionParameters(section)));
  const set = Object.fromEntries(Object.entries(query).filter(([name]) => names.has(name))) as OptionQuery;
  const { spot_shock_pct, vol_points, hours, ...models } = set;
  if (models.ssr !== undefined && (models.vol_regime ?? 'ssr') !== 'ssr')
    throw refuse('ssr', 'none beside a vol_regime other than ssr', String(models.ssr));
  const requested = scenariosOf({ spot_shock_pct, vol_points, hours });
  const all = { ...models, ...(requested.length > 0 && { scenarios: requested }) };
  return Object.keys(all).length > 0 ? all : null;
}

/** Lists side by side: the n-th scenario is of the n-th of each, and a list of one holds for all. */
function scenariosOf(lists: { readonly [name in MoveName]: readonly number[] | undefined }) {
  const count = Math.max(...moveNames.map((name) => lists[name]?.length ?? 0));
  for (const name of moveNames) {
    const length = lists[name]?.length ?? count;
    if (length !== count && length !== 1) throw refuse(name, `one number or ${count}`, String(length));
  }
  const at = (name: MoveName, n: number) => lists[name]?.[n] ?? lists[name]?.[0] ?? 0;
  return Array.from({ length: count }, (_, n) => ({
    spot_shock_pct: at('spot_shock_pct', n),
    vol_points: at('vol_points', n),
    hours: at('hours', n),
  }));
}

function refuse(name: string, expected: string, got: string): AppError {
  const message = `query.${name}: expected ${expected}, got ${got}.`;
  return new AppError('invalid_request', message, { field: `query.${name}`, value: got });
}
