import type { TObject, TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/figures/analytics-schema.ts';
import { ESTIMATE } from '#src/analytics/domain/positions/estimate-schema.ts';

/** Paths of the fields without a description. */
function bare(schema: TSchema, path: string): string[] {
  const { description, properties } = schema as Partial<TObject> & { description?: string };
  const below = Object.entries(properties ?? {}).flatMap(([name, field]) => bare(field, `${path}.${name}`));
  return description === undefined ? [path, ...below] : below;
}

test('every field of the analytics is described, those that hold others too', () => {
  expect(bare(CHAIN_ANALYTICS, 'analytics')).toEqual([]);
  expect(bare(ESTIMATE, 'estimate')).toEqual([]);
});
