import { expect, test } from 'vitest';
import {
  admitTo,
  begunTo,
  busyTo,
  type Circuit,
  circuitRules,
  freshCircuit,
  reportTo,
  stateOf,
} from '#src/lib/async/circuit.ts';
import { judgeHealth } from '#src/providers/routing/health.ts';
import { offer, provider } from './offers.ts';

const { failures, pauseMs, busyMs, longestPauseMs } = circuitRules;
const opened = Array.from({ length: failures }).reduce<Circuit>(
  (circuit) => reportTo(circuit, 0, 'call', false),
  freshCircuit,
);
const probing = admitTo(opened, pauseMs, 'probe', 600_000).next;

test('a provider that is busy is left alone for as long as it says, and its circuit stays closed', () => {
  const busy = Array.from({ length: failures }).reduce<Circuit>(
    (circuit) => busyTo(circuit, 0, 'call', 7_000),
    freshCircuit,
  );
  expect(stateOf(busy, 0)).toBe('closed');
  expect(admitTo(busy, 6_999, 'early', 1)).toMatchObject({ admitted: false, retryAt: 7_000 });
  expect(admitTo(busy, 7_000, 'next', 1).admitted).toBe(true);
});

test.each([
  ['none', 0, busyMs],
  ['a day', 86_400_000, longestPauseMs],
])('a wait of %s has its bounds', (_, requested, waits) => {
  const busy = busyTo(freshCircuit, 0, 'call', requested);
  expect(admitTo(busy, 0, 'early', 1)).toMatchObject({ admitted: false, retryAt: waits });
});

test('a probe that finds its provider busy leaves the next try to another', () => {
  const busy = busyTo(probing, pauseMs, 'probe', 2_000);
  expect(admitTo(busy, pauseMs + 1_999, 'early', 1).admitted).toBe(false);
  expect(admitTo(busy, pauseMs + 2_000, 'next', 1)).toMatchObject({
    admitted: true,
    next: { probe: { token: 'next' } },
  });
});

test('others go as soon as a probe has begun to answer; then one failure opens it for longer, and one success ends that', () => {
  expect(admitTo(probing, pauseMs, 'other', 1).admitted).toBe(false);
  expect(begunTo(probing, 'another')).toBe(probing);
  const begun = begunTo(probing, 'probe');
  expect(admitTo(begun, pauseMs, 'other', 1).admitted).toBe(true);
  expect(reportTo(begun, pauseMs, 'probe', false).openUntil).toBe(pauseMs + 2 * pauseMs);
  const well = reportTo(begun, pauseMs, 'probe', true);
  expect(stateOf(reportTo(well, pauseMs, 'call', false), pauseMs)).toBe('closed');
  expect(well).toMatchObject({ failures: 0, opened: 0 });
});

test('health is that of a capability, with the wait where it is known; a provider in all is judged by its capabilities', () => {
  const one = provider({
    capabilities: { 'image.generate': offer(), 'text.generate': offer(), 'tts.synthesize': offer() },
  });
  const seen = (circuit: Circuit) => ({ circuit, state: stateOf(circuit, 0), now: 0 });
  const health = judgeHealth(
    one,
    new Map([
      ['image.generate', seen(opened)],
      ['text.generate', seen(busyTo(freshCircuit, 0, 'call', 7_000))],
      ['tts.synthesize', seen(freshCircuit)],
    ]),
    new Map(),
  );
  expect(health).toMatchObject({
    state: 'degraded',
    circuit: 'open',
    reason: expect.stringMatching(/^image.generate, text.generate: /),
  });
  expect(health.of?.get('image.generate')).toMatchObject({ state: 'unhealthy', circuit: 'open', waitMs: pauseMs });
  expect(health.of?.get('text.generate')).toMatchObject({ state: 'unhealthy', circuit: 'closed', waitMs: 7_000 });
  expect(health.of?.get('tts.synthesize')).toMatchObject({ state: 'healthy' });
  const failed = new Map([['image.generate', seen(opened)] as const]);
  expect(judgeHealth(one, failed, new Map()).state).toBe('unhealthy');
});
