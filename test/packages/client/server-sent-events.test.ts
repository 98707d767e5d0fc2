import { createParser as createReference, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createParser } from '#packages/client/src/server-sent-events.ts';

const line = fc.oneof(
  fc.constantFrom('data: {"a":1}', 'data:b', 'data', 'event: queued', 'event:', 'id: e.1', 'id', 'id: \0', 'retry: 5'),
  fc.constantFrom('retry: x', ': comment', ':', 'unknown: y', '', '', 'data:  two spaces', 'datax: no'),
);
const end = fc.constantFrom('\n', '\r\n', '\r');
const stream = fc.array(fc.tuple(line, end), { maxLength: 30 }).map((lines) => lines.flat().join(''));

/** Messages of a text that comes in pieces. */
function read(pieces: readonly string[]) {
  const parser = createParser();
  return { messages: pieces.flatMap((piece) => parser.push(piece)), retryMs: parser.retryMs() };
}

test('property: a stream gives the same messages as by another parser, wherever it is cut', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(200), { maxLength: 8 }), (text, places) => {
      const expected: EventSourceMessage[] = [];
      let retryMs: number | undefined;
      const reference = createReference({
        onEvent: (message) => void expected.push(message),
        onRetry: (ms) => {
          retryMs = ms;
        },
      });
      // behind a last empty line nothing is open
      const whole = `${text}\n\n`;
      reference.feed(whole);
      const cuts = [0, ...places.map((place) => Math.min(place, whole.length)), whole.length].toSorted((a, b) => a - b);
      const pieces = cuts.slice(1).map((to, index) => whole.slice(cuts[index], to));
      expect(read(pieces)).toEqual({
        messages: expected.map(({ event = 'message', data, id }) => ({ event, data, ...(id !== undefined && { id }) })),
        retryMs,
      });
    }),
  );
});

test('a mark of the byte order at the beginning is no part of the first field', () => {
  expect(read(['\u{FEFF}data: 1\n\n']).messages).toEqual([{ event: 'message', data: '1' }]);
});
