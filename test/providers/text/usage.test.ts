import { expect, test } from 'vitest';
import { amountsOf } from '#src/providers/routing/quote.ts';
import { readUsage, secondsUsed, tokensUsed, wholeUsage } from '#src/providers/text/usage.ts';

test('the tokens of either of the APIs are read', () => {
  const whole = { inputTokens: 1_000, outputTokens: 100, cachedTokens: 800, reasoningTokens: 60 };
  const chat = {
    prompt_tokens: 1_000,
    completion_tokens: 100,
    prompt_tokens_details: { cached_tokens: 800 },
    completion_tokens_details: { reasoning_tokens: 60 },
  };
  const response = {
    input_tokens: 1_000,
    output_tokens: 100,
    input_tokens_details: { cached_tokens: 800 },
    output_tokens_details: { reasoning_tokens: 60 },
  };
  expect([readUsage(chat), readUsage(response), wholeUsage(whole)]).toEqual([whole, whole, whole]);
});

const impossible = [-5, -0.5, 0.5, Number.NaN, Infinity, 1e300, '800', true, null, {}, []];

test.for(impossible)('a count of %j is no count, in whichever field', (wrong) => {
  const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
  expect(readUsage({ ...usage, prompt_tokens: wrong })).toEqual({ outputTokens: 100 });
  expect(readUsage({ ...usage, completion_tokens: wrong })).toEqual({ inputTokens: 1_000 });
  const whole = { inputTokens: 1_000, outputTokens: 100 };
  expect(readUsage({ ...usage, prompt_tokens_details: { cached_tokens: wrong } })).toEqual(whole);
  expect(readUsage({ ...usage, completion_tokens_details: { reasoning_tokens: wrong } })).toEqual(whole);
  expect(readUsage(wrong)).toEqual({});
});

test('parts that are more than the whole, and parts of an unknown whole, are no counts', () => {
  const details = { prompt_tokens_details: { cached_tokens: 11 }, completion_tokens_details: { reasoning_tokens: 6 } };
  const whole = { inputTokens: 10, outputTokens: 5 };
  expect(readUsage({ prompt_tokens: 10, completion_tokens: 5, ...details })).toEqual(whole);
  expect(readUsage(details)).toEqual({});
  expect(wholeUsage(readUsage({ prompt_tokens: 10 }))).toBeNull();
});

test('where one of input and output is known, the other is the usual amount; where neither is, nothing is known', () => {
  const usual = amountsOf('image.generate', { prompt: 'a lighthouse' });
  expect(tokensUsed({ input_tokens: -1, output_tokens: 2_000 }, usual)).toEqual({
    inputTokens: usual.inputTokens,
    outputTokens: 2_000,
    cachedInputTokens: 0,
  });
  const tokens = { inputTokens: 100, outputTokens: usual.outputTokens, cachedInputTokens: 0 };
  expect(tokensUsed({ input_tokens: 100, output_tokens: 0 }, usual, 1)).toEqual(tokens);
  expect(tokensUsed({ input_tokens: 100, output_tokens: 0 }, usual)).toMatchObject({ outputTokens: 0 });
  expect([tokensUsed({ input_tokens: -1 }, usual), tokensUsed(null, usual)]).toEqual([{}, {}]);
});

test('a recording lasts some time, and at most a week', () => {
  expect([1.5, 604_800].map(secondsUsed)).toEqual([1.5, 604_800]);
  expect([0, -1, Number.NaN, 1e300, '2', null].map(secondsUsed)).toEqual(Array.from({ length: 6 }));
});
