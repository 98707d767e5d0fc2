import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MediaCapability } from '#queues/providers.ts';
import { billedFor, costOf, quote } from '#src/providers/routing/quote.ts';
import { offer, provider } from '#test/providers/offers.ts';

const offering = (capability: MediaCapability, overrides: Parameters<typeof offer>[0]) =>
  provider({ capabilities: { [capability]: offer(overrides) } });

test('each kind of price counts what it is for, in millionths, without dust of fractions', () => {
  const film = offering('video.generate', {
    price: { perCall: 0.01, perSecond: 0.05 },
    latency: { base: 10, perSecond: 2 },
  });
  expect(quote(film, 'video.generate', { prompt: 'p', seconds: 6 })).toEqual({ cost: 310_000, latencyMs: 22_000 });
  const pictures = offering('image.generate', { price: { perImage: 0.04 }, latency: { base: 8 } });
  expect(quote(pictures, 'image.generate', { prompt: 'p', count: 3 })).toEqual({ cost: 120_000, latencyMs: 8_000 });
  const speech = offering('tts.synthesize', {
    price: { perThousandCharacters: 0.015 },
    latency: { base: 1, perSecond: 0.1 },
  });
  expect(quote(speech, 'tts.synthesize', { prompt: 'x'.repeat(150) })).toEqual({ cost: 2_250, latencyMs: 2_000 });
  const text = offering('text.generate', { price: { perMillionInput: 2, perMillionOutput: 8 } });
  expect(quote(text, 'text.generate', { prompt: 'x'.repeat(300) }).cost).toBe(2 * 100 + 8 * 1_024);
});

test('a part of a millionth is a whole one', () => {
  expect(costOf({ perMillionInput: 0.15 }, { inputTokens: 1 })).toBe(1);
  expect(costOf({ perThousandCharacters: 0.015 }, { characters: 1 })).toBe(15);
  expect(costOf({}, { seconds: 100 })).toBe(0);
});

test('property: a cost is a whole number that never falls below the price, nor a millionth above it', () => {
  const price = fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1_000_000);
  const count = fc.integer({ min: 0, max: 1_000 });
  fc.assert(
    fc.property(price, price, price, count, count, (perCall, perSecond, perImage, seconds, images) => {
      const exact =
        Math.round(perCall * 1e6) + Math.round(perSecond * 1e6) * seconds + Math.round(perImage * 1e6) * images;
      expect(costOf({ perCall, perSecond, perImage }, { seconds, images })).toBe(exact);
    }),
  );
});

test('property: tokens cost the sum of their prices, cached ones their own, rounded up once', () => {
  // thousandths of a dollar for a million: what a price list has
  const price = fc.integer({ min: 0, max: 100_000 });
  const count = fc.integer({ min: 0, max: 2_000_000 });
  fc.assert(
    fc.property(
      price,
      fc.option(price, { nil: undefined }),
      price,
      count,
      count,
      count,
      (input, cached, output, read, again, written) => {
        const prices = {
          perMillionInput: input / 1_000,
          ...(cached !== undefined && { perMillionCachedInput: cached / 1_000 }),
          perMillionOutput: output / 1_000,
        };
        const used = { inputTokens: read, cachedInputTokens: again, outputTokens: written };
        const known = BigInt(Math.min(read, again));
        const thousandths =
          BigInt(input) * (BigInt(read) - known) + BigInt(cached ?? input) * known + BigInt(output) * BigInt(written);
        const exact = Number((thousandths + 999n) / 1_000n);
        expect(costOf(prices, used)).toBe(exact);
        expect(billedFor(prices, used)).toBe(exact);
      },
    ),
  );
});

test('cached tokens have their own price, the ordinary one where there is none, and none are assumed', () => {
  const prices = { perMillionInput: 2, perMillionCachedInput: 0.5, perMillionOutput: 8 };
  const used = { inputTokens: 1_000, cachedInputTokens: 800, outputTokens: 10 };
  expect(costOf(prices, used)).toBe(200 * 2 + 400 + 80);
  expect(costOf({ perMillionInput: 2, perMillionOutput: 8 }, used)).toBe(2_000 + 80);
  expect(billedFor(prices, { inputTokens: 1_000, outputTokens: 10 })).toBe(2_000 + 80);
  expect(billedFor(prices, { calls: 1 })).toBeNull();
  const text = offering('text.generate', { price: prices });
  expect(quote(text, 'text.generate', { prompt: 'x'.repeat(300) }).cost).toBe(2 * 100 + 8 * 1_024);
});

test('error: what is not offered has no quote', () => {
  expect(() => quote(provider(), 'video.edit', { prompt: 'p' })).toThrow('got video.edit');
});
