import fc from 'fast-check';

/*
 * Properties draw the same cases in every run, so that a red run can be repeated and a change is judged by what it
 * changed. `PROPERTY_SEED=random` looks for new ones; a number takes that seed.
 */
const seed = process.env['PROPERTY_SEED'] ?? '20261121';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
