import { isRecord, type ResultRow, rowsOf } from './rows.ts';

/**
 * Adds to an answer the single members of its lists that a question can be about, beside the answer: rows of a list cannot
 * be said in a sentence. Each under a name of its own, with a word that says why where there is none.
 */
export function singleFigures(tool: string, data: ResultRow, { asOf, args }: Around): ResultRow {
  return { ...data, ...adders[tool]?.(data, { asOf, args }) };
}

export interface Around {
  /** Instant of the answer, ISO 8601. */
  readonly asOf: string;
  /** Arguments of the call. */
  readonly args: ResultRow;
}

const NO_ERROR = 'the convention of generation 1 states no error; ask by the ensemble';

const adders: Readonly<Record<string, (data: ResultRow, around: Around) => ResultRow>> = {
  levels: (data, around) => ({ ...distances(data), ...maxPains(data, around), flip_interval_why: intervalWhy(data) }),
  gex: (data, { args }) => ({
    ...strikeOf(data, args['strike']),
    top_expiry: largest(rowsOf(data['gex_by_expiry']), 'gex'),
    no_error: NO_ERROR,
  }),
  vex: () => ({ no_error: NO_ERROR }),
  cex: () => ({ no_error: NO_ERROR }),
  regime: () => ({ no_error: NO_ERROR }),
  dsi: () => ({ no_error: NO_ERROR }),
  charm: () => ({ no_session: 'no session is open' }),
  flow_forecast: (data, { args }) => ({
    forecast: rowsOf(data['horizons']).find((row) => row['horizon'] === (args['horizon'] ?? '1d')) ?? null,
    scenario: rowsOf(data['scenarios'])[0] ?? null,
  }),
  signals: (data) => {
    const current = rowsOf(data['current']);
    return { in_force: { count: current.length, kinds: current.length === 0 ? 'none' : signalNames(current) } };
  },
  hedging_bands: (data) => nearestZone(data),
  darkpool: (data) => {
    const levels = rowsOf(data['levels']);
    const confirmed = levels.filter((row) => row['confirmed'] === true).map((row) => String(row['name']));
    return { confirmed: levels.length === 0 ? null : confirmed.length === 0 ? 'none' : confirmed.join(' and ') };
  },
};

/** Computes the distance of each level from spot, in points and percent of spot, above zero where it is above. */
function distances(data: ResultRow): ResultRow {
  const spot = data['spot'];
  const names = ['flip', 'call_wall', 'put_wall', 'abs_gamma', 'hvl'];
  const away = names.map((name) => {
    const level = data[name];
    if (typeof level !== 'number' || typeof spot !== 'number')
      return [name, { distance_points: null, distance_pct: null }];
    return [name, { distance_points: level - spot, distance_pct: 100 * (level / spot - 1) }];
  });
  return { distances: Object.fromEntries(away) };
}

function maxPains(data: ResultRow, { asOf }: Around): ResultRow {
  const known = rowsOf(data['max_pain']).filter((row) => typeof row['level'] === 'number');
  const today = newYorkDay(asOf);
  const expiring = known.filter((row) => String(row['expiry']).endsWith(today));
  return {
    max_pain_next: known[0] ?? null,
    max_pain_today: expiring[0] ?? null,
    max_pain_today_status: expiring.length === 0 ? 'no expiry settles today' : 'ok',
  };
}

function intervalWhy({ flip_interval: interval }: ResultRow): string {
  const status = isRecord(interval) ? interval['status'] : 'none';
  return status === 'no_sd' ? NO_ERROR : String(status);
}

function strikeOf(data: ResultRow, strike: unknown): ResultRow {
  if (strike === undefined) return {};
  const found = rowsOf(data['gex_by_strike']).find((row) => row['strike'] === strike);
  return { strike: found ?? null, strike_status: found ? 'ok' : 'no contract of that strike is held' };
}

function largest(rows: readonly ResultRow[], name: string): ResultRow | null {
  const size = (row: ResultRow) => Math.abs(Number(row[name]));
  return rows.toSorted((a, b) => size(b) - size(a))[0] ?? null;
}

function signalNames(rows: readonly ResultRow[]): string {
  return [...new Set(rows.map((row) => String(row['kind']).replaceAll('_', ' ')))].join(' and ');
}

function nearestZone(data: ResultRow): ResultRow {
  const [lower, upper] = [data['lower'], data['upper']].map((edge) => (isRecord(edge) ? Number(edge['level']) : NaN));
  const away = (zone: ResultRow) =>
    Math.min(
      ...[Number(zone['lower']) - upper!, lower! - Number(zone['upper'])].map((gap) => (gap >= 0 ? gap : Infinity)),
    );
  const zones = rowsOf(data['zones']).toSorted((a, b) => away(a) - away(b));
  return { nearest_zone: zones[0] ?? null, zones_status: zones.length === 0 ? 'there is no dormant zone' : 'ok' };
}

/** The New York day of an instant, `YYYY-MM-DD`. */
export function newYorkDay(asOf: string): string {
  return Temporal.Instant.from(asOf).toZonedDateTimeISO('America/New_York').toPlainDate().toString();
}
