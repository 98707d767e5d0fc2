import { adapterOf } from '#src/providers/adapters/adapter-of.ts';
import { keepAsset } from '#src/providers/assets/assets.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';

/** What calls of providers are made with: what there is, how it is spoken to, and where what it makes is kept. */
export const parts = { catalogueOf, adapterOf, keepAsset };
export type Parts = typeof parts;
