import { expect, test } from 'vitest';
import { sourceOf } from '#src/providers/provenance/source-of.ts';

const trained = 'trainedAlgorithmicMedia';
const composite = 'compositeWithTrainedAlgorithmicMedia';
const ours = 'algorithmicMedia';

test.for([
  ['local-animatic', 'video.generate', [], ours],
  ['local-animatic', 'video.edit', [ours], ours],
  ['local-animatic', 'video.edit', [trained], trained],
  ['local-animatic', 'image.upscale', [composite], composite],
  ['local-animatic', 'video.from-image', [trained], composite],
  ['local-animatic', 'video.generate', [ours, trained], composite],
  ['local-animatic', 'video.generate', [ours, ours], ours],
  ['remote', 'video.generate', [ours], trained],
  ['remote', 'image.edit', [ours], composite],
  [null, null, [trained], composite],
] as const)('%s doing %s from %j makes %s', ([provider, capability, from, expected]) => {
  expect(sourceOf({ provider, capability, from })).toBe(expected);
});
