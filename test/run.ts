import { check } from './check.ts';
import { closing, runTests } from './step.ts';

const since = performance.now();
const results = [...(await check()), await runTests('integration')];
process.stdout.write(`\nall of it took ${((performance.now() - since) / 1000).toFixed(0)} s\n`);
process.exitCode = closing(results);
