import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { appendEvent, checkChain, genesisOf } from '#src/receipts/format/event-chain.ts';
import { MissionEvent } from '#src/receipts/format/receipt-schema.ts';

const mission = { id: '0198c0de-0000-7000-8000-000000000001', createdAt: '2026-11-21T00:00:00.000Z' };
const genesis = genesisOf(mission);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function chainOf(payloads: readonly Record<string, unknown>[]): MissionEvent[] {
  const events: MissionEvent[] = [];
  for (const [seq, data] of payloads.entries()) {
    const at = new Date(Date.UTC(2026, 10, 21) + seq).toISOString();
    events.push(appendEvent({ seq, prev: events.at(-1)?.hash ?? genesis }, 'step.finished', at, data));
  }
  return events;
}

const sealedOf = (events: readonly MissionEvent[]) => ({
  count: events.length,
  genesis,
  head: events.at(-1)?.hash ?? genesis,
});

test('the genesis and the hash of an event are SHA-256 of a purpose and canonical JSON', () => {
  expect(genesis).toBe(
    sha256(
      'platform/mission-genesis/v1\n{"createdAt":"2026-11-21T00:00:00.000Z","id":"0198c0de-0000-7000-8000-000000000001"}',
    ),
  );
  const event = appendEvent({ seq: 0, prev: genesis }, 'mission.created', '2026-11-21T00:00:00.000Z', { b: 1, a: [] });
  expect(event.hash).toBe(
    sha256(
      `platform/mission-event/v1\n{"at":"2026-11-21T00:00:00.000Z","data":{"a":[],"b":1},"prev":"${genesis}","seq":0,"type":"mission.created"}`,
    ),
  );
  expect(Value.Check(MissionEvent, event)).toBe(true);
});

const payload = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.maxSafeInteger(), fc.constant(null)));

test('property: a chain is whole; one that is cut, grown, turned or changed is not', () => {
  fc.assert(
    fc.property(fc.array(payload, { minLength: 2, maxLength: 12 }), fc.nat(), (payloads, at) => {
      const events = chainOf(payloads);
      const sealed = sealedOf(events);
      const index = at % events.length;
      const one = events[index];
      if (!one) throw new Error('no event');
      expect(checkChain(events, sealed)).toBeNull();
      const last = { seq: events.length, prev: sealed.head };
      const wrong: Record<string, readonly MissionEvent[]> = {
        cut: events.slice(0, -1),
        begun: events.slice(1),
        grown: [...events, appendEvent(last, one.type, one.at, {})],
        turned: events.toReversed(),
        without: events.toSpliced(index, 1),
        twice: events.toSpliced(index, 0, one),
        changed: events.with(index, { ...one, data: { ...one.data, more: true } }),
        rehashed: events.with(index, appendEvent(one, one.type, one.at, { ...one.data, more: true })),
      };
      for (const [name, changed] of Object.entries(wrong)) expect(checkChain(changed, sealed), name).not.toBeNull();
    }),
  );
});

test('a mission without events ends where it began', () => {
  expect(checkChain([], sealedOf([]))).toBeNull();
  expect(checkChain([], { ...sealedOf([]), head: sha256('other') })).toContain('expected the last event');
});

test('error: an event that carries a fraction is not appended', () => {
  expect(() => appendEvent({ seq: 0, prev: genesis }, 'a', '2026-11-21T00:00:00.000Z', { share: 0.5 })).toThrow(
    'expected an integer of at most 2^53 - 1, got 0.5 (write other numbers as text); at $.data.share.',
  );
});
