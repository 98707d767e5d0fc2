import { expect, test } from 'vitest';
import { boundAnswer } from '#src/providers/text/bound-answer.ts';
import type { TextDelta } from '#src/providers/text/text.ts';

const text = (words: string): TextDelta => ({ kind: 'text', text: words });
const stop: TextDelta = { kind: 'finish', reason: 'stop' };
const used = (inputTokens: number, outputTokens: number): TextDelta => ({
  kind: 'usage',
  usage: { inputTokens, outputTokens },
});

/** Passes on an answer of at most ten tokens to a request of at most a thousand, and collects the doubts. */
async function bounded(...deltas: readonly TextDelta[]) {
  const doubts: string[] = [];
  let isLeft = false;
  async function* answer(): AsyncGenerator<readonly TextDelta[]> {
    try {
      for (const delta of deltas) yield [delta];
    } finally {
      isLeft = true;
    }
  }
  const bounds = { maxTokens: 10, maxInputTokens: 1_000, doubt: (what: string) => void doubts.push(what) };
  const got = (await Array.fromAsync(boundAnswer(answer(), bounds))).flat();
  return { got, doubts, isLeft };
}

test.each([
  ['within the bound, though the text is shorter: it was thought', 1_000, 10, [1_000, 10]],
  ['of a request that cannot have had so many', 1_001, 10, [undefined, 10]],
  ['a little above the bound: the end of a turn is a token too', 5, 11, [5, 11]],
  ['that neither the bound nor the text explains', 5, 1_000, [5, undefined]],
  ['of a text that has no tokens', 5, 0, [5, undefined]],
  ['that are impossible, all of them', 1_001, 1_000, [undefined, undefined]],
] as const)('counts %s', async (_, input, output, [inputTokens, outputTokens]) => {
  const { got, doubts } = await bounded(text('A light'), stop, used(input, output));
  const usage = { ...(inputTokens && { inputTokens }), ...(outputTokens && { outputTokens }) };
  expect(got).toEqual([text('A light'), stop, ...(inputTokens || outputTokens ? [{ kind: 'usage', usage }] : [])]);
  expect(doubts).toHaveLength(inputTokens && outputTokens ? 0 : 1);
});

test('a service that passes its bound may say so: each token has a byte of the text', async () => {
  const long = text('é'.repeat(300));
  expect((await bounded(long, stop, used(5, 600))).got).toContainEqual(used(5, 600));
  expect((await bounded(long, stop, used(5, 900))).got).toContainEqual({ kind: 'usage', usage: { inputTokens: 5 } });
});

test('an answer of the longest tokens there are is whole; what is above that is cut off and left', async () => {
  const most = text(' '.repeat(1_280));
  expect(await bounded(most, stop)).toEqual({ got: [most, stop], doubts: [], isLeft: true });
  const { got, doubts, isLeft } = await bounded(text('a'.repeat(1_279)), text('bcd'), text('e'), stop, used(1, 5));
  expect(got).toEqual([text('a'.repeat(1_279)), text('b'), { kind: 'finish', reason: 'length' }]);
  expect(doubts).toHaveLength(1);
  expect(isLeft).toBe(true);
});

test('the arguments of calls count as well, and half of them are never passed on', async () => {
  const call: TextDelta = { kind: 'tool', index: 0, id: 'c', name: 'f', arguments: 'x'.repeat(2_000) };
  expect((await bounded(call, stop)).got).toEqual([{ kind: 'finish', reason: 'length' }]);
});
