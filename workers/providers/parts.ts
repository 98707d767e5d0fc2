import { adapterOf } from '#src/providers/adapters/adapter-of.ts';
import { keepAsset } from '#src/providers/assets/assets.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';

/** Parts that calls of providers are made with: the catalogue, the adapters, and the store of assets. */
export const parts = { catalogueOf, adapterOf, keepAsset };
export type Parts = typeof parts;
