import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { type PricePoint, scorecard } from '#src/analytics/domain/signals/scorecard.ts';
import { SCORECARD } from '#src/analytics/domain/signals/scorecard-schema.ts';
import { type Signal, type SignalKind, signalKinds } from '#src/analytics/domain/signals/signals-schema.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';

const START = Date.UTC(2026, 10, 20, 15, 0);
const MINUTE = 60_000;

const signal = (kind: SignalKind, more: Partial<Signal> = {}): Signal => ({
  id: `SPX.${kind}.x.${START}`,
  symbol: 'SPX',
  kind,
  direction: 'up',
  strength: 0.5,
  confidence: null,
  horizon: '30m',
  as_of: new Date(START).toISOString(),
  expires_at: new Date(START + 30 * MINUTE).toISOString(),
  spot: 6000,
  level: 6010,
  expected_move_pct: 0.25,
  evidence: [],
  invalidation: '',
  ...more,
});
const path = (...spots: number[]): PricePoint[] =>
  spots.map((spot, i) => ({ as_of: START + (i + 1) * 10 * MINUTE, spot }));
const score = (one: Signal, prices: readonly PricePoint[]) =>
  scorecard([one], prices).kinds.find(({ kind }) => kind === one.kind)!;

// Prices at 10, 20 and 30 minutes; one expected move is 15 points.
test.each([
  ['regime_change', { direction: 'expand' }, [6000, 6000, 6016], 1],
  ['regime_change', { direction: 'expand' }, [6050, 6050, 6014], 0],
  ['regime_change', { direction: 'contract' }, [6050, 6050, 6014], 1],
  ['flip_proximity', {}, [6000, 6010, 6000], 1],
  ['flip_proximity', {}, [6000, 6009, 5900], 0],
  ['flip_breach', {}, [6000, 6000, 6011], 1],
  ['flip_breach', { direction: 'down' }, [6000, 6000, 6011], 0],
  ['wall_test', { direction: 'down' }, [6015, 6000, 6000], 1],
  ['wall_test', { direction: 'down' }, [6017, 6000, 6000], 0],
  ['wall_break', {}, [6000, 6000, 6011], 1],
  ['pin', { direction: 'contract' }, [6000, 6000, 6007], 1],
  ['pin', { direction: 'contract' }, [6010, 6010, 6000], 0],
  ['charm_drift', {}, [5990, 5990, 6001], 1],
  ['vanna_squeeze', { direction: 'down' }, [5990, 5990, 6001], 0],
  ['gtbr_breach', {}, [5990, 5990, 6001], 1],
  ['shadow_instability', { direction: 'expand' }, [6000, 6000, 5984], 1],
  ['dark_confirmation', { level: 5990 }, [5985, 6000, 6000], 1],
  ['dark_confirmation', { level: 5990 }, [5983, 6000, 6000], 0],
  ['anomaly', { direction: 'none' }, [6000, 6000, 6001], 0],
] as const)('%s %j with prices %j has %d hits', (kind, more, spots, hits) => {
  expect(score(signal(kind, more), path(...spots))).toMatchObject({ trials: 1, hits, pending: 0, unscored: 0 });
});

test('a price before the signal or after its expiry decides nothing, and an unexpired signal is pending', () => {
  const prices = [{ as_of: START, spot: 6100 }, ...path(5999, 5999, 5999), { as_of: START + 40 * MINUTE, spot: 6100 }];
  expect(score(signal('charm_drift'), prices)).toMatchObject({ hits: 0, trials: 1 });
  expect(score(signal('flip_proximity'), prices)).toMatchObject({ hits: 0, trials: 1 });
  expect(score(signal('charm_drift'), path(6001, 6002))).toMatchObject({ pending: 1, trials: 0, rate: null });
});

test('an expired signal without a price in its time, or a figure it needs, is unscored, never a miss', () => {
  const later = [{ as_of: START + 90 * MINUTE, spot: 6000 }];
  expect(score(signal('charm_drift'), later)).toMatchObject({ unscored: 1, trials: 0 });
  expect(score(signal('anomaly', { expected_move_pct: null }), path(1, 1, 1))).toMatchObject({ unscored: 1 });
  expect(score(signal('wall_break', { level: null }), path(1, 1, 1))).toMatchObject({ unscored: 1 });
});

test('a signal sent twice counts once, and every kind has a row that fits the schema', () => {
  const found = scorecard([signal('pin'), signal('pin')], path(6000, 6000, 6010));
  expect(found.kinds.map(({ kind }) => kind)).toEqual([...signalKinds]);
  expect(found.kinds.find(({ kind }) => kind === 'pin')).toMatchObject({ signals: 1, hits: 1, trials: 1 });
  expect(Value.Check(SCORECARD, found)).toBe(true);
});

test('on a driftless walk every kind hits as often as its chance says', () => {
  const random = randomStream('walk');
  const runs = 400;
  const steps = 200;
  const cases: readonly [SignalKind, Partial<Signal>][] = [
    ['regime_change', { direction: 'contract' }],
    ['flip_proximity', {}],
    ['flip_breach', { direction: 'up', level: 5995 }],
    ['wall_test', { direction: 'down' }],
    ['wall_break', { level: 5995 }],
    ['pin', { level: 6003 }],
    ['charm_drift', {}],
    ['anomaly', { direction: 'none' }],
  ];
  for (const [kind, more] of cases) {
    let [hits, chance] = [0, 0];
    for (let k = 0; k < runs; k++) {
      let log = Math.log(6000);
      const prices = Array.from({ length: steps }, (_, i) => {
        log += (0.0025 / Math.sqrt(steps)) * random.normal();
        return { as_of: START + ((i + 1) * 30 * MINUTE) / steps, spot: Math.exp(log) };
      });
      const row = score(signal(kind, more), prices);
      hits += row.hits;
      chance = row.chance!;
    }
    // Three standard errors, and the steps between prices that hide a touch.
    expect(Math.abs(hits / runs - chance), kind).toBeLessThan(3 * Math.sqrt(0.25 / runs) + 0.02);
  }
});
