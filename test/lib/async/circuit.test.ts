import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MediaCapability } from '#queues/providers.ts';
import { admitTo, type Circuit, circuitRules, freshCircuit, reportTo, stateOf } from '#src/lib/async/circuit.ts';
import { localProvider } from '#src/providers/catalogue/local-provider.ts';
import { judgeHealth } from '#src/providers/routing/health.ts';
import { provider } from '#test/providers/offers.ts';

const PROBE_MS = 1_000;
const failing = (times: number, at = 0): Circuit =>
  Array.from({ length: times }).reduce<Circuit>((circuit) => reportTo(circuit, at, 'call', false), freshCircuit);
const opened = failing(circuitRules.failures);

const seen = (circuit: Circuit, now: number, capabilities: readonly MediaCapability[] = ['image.generate']) =>
  new Map(capabilities.map((name) => [name, { circuit, state: stateOf(circuit, now), now }]));

test('failures in a row open it, and a success between them starts the count again', () => {
  expect(stateOf(failing(circuitRules.failures - 1), 0)).toBe('closed');
  expect(stateOf(opened, 0)).toBe('open');
  const saved = reportTo(failing(circuitRules.failures - 1), 0, 'call', true);
  expect(stateOf(reportTo(saved, 0, 'call', false), 0)).toBe('closed');
});

test('after its pause one call tries it, whose outcome closes it or opens it for twice as long', () => {
  const { pauseMs } = circuitRules;
  expect(admitTo(opened, pauseMs - 1, 'early', PROBE_MS)).toMatchObject({ admitted: false, retryAt: pauseMs });
  const first = admitTo(opened, pauseMs, 'probe', PROBE_MS);
  expect(first.admitted).toBe(true);
  expect(admitTo(first.next, pauseMs + 1, 'second', PROBE_MS).admitted).toBe(false);
  expect(stateOf(reportTo(first.next, pauseMs + 1, 'probe', true), pauseMs + 1)).toBe('closed');
  const again = reportTo(first.next, pauseMs + 1, 'probe', false);
  expect(again.openUntil).toBe(pauseMs + 1 + 2 * pauseMs);
});

test('a probe whose process died, or that was cancelled, holds no caller up', () => {
  const at = circuitRules.pauseMs;
  const { next } = admitTo(opened, at, 'dead', PROBE_MS);
  expect(admitTo(next, at + PROBE_MS, 'next', PROBE_MS).admitted).toBe(true);
  expect(admitTo(reportTo(next, at, 'dead', null), at, 'next', PROBE_MS).admitted).toBe(true);
});

test('property: at most one call is under way while it is not closed, and calls from before change nothing', () => {
  const step = fc.record({
    wait: fc.nat(circuitRules.pauseMs * 2),
    well: fc.constantFrom(true, false, null),
    late: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let circuit = opened;
      let now = 0;
      let probing: string | null = null;
      for (const [index, { wait, well, late }] of steps.entries()) {
        now += wait;
        if (stateOf(circuit, now) === 'closed') break;
        if (late) {
          const { openUntil, probe } = circuit;
          circuit = reportTo(circuit, now, 'from before', true);
          expect(circuit).toMatchObject({ openUntil, probe });
        }
        const { admitted, next } = admitTo(circuit, now, `probe-${index}`, Number.POSITIVE_INFINITY);
        if (admitted) expect(probing).toBeNull();
        if (admitted) probing = `probe-${index}`;
        circuit = next;
        if (probing !== null) {
          circuit = reportTo(circuit, now, probing, well);
          probing = null;
        }
      }
      expect(circuit.recent.length).toBeLessThanOrEqual(circuitRules.recent);
    }),
  );
});

test('health says what hinders most', () => {
  const one = provider({ credential: 'ONE_KEY' });
  const env = { ONE_KEY: 'key-0123456789' };
  const none = new Map();
  const judge = (circuit: Circuit, given: NodeJS.ProcessEnv = env, now = 0) =>
    judgeHealth(one, seen(circuit, now), none, given);
  expect(judge(freshCircuit)).toMatchObject({ state: 'healthy', circuit: 'closed', reason: 'no calls lately' });
  expect(judge(freshCircuit, {})).toMatchObject({ state: 'unhealthy', reason: expect.stringContaining('ONE_KEY') });
  expect(judge(opened)).toMatchObject({ state: 'unhealthy', circuit: 'open' });
  expect(judge(opened, env, circuitRules.pauseMs)).toMatchObject({ state: 'degraded', circuit: 'half_open' });
  const mixed = [true, true, false].reduce((circuit, well) => reportTo(circuit, 0, 'call', well), freshCircuit);
  expect(judge(mixed)).toMatchObject({ state: 'degraded', circuit: 'closed', reason: '1 of its last 3 calls failed' });
  expect(judge(mixed, env, 600_001).state).toBe('healthy');
});

test('the local provider says what it cannot make, and keeps what needs none of that', () => {
  const reason = 'expected the package node-av, got none';
  const all = seen(freshCircuit, 0, Object.keys(localProvider.capabilities) as MediaCapability[]);
  const health = judgeHealth(localProvider, all, new Map([['video.generate', reason] as const]));
  expect(health).toMatchObject({ state: 'degraded', reason: `video.generate: ${reason}` });
  expect(health.without?.get('video.generate')).toBe(reason);
  expect(health.without?.has('image.generate')).toBe(false);
  expect(judgeHealth(localProvider, all, new Map()).state).toBe('healthy');
});
