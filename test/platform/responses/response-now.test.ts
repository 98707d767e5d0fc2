import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import { newResponse } from '#src/platform/responses/model/response-object.ts';
import { outputOfEvents } from '#src/platform/responses/output-of-events.ts';
import { lastEvents, responseNow } from '#src/platform/responses/response-now.ts';
import type { StoredResponse } from '#src/platform/responses/response-store.ts';
import { openTurn } from '#src/platform/responses/turn.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import '#test/helpers/property-seed.ts';
import { head } from './asked.ts';

const stored: StoredResponse = {
  id: head.job,
  background: true,
  begun: newResponse(head, 'queued'),
  input: [],
  ended: null,
  state: 'queued',
  attempt: 0,
  error: null,
  finishedAt: null,
  events: 2,
};

const piece: fc.Arbitrary<TextDelta> = fc.oneof(
  fc.record({ kind: fc.constantFrom('text' as const, 'refusal' as const), text: fc.string() }),
  fc.record({
    kind: fc.constant('tool' as const),
    index: fc.nat(2),
    id: fc.constant('call'),
    name: fc.constant('look'),
    arguments: fc.string(),
  }),
);

test('property: the events published before a turn broke off give the output that it had', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const turn = openTurn(stored.begun);
      const events: readonly ResponseEvent[] = [...turn.begin(), ...pieces.flatMap((delta) => turn.take(delta))];
      const had = turn
        .response()
        .output.map((item) => ({ ...item, status: item.status === 'in_progress' ? 'incomplete' : item.status }));
      expect(outputOfEvents(events)).toEqual(had);
    }),
  );
});

const cases: readonly (readonly [Partial<StoredResponse>, string])[] = [
  [{ state: 'queued', attempt: 0 }, 'queued'],
  [{ state: 'running', attempt: 1 }, 'in_progress'],
  // given back by a worker that was stopped
  [{ state: 'queued', attempt: 1 }, 'in_progress'],
  [{ state: 'cancelled', attempt: 1 }, 'cancelled'],
  [{ state: 'failed', attempt: 1, error: { code: 'poisoned', message: 'It took two processes with it.' } }, 'failed'],
  // nobody can say more of what its job is forgotten of
  [{ state: null, attempt: null }, 'failed'],
];

test.each(cases)('a response whose job is %j is %s', (job, status) => {
  const now = { ...stored, ...job };
  expect(responseNow(now)).toMatchObject({
    status,
    error: job.error ?? (job.state === null ? { code: 'outcome_unknown' } : null),
  });
  const isOver = status !== 'queued' && status !== 'in_progress';
  expect(lastEvents(now, []).map(({ sequence_number: n }) => n)).toEqual(isOver ? [2] : []);
});

test('what a response has said of its end holds, whatever its job says', () => {
  const ended = { ...stored.begun, status: 'completed' as const };
  expect(responseNow({ ...stored, ended, state: 'cancelled' })).toBe(ended);
  expect(lastEvents({ ...stored, ended, state: 'cancelled' }, [])).toEqual([]);
});
