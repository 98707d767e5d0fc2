import { expect, test } from 'vitest';
import { runScript } from '#test/helpers/processes.ts';

test('without the optional packages there is no prover, and a sentence says what to install', async () => {
  await using script = runScript(`
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (name, context, next) => {
        if (name.startsWith('@semaphore-protocol/core')) throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(name, context);
      },
    });
    const { hasProver, openProver } = await import('#src/commands/client/prover.ts');
    console.log(hasProver(), await openProver().catch(({ code, message }) => code + ': ' + message));
  `);
  expect(await script.ended).toBe(0);
  expect(script.output()).toContain('false unavailable: the prover is not installed: "npm install --include=optional"');
});
