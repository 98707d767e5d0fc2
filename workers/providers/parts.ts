import { adapterOf } from '#src/providers/adapter-of.ts';
import { keepAsset } from '#src/providers/assets.ts';
import { admit, report } from '#src/providers/breaker.ts';
import { catalogueOf } from '#src/providers/catalogue-load.ts';
import { takePlace } from '#src/providers/concurrency.ts';
import { inputsOf } from './inputs-of.ts';

/** What calls of providers are made with. */
export const parts = { catalogueOf, adapterOf, admit, report, takePlace, keepAsset, inputsOf };
export type Parts = typeof parts;
