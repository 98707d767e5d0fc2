import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { regimeStates } from '#src/analytics/domain/regime/regime.ts';
import { initialSignalState, signalStep } from '#src/analytics/domain/signals/signals.ts';
import {
  OBSERVATION,
  type Observation,
  SIGNAL,
  SIGNAL_STATE,
  type Signal,
} from '#src/analytics/domain/signals/signals-schema.ts';
import { cusumStep, robustZ } from '#src/analytics/domain/statistics/anomaly.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { quiet, START } from '#test/analytics/quiet-market.ts';

/** Runs observations a minute apart, each a change of the quiet one, and gives the signals of each. */
function run(changes: readonly Partial<Observation>[]): Signal[][] {
  let state = initialSignalState('SPX');
  return changes.map((change, i) => {
    const step = signalStep(state, { ...quiet, as_of: START + i * 60_000, ...change });
    state = step.state;
    return [...step.signals];
  });
}
const kinds = (steps: readonly Signal[][]) => steps.map((signals) => signals.map(({ kind }) => kind));

test('another flip that is the nearest now is no breach: spot has crossed nothing', () => {
  const leap = run([{ flip: 5990 }, { flip: 6020 }, { flip: 6020 }, { flip: 6020 }]);
  expect(kinds(leap).flat()).not.toContain('flip_breach');
  // from there on it is watched like the one before
  const through = run([{ flip: 5990 }, { flip: 6020 }, { flip: 6020, spot: 6027 }]);
  expect(through[2]).toMatchObject([{ kind: 'flip_breach', direction: 'up', level: 6020 }]);
  // and a flip that drifts through spot is crossed after two observations
  const drift = run([{ flip: 5998 }, { flip: 6002 }, { flip: 6003 }]);
  expect(kinds(drift).at(-1)).toContain('flip_breach');
});

test('without a volatility no distance is in sigmas: the rules that measure so stay silent', () => {
  const near = { flip: 6001, call_wall: 6001, put_wall: 5999, gci_confirmed: true, confirmed_level: 6001 };
  const held = kinds(run([near])).flat();
  expect(held).toEqual(expect.arrayContaining(['flip_proximity', 'wall_test', 'dark_confirmation']));
  expect(kinds(run([{ ...near, atm_vol: null }]))).toEqual([[]]);
});

test('a quiet market makes no signal', () => {
  expect(kinds(run([{}, {}, {}, {}]))).toEqual([[], [], [], []]);
});

test('a regime change is made by two observations in a row, once, and a flicker makes none', () => {
  const at = (...states: Observation['regime'][]) => kinds(run(states.map((regime) => ({ regime }))));
  expect(at('positive', 'negative', 'negative', 'negative')).toEqual([[], [], ['regime_change'], []]);
  expect(at('positive', 'negative', 'positive', 'negative', 'positive')).toEqual([[], [], [], [], []]);
  expect(at('positive', 'negative', null, 'negative')).toEqual([[], [], [], ['regime_change']]);
  const signal = run([{}, { regime: 'strong_negative' }, { regime: 'strong_negative' }])[2]![0]!;
  expect(signal).toMatchObject({ direction: 'expand', strength: 0.75, horizon: '1d' });
  expect(signal.confidence).toBe(0.9);
  // dealers short gamma, by a convention that the ensemble of positions does not share
  const short = { net_gex: -2e9, regime: 'strong_negative' } as const;
  expect(run([{}, short, short])[2]![0]!.confidence).toBeCloseTo(0.1, 12);
  const unknown = { regime: 'strong_negative', gex_p_positive: null } as const;
  expect(run([{}, unknown, unknown])[2]![0]!.confidence).toBeNull();
});

test('a flip is breached by two observations beyond it, or at once by 0.1 %; a touch and return is none', () => {
  const at = (...spots: number[]) =>
    run(spots.map((spot) => ({ spot, flip: 6000 }))).map((signals) =>
      signals.filter(({ kind }) => kind === 'flip_breach').map(({ direction }) => direction),
    );
  expect(at(6010, 5999, 5998)).toEqual([[], [], ['down']]);
  expect(at(6010, 5999, 6001, 5999, 6001)).toEqual([[], [], [], [], []]);
  expect(at(6010, 5993, 5990, 6007)).toEqual([[], ['down'], [], ['up']]);
  expect(at(6000, 6000, 5990)).toEqual([[], [], []]);
});

test('nearness to the flip starts within a quarter of a day’s sigma, once, and again only after half of one', () => {
  // A day's sigma is 16 %/√252 = 1.008 %, 60 points.
  const distances = [40, 14, 20, 14, 25, 14, 31, 14];
  const steps = run(distances.map((points) => ({ flip: 6000 - points })));
  expect(kinds(steps).map((found) => found.includes('flip_proximity'))).toEqual([
    false,
    true,
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
  expect(steps[1]![0]!.direction).toBe('down');
});

test('a wall is tested inside and broken past the wall remembered, though the chain names the next one', () => {
  const steps = run([{ spot: 6100 }, { spot: 6196 }, { spot: 6202, call_wall: 6250 }, { spot: 6203, call_wall: 6250 }]);
  expect(kinds(steps)).toEqual([[], ['wall_test'], [], ['wall_break']]);
  expect(steps[1]![0]).toMatchObject({ direction: 'down', level: 6200 });
  expect(steps[3]![0]).toMatchObject({ direction: 'up', level: 6200 });
  const down = run([{ flip: null }, { flip: null, spot: 5790, put_wall: 5700 }]);
  expect(down[1]).toMatchObject([{ kind: 'wall_break', direction: 'down', level: 5800 }]);
});

test('a wall that moves away while spot is inside is not broken', () => {
  expect(kinds(run([{ call_wall: 6050 }, { call_wall: 6400 }, { spot: 6100, call_wall: 6400 }]))).toEqual([[], [], []]);
});

test('a pin needs the last two hours, nearness and long gamma', () => {
  const near = { pin_strike: 6005, minutes_to_close: 90 };
  const first = (change: Partial<Observation>) => kinds(run([change]))[0];
  expect(first(near)).toEqual(['pin']);
  expect(first({ ...near, minutes_to_close: 121 })).toEqual([]);
  expect(first({ ...near, net_gex: -1e9 })).toEqual([]);
  expect(first({ ...near, pin_strike: 6040 })).toEqual([]);
  const [signals] = run([near]);
  expect(signals![0]!.expires_at).toBe(new Date(START + 90 * 60_000).toISOString());
});

test.each([
  ['charm_drift', { charm_flow: 2.1e9 }, 'up'],
  ['charm_drift', { charm_flow: -2.1e9 }, 'down'],
  ['vanna_squeeze', { vcm: 0.6 }, 'up'],
  ['vanna_squeeze', { vcm: -0.6 }, 'down'],
  ['gtbr_breach', { gtbr_breach: true, session_open: 6080 }, 'down'],
  ['shadow_instability', { instability_ratio: 0.95 }, 'expand'],
  ['dark_confirmation', { gci_confirmed: true }, 'up'],
  ['dark_confirmation', { gci_confirmed: true, confirmed_level: 6040 }, 'down'],
] as const)(
  '%s starts at its threshold, stays in force, and starts again after it ended',
  (kind, change, direction) => {
    const steps = run([{}, change, change, {}, change]);
    expect(kinds(steps)).toEqual([[], [kind], [], [], [kind]]);
    expect(steps[1]![0]!.direction).toBe(direction);
  },
);

test('a flow that turns round is a new signal, and conflicting vanna and charm are none', () => {
  expect(kinds(run([{ vcm: 0.6 }, { vcm: -0.6 }, { vcm: 0.6 }])).flat()).toHaveLength(3);
  expect(kinds(run([{ vcm: 0.9, vcm_agreement: -1 }]))).toEqual([[]]);
});

test('between the thresholds a signal stays in force; an expired one whose condition lasts is made again', () => {
  expect(kinds(run([{ vcm: 0.6 }, { vcm: 0.4 }, { vcm: 0.6 }]))).toEqual([['vanna_squeeze'], [], []]);
  const late = run([
    { vcm: 0.6, minutes_to_close: 1 },
    { vcm: 0.6, minutes_to_close: 0 },
  ]);
  expect(kinds(late)).toEqual([['vanna_squeeze'], ['vanna_squeeze']]);
  expect(late[0]![0]!.id).not.toBe(late[1]![0]!.id);
});

const noise = (seed: string, count: number) => {
  const random = randomStream(seed);
  return Array.from({ length: count }, () => random.normal());
};

test('a jump of one figure is an anomaly by robust z, a drift of small steps by CUSUM, and noise seldom is', () => {
  const walk = (steps: readonly number[]) => {
    let net = 2e9;
    return run(steps.map((step) => ({ net_gex: (net += 1e6 * step) }))).map((signals) =>
      signals.map(({ evidence }) => evidence[0]!),
    );
  };
  const jump = walk([...noise('j', 60), 25]);
  expect(jump.at(-1)).toMatchObject([{ metric: 'net_gex_robust_z', threshold: 6 }]);
  expect(jump.slice(0, -1).flat()).toEqual([]);
  const drift = walk([...noise('d', 60), ...noise('e', 14).map((step) => step * 0.3 + 1.8)]);
  expect(drift.flat().map(({ metric }) => metric)).toEqual(['net_gex_cusum']);
  const spread = run([
    ...noise('s', 60).map((step) => ({ median_spread: 0.02 + 1e-4 * step })),
    { median_spread: 0.05 },
  ]);
  expect(spread.at(-1)!.map(({ evidence }) => evidence[0]!.metric)).toEqual(['median_spread_robust_z']);
});

test('robust z is 1 at one scaled MAD, and undefined where half of the sample is one value', () => {
  expect(robustZ(3 + 1.4826, [1, 2, 3, 4, 5])).toBeCloseTo(1, 14);
  expect(robustZ(-7, [1, 2, 3, 4, 5])).toBeLessThan(-6);
  expect([robustZ(9, [1, 1, 1, 5]), robustZ(1, [1, 2])]).toEqual([null, null]);
});

test('CUSUM gathers what is above half a sigma, and one wild value alone never alarms', () => {
  expect(cusumStep({ up: 1, down: 1 }, 1)).toEqual({ up: 1.5, down: 0 });
  expect(cusumStep({ up: 0, down: 0 }, -100)).toEqual({ up: 0, down: 2.5 });
});

const figure = (min: number, max: number) => fc.option(fc.double({ min, max, noNaN: true }), { freq: 6 });
const flag = fc.option(fc.boolean());
const observation: fc.Arbitrary<Observation> = fc.record({
  symbol: fc.constant('SPX'),
  as_of: fc.integer({ min: 0, max: 400 }).map((minute) => START + minute * 60_000),
  spot: fc.double({ min: 5800, max: 6200, noNaN: true }),
  session_open: figure(5900, 6100),
  minutes_to_close: figure(0, 390),
  next_close: fc.constant(null),
  net_gex: figure(-5e9, 5e9),
  gex_p_positive: figure(0, 1),
  flip: figure(5900, 6100),
  call_wall: figure(6000, 6200),
  put_wall: figure(5800, 6000),
  pin_strike: figure(5950, 6050),
  regime: fc.option(fc.constantFrom(...regimeStates)),
  dsi: figure(0, 100),
  vcm: figure(-1, 1),
  vcm_agreement: fc.constantFrom(null, -1, 0, 1),
  gtbr: figure(0, 3),
  gtbr_breach: flag,
  instability_ratio: figure(0, 1),
  gci_confirmed: flag,
  confirmed_level: figure(5900, 6100),
  atm_vol: figure(0.05, 0.5),
  median_spread: figure(0, 0.2),
  charm_flow: figure(-1e10, 1e10),
  adv_usd: figure(1e9, 1e12),
});
const history = fc.array(observation, { minLength: 1, maxLength: 60 });

test('signals and states fit their schemas, ids are unique, and a state survives being written as JSON', () => {
  fc.assert(
    fc.property(history, (observations) => {
      let state = initialSignalState('SPX');
      const ids: string[] = [];
      for (const item of observations) {
        expect(Value.Check(OBSERVATION, item)).toBe(true);
        const step = signalStep(state, item);
        // As JSON on both sides: it writes −0 as 0.
        expect(JSON.stringify(signalStep(JSON.parse(JSON.stringify(state)), item))).toBe(JSON.stringify(step));
        state = step.state;
        expect(Value.Check(SIGNAL_STATE, state)).toBe(true);
        for (const signal of step.signals) {
          expect(Value.Check(SIGNAL, signal)).toBe(true);
          expect(Date.parse(signal.expires_at)).toBeGreaterThan(Date.parse(signal.as_of));
          ids.push(signal.id);
        }
      }
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('a repeated observation, and one that comes late, change nothing', () => {
  fc.assert(
    fc.property(history, observation, (observations, late) => {
      let state = initialSignalState('SPX');
      for (const item of observations) {
        state = signalStep(state, item).state;
        expect(signalStep(state, item)).toEqual({ state, signals: [] });
        if (late.as_of <= state.as_of!) expect(signalStep(state, late)).toEqual({ state, signals: [] });
      }
    }),
  );
});

test('a state is never changed in place', () => {
  fc.assert(
    fc.property(history, (observations) => {
      let state = initialSignalState('SPX');
      for (const item of observations) {
        const before = JSON.stringify(state);
        const step = signalStep(state, item);
        expect(JSON.stringify(state)).toBe(before);
        state = step.state;
      }
    }),
  );
});

test('figures that are not numbers count as unknown, a spot that is none is no tick, another symbol is refused', () => {
  const state = initialSignalState('SPX');
  expect(signalStep(state, { ...quiet, spot: Number.NaN }).state).toBe(state);
  const step = signalStep(state, { ...quiet, atm_vol: Number.NaN, flip: Infinity, vcm: Number.NaN });
  expect(Value.Check(SIGNAL_STATE, step.state)).toBe(true);
  expect(step.state.flip.level).toBe(null);
  expect(() => signalStep(state, { ...quiet, symbol: 'QQQ' })).toThrow('expected an observation of SPX');
});
