import { defineJob, type RunContext } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';

type Run = (context: RunContext) => Promise<unknown>;

/** A job that runs another code after its first attempt, as after a release. */
function released(before: Run, after: Run) {
  return defineJob({
    name: 'acme.story',
    payload: true,
    run: async (context) => await (context.attempt === 1 ? before : after)(context),
  });
}

const wait: Run = async ({ sleep }) => await sleep('wait', '1h');

test.for<readonly [string, Run, Run, string]>([
  [
    'another step at the place of one that was done',
    async (context) => {
      await context.step('charge', () => 1);
      await wait(context);
    },
    async ({ step }) => await step('charge card', () => 1),
    'The step charge was done by an earlier release and this one asks for charge card at its place',
  ],
  [
    'a new step before one that was done',
    async (context) => {
      await context.step('charge', () => 1);
      await wait(context);
    },
    async ({ step }) => {
      await step('check', () => 1);
      await step('charge', () => 1);
    },
    'The step charge was done by an earlier release and this one asks for check at its place',
  ],
  [
    'a step that became a wait',
    async (context) => {
      await context.step('paid', () => 1);
      await wait(context);
    },
    async ({ waitFor }) => await waitFor('paid'),
    'The step paid was done by an earlier release and this one asks for paid at its place',
  ],
  [
    'an end without a step that was done',
    async (context) => {
      await context.step('charge', () => 1);
      await wait(context);
    },
    async (context) => await wait(context),
    'The step charge was done by an earlier release and this one ends without it',
  ],
])('error: %s: the job fails, and nothing runs', async ([, before, after, message]) => {
  const run = await harness(released(before, after), null);
  expect(run.state).toBe('waiting');
  await run.advance('1h');
  expect(run).toMatchObject({
    state: 'failed',
    attempt: 2,
    error: { code: 'steps_diverged', message: expect.stringContaining(message) },
  });
  expect(run.steps.map(({ name }) => name)).not.toContain('charge card');
});

test('a step that is new behind all that was done is no change of the story', async () => {
  const job = released(
    async (context) => {
      await context.step('charge', () => 1);
      await wait(context);
    },
    async (context) => {
      await context.step('charge', () => 2);
      await wait(context);
      return await context.step('thank', () => 3);
    },
  );
  const run = await harness(job, null);
  await run.advance('1h');
  expect(run).toMatchObject({ state: 'succeeded', result: 3 });
});

/** True for a name whose step is a sleep: nothing is reported of it that could be held. */
function isWait(branches: readonly (readonly string[])[], name: string): boolean {
  const [branch = 0, n = 0] = name.split('.').map(Number);
  return branches[branch]?.[n] === 'sleep';
}

test('property: a story of branches that is cut anywhere, any number of times, ends as one that is not', async () => {
  // branches side by side, each a row of steps and waits
  const shape = fc.array(fc.array(fc.constantFrom('step', 'sleep', 'effect', 'child'), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(shape, fc.array(fc.nat(11), { maxLength: 4 }), async (branches, cuts) => {
      const done: string[] = [];
      const tell =
        ({ step, sleep, effect, submit, result }: RunContext) =>
        async (kind: string, name: string) => {
          if (kind === 'sleep') await sleep(name, '1m');
          else if (kind === 'step') await step(name, () => done.push(name));
          else if (kind === 'effect') await effect(name, {}, () => done.push(name), { kind: 'idempotent' });
          else await result(await submit('acme.part', name, { name }));
        };
      const job = defineJob({
        name: 'acme.story',
        payload: true,
        run: async (context) => {
          const act = tell(context);
          const follow = async (kinds: readonly string[], branch: number) => {
            for (const [n, kind] of kinds.entries()) await act(kind, `${branch}.${n}`);
          };
          await Promise.all(branches.map(follow));
          return 'done';
        },
      });
      const names = branches.flatMap((kinds, branch) => kinds.map((_, n) => `${branch}.${n}`));
      const pauseAt = cuts.flatMap((at) => names[at % Math.max(1, names.length)] ?? []);
      let crashes = 0;
      const run = await harness(job, null, { pauseAt });
      for (let rounds = 0; rounds < 100 && run.state !== 'succeeded' && run.state !== 'failed'; rounds += 1) {
        if (run.state === 'running') {
          crashes += 1;
          await run.crash();
        } else if (run.waitsFor?.kind === 'result')
          await run.endChild(run.waitsFor.name.replace('.result', ''), { result: 1 });
        else await run.advance();
      }
      expect({ state: run.state, error: run.error }).toEqual({ state: 'succeeded', error: null });
      const kept = run.steps.map(({ kind, name }) => `${kind} ${name}`);
      expect(new Set(kept).size).toBe(kept.length);
      // a crash may repeat what was under way, and nothing that was kept
      for (const name of names) expect(done.filter((one) => one === name).length).toBeLessThanOrEqual(1 + crashes);
      const held = new Set(pauseAt.filter((name) => !isWait(branches, name)));
      // branches that are held at once die together
      expect([crashes > 0, crashes <= held.size]).toEqual([held.size > 0, true]);
    }),
    { numRuns: 200 },
  );
});
