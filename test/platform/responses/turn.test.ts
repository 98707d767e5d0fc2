import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import { newResponse, type ResponseObject } from '#src/platform/responses/model/response-object.ts';
import { openTurn } from '#src/platform/responses/turn.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import '#test/helpers/property-seed.ts';
import { misfit } from '#queues/misfit.ts';
import { ResponseEvent as EventSchema } from '#src/platform/responses/model/event-types.ts';
import { head } from './asked.ts';

const at = new Date('2026-11-22T08:00:00Z');

/** Everything that a turn tells of these pieces. */
function told(deltas: readonly TextDelta[]): readonly ResponseEvent[] {
  const turn = openTurn(newResponse(head, 'in_progress'));
  return [...turn.begin(), ...deltas.flatMap((delta) => turn.take(delta)), ...turn.end(at)];
}

const last = (events: readonly ResponseEvent[]): ResponseObject => {
  const event = events.at(-1);
  if (!event || !('response' in event)) throw new Error(`expected a last event with a response, got ${event?.type}`);
  return event.response;
};

const saying = (...texts: string[]): TextDelta[] => texts.map((text) => ({ kind: 'text', text }));
const stop: TextDelta = { kind: 'finish', reason: 'stop' };

test('a text comes as the sequence that clients of responses expect', () => {
  const usage: TextDelta = { kind: 'usage', usage: { inputTokens: 3, outputTokens: 2, cachedTokens: 1 } };
  const events = told([...saying('Good ', 'evening'), stop, usage]);
  expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'completed',
  ]);
  expect(last(events)).toMatchObject({
    status: 'completed',
    completed_at: 1_795_334_400,
    output: [{ type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'Good evening' }] }],
    usage: { input_tokens: 3, input_tokens_details: { cached_tokens: 1 }, total_tokens: 5 },
  });
});

test('calls grow side by side, each under its own item, and a word before them is closed first', () => {
  const events = told([
    ...saying('Let me look.'),
    { kind: 'tool', index: 0, id: 'call_a', name: 'weather', arguments: '' },
    { kind: 'tool', index: 0, arguments: '{"city":' },
    { kind: 'tool', index: 1, id: 'call_b', name: 'clock', arguments: '{}' },
    { kind: 'tool', index: 0, arguments: '"Rome"}' },
    { kind: 'finish', reason: 'tool_calls' },
  ]);
  expect(last(events).output).toMatchObject([
    { type: 'message', content: [{ text: 'Let me look.' }] },
    { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{"city":"Rome"}', status: 'completed' },
    { type: 'function_call', call_id: 'call_b', name: 'clock', arguments: '{}', status: 'completed' },
  ]);
  const types = events.map(({ type }) => type);
  expect(types.indexOf('response.output_item.done')).toBeLessThan(types.lastIndexOf('response.output_item.added'));
  expect(last(events).status).toBe('completed');
});

test('a refusal is a part of its own', () => {
  const events = told([...saying('Well'), { kind: 'refusal', text: 'no' }, stop]);
  expect(last(events).output).toMatchObject([
    {
      content: [
        { type: 'output_text', text: 'Well' },
        { type: 'refusal', refusal: 'no' },
      ],
    },
  ]);
  expect(events.map(({ type }) => type)).toContain('response.refusal.done');
});

test.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
] as const)('an answer that ends by %s is incomplete by %s', (reason, why) => {
  const events = told([...saying('Good'), { kind: 'finish', reason }]);
  expect(events.at(-1)?.type).toBe('response.incomplete');
  expect(last(events)).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: why },
    completed_at: null,
    output: [{ status: 'incomplete' }],
  });
});

test('error: what breaks off has failed, with what had come', () => {
  const turn = openTurn(newResponse(head, 'queued'), 5);
  turn.start();
  for (const delta of saying('Goo')) turn.take(delta);
  const error = { code: 'provider_failed', message: 'It broke off.' };
  const events = turn.end(at, { status: 'failed', error });
  expect(last(events)).toMatchObject({ status: 'failed', error, output: [{ content: [{ text: 'Goo' }] }] });
  expect(openTurn(newResponse(head, 'in_progress')).end(at).at(-1)).toMatchObject({
    type: 'response.failed',
    response: { error: { code: 'provider_failed' } },
  });
});

test('what was cancelled ends with an event that clients know', () => {
  const turn = openTurn(newResponse(head, 'queued'), 2);
  expect(turn.end(at, { status: 'cancelled' })).toMatchObject([
    { type: 'response.incomplete', sequence_number: 2, response: { status: 'cancelled', error: null } },
  ]);
});

const piece: fc.Arbitrary<TextDelta> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: fc.string() }),
  fc.record({ kind: fc.constant('refusal' as const), text: fc.string() }),
  fc.record({
    kind: fc.constant('tool' as const),
    index: fc.nat(3),
    id: fc.uuid(),
    name: fc.string(),
    arguments: fc.string(),
  }),
);
const finish: fc.Arbitrary<TextDelta> = fc.record({
  kind: fc.constant('finish' as const),
  reason: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'),
});

const joined = (deltas: readonly TextDelta[], kind: string) =>
  deltas.flatMap((delta) => (delta.kind === kind && 'text' in delta ? delta.text : [])).join('');

test('property: whatever comes, numbers are dense, the response is one, and the deltas joined are what it says in the end', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), finish, (pieces, end) => {
      const events = told([...pieces, end]);
      expect(events.map(({ sequence_number: n }) => n)).toEqual(events.map((_event, index) => index));
      expect(events.map((event) => misfit(EventSchema, event)).filter(Boolean)).toEqual([]);
      const responses = events.flatMap((event) => ('response' in event ? event.response : []));
      expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
      const { output } = last(events);
      const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
      const texts = parts.map((part) => ('text' in part ? part.text : '')).join('');
      const refusals = parts.map((part) => ('refusal' in part ? part.refusal : '')).join('');
      expect([texts, refusals]).toEqual([joined(pieces, 'text'), joined(pieces, 'refusal')]);
      for (const [index, item] of output.entries()) {
        const own = events.filter((event) => 'output_index' in event && event.output_index === index);
        expect([own[0]?.type, own.at(-1)?.type]).toEqual(['response.output_item.added', 'response.output_item.done']);
        expect(own.at(-1)).toMatchObject({ item });
        if (item.type !== 'function_call') continue;
        const deltas = own.flatMap((event) =>
          event.type === 'response.function_call_arguments.delta' ? event.delta : [],
        );
        expect(deltas.join('')).toBe(item.arguments);
      }
    }),
  );
});
