import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import {
  defaultGrid,
  type GridRequest,
  type GridSurface,
  surfaceGrid,
} from '#src/analytics/domain/surface/surface-grid.ts';
import type { Quoted, SurfaceAnswer } from '#src/analytics/domain/surface/surface-schema.ts';
import type { ExpiryFit, VolSurface } from '#src/analytics/domain/surface/vol-surface.ts';
import type { VolatilityQuotes } from '#src/analytics/domain/surface/volatility-quotes.ts';
import { AppError } from '#src/lib/errors.ts';

/** Selects the part of a stored answer that the query asks for, where that is not all of it. */
export interface SectionView {
  /** Parameters beside those of every section. */
  readonly query: TProperties;
  /**
   * Chooses the stored answer to read and what to send of it; null for the section as it is stored. @throws AppError
   * `invalid_request`.
   */
  readonly read: (query: object) => { readonly field: string; readonly show: (text: string) => string } | null;
}

/** Field for the parameters of a surface, beside the answers of its section. */
export const surfaceField = 'surface_parameters';

/** A surface with all that its values elsewhere follow from. */
export interface StoredSurface extends GridSurface {
  readonly answer: SurfaceAnswer;
  /** Quotes of each expiry of the answer. */
  readonly quoted: readonly Quoted[];
}

const ROWS = 50;
const COLUMNS = 100;

const list = <Item extends TSchema>(
  description: string,
  item: Item,
  maxItems: number,
  example: readonly Static<Item>[],
) =>
  Type.Optional(
    Type.Array(item, { minItems: 1, maxItems, description: `${description}; commas between`, examples: [example] }),
  );

const query = {
  days: list(
    'Rows: calendar days to settlement',
    Type.Number({ exclusiveMinimum: 0, maximum: 36_500 }),
    ROWS,
    [7, 30, 90.5],
  ),
  years: list('Rows: ACT/365 years to settlement', Type.Number({ exclusiveMinimum: 0, maximum: 100 }), ROWS, [0.25, 1]),
  expiries: list(
    'Rows: labels of expiries, as the surface gives them',
    Type.String({ minLength: 1, maxLength: 40 }),
    ROWS,
    ['SPXW 2026-11-20'],
  ),
  k: list(
    'Columns: log-moneyness ln(K/F) against the forward of each row',
    Type.Number({ minimum: -5, maximum: 5 }),
    COLUMNS,
    [-0.05, 0, 0.05],
  ),
  strikes: list(
    'Columns: strikes, points',
    Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
    COLUMNS,
    [5_900, 6_000],
  ),
  quotes: Type.Optional(
    Type.Boolean({ description: 'Whether each expiry comes with the quotes that were fitted to, as `quoted`' }),
  ),
};
const SurfaceQuery = Type.Object(query);
type SurfaceQuery = Static<typeof SurfaceQuery>;

/** Selects what is stored of a surface for callers who request other points than the default grid. */
export function storedSurface({ expiries }: Pick<VolSurface, 'expiries'>, answer: SurfaceAnswer): StoredSurface {
  const pick = ({ label, years, forward, slice }: ExpiryFit) => ({
    label,
    years,
    forward,
    slice,
  });
  return { answer, quoted: expiries.map(({ quoted }) => quotedOf(quoted)), expiries: expiries.map(pick) };
}

/** Rounds quotes to a millionth, which is less than any quote says: their text is stored at every tick. */
function quotedOf({ k, bid, mid, ask }: VolatilityQuotes): Quoted {
  const short = (column: Float64Array) => Array.from(column, (value) => Math.round(value * 1e6) / 1e6);
  return { k: short(k), bid: short(bid), mid: short(mid), ask: short(ask) };
}

/** Shows values on the requested grid, from the parameters of the stored surface: nothing is fitted again. */
export const surfaceView: SectionView = {
  query,
  read: (parameters) => {
    const request = parameters as SurfaceQuery;
    const rows = only(request, ['days', 'years', 'expiries']);
    const columns = only(request, ['k', 'strikes']);
    if (rows === null && columns === null && request.quotes !== true) return null;
    return { field: surfaceField, show: (text) => onGrid(text, request) };
  },
};

/**
 * Returns the one of several parameters that the query sets. @throws AppError `invalid_request` where there are two.
 */
function only(request: SurfaceQuery, names: readonly (keyof typeof query)[]): string | null {
  const set = names.filter((name) => request[name] !== undefined);
  if (set.length < 2) return set[0] ?? null;
  throw refuse(set[1]!, `one of ${names.join(', ')}`, set.join(' and '));
}

interface SurfaceEnvelope {
  readonly data: StoredSurface | null;
}

function onGrid(text: string, request: SurfaceQuery): string {
  const { data, ...around } = JSON.parse(text) as SurfaceEnvelope;
  const shown = data && {
    ...data.answer,
    ...(request.quotes === true && {
      expiries: data.answer.expiries.map((expiry, e) => ({ ...expiry, quoted: data.quoted[e] })),
    }),
    grid: surfaceGrid(data, gridOf(data, request)),
  };
  return JSON.stringify({ ...around, data: shown });
}

function gridOf(surface: StoredSurface, { days, years, expiries, k, strikes }: SurfaceQuery): GridRequest {
  const rows = days ?? years?.map((time) => 365 * time) ?? expiries?.map((label) => daysOf(surface, label));
  const columns = k === undefined && strikes === undefined ? { k: defaultGrid.k } : { k, strikes };
  return { days: rows ?? defaultGrid.days, ...columns };
}

function daysOf({ expiries }: StoredSurface, label: string): number {
  const known = expiries.filter(({ slice }) => slice !== null);
  const found = known.find((expiry) => expiry.label === label);
  if (found) return 365 * found.years;
  throw refuse('expiries', `one of ${known.map((expiry) => expiry.label).join(', ')}`, label);
}

function refuse(name: string, expected: string, got: string): AppError {
  const message = `query.${name}: expected ${expected}, got ${JSON.stringify(got)}.`;
  return new AppError('invalid_request', message, { field: `query.${name}`, value: got });
}
