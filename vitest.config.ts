import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/**
 * Tests read the sources of our packages, not what they are compiled to. All else is found as Node finds it: `module` is for
 * bundlers, and what some packages have there does not run in Node.
 */
const conditions = ['@proofline/source', ...defaultServerConditions.filter((one) => one !== 'module')];
const fromSource = { ssr: { resolve: { conditions } } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...fromSource,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.int.test.ts', '**/node_modules/**'],
          setupFiles: ['test/helpers/property-seed.ts'],
          pool: 'threads',
          isolate: false,
          // vitest would leave a core to others; some of the files wait for processes
          maxWorkers: 3,
          // of real chains and long loops, on a machine that does other things
          testTimeout: 60_000,
        },
      },
      {
        ...fromSource,
        test: {
          name: 'integration',
          include: ['test/**/*.int.test.ts'],
          globalSetup: ['test/helpers/services.ts'],
          setupFiles: ['test/helpers/property-seed.ts'],
          pool: 'forks',
          // a file alone would load the whole system anew: a quarter of all the time
          isolate: false,
          // two cores, and a third of the time is waiting for servers and processes
          maxWorkers: 4,
          // what is waited for comes soon, or on a busy machine later
          expect: { poll: { timeout: 30_000 } },
          // told by name in test/second-tries.ts
          retry: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
