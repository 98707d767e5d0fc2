import { adapterOf } from '#src/providers/adapters/adapter-of.ts';
import { keepAsset } from '#src/providers/assets/assets.ts';
import { admit, report } from '#src/providers/calls/breaker.ts';
import { takePlace } from '#src/providers/calls/concurrency.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { inputsOf } from './inputs-of.ts';

/** What calls of providers are made with. */
export const parts = { catalogueOf, adapterOf, admit, report, takePlace, keepAsset, inputsOf };
export type Parts = typeof parts;
