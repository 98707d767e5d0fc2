import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from '#queues/providers.ts';
import { openBudget } from '#src/governance/budgets/budgets.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { listAssetsOfJobs } from '#src/providers/assets/assets.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { smallFilm } from '#test/helpers/small-film.ts';
import { keep, testHome } from '#test/providers/asset-world.ts';
import { handlers } from '#workers/handlers.ts';
import { startFleet } from '#workers/run/fleet.ts';

test('a film of another provider that is re-framed here keeps its own kind of source', async () => {
  await using home = await testHome();
  await using system = await testSystem({ PROOFLINE_HOME: home.path });
  const { context } = system;
  const path = join(home.path, 'small.mp4');
  await smallFilm(path, 10);
  const film = await keep(context, {
    owner: 'alice',
    provider: 'remote',
    produced: { kind: 'video', mediaType: 'video/mp4', bytes: await readFile(path) },
  });
  await openBudget(context.db, 'job:1', 0);
  const fleet = await startFleet(context, {
    name: 'studio',
    handlers: handlers.filter(({ queue }) => queue.name === generate.name),
    module: new URL('../../../workers/handlers.ts', import.meta.url),
  });
  const request = { prompt: 'the same', aspect: '1:1', resolution: 64, inputs: { video: film.id } } as const;
  const payload = {
    capability: 'video.edit',
    request,
    route: [{ provider: 'local-animatic', quoted: 0 }],
    budgets: ['job:1'],
    surface: 'studio',
    keyId: null,
    name: 'square',
  } as const;
  const { job } = await submit(context, generate, {
    principal: { owner: 'alice' },
    payload: { ...payload, budgets: [...payload.budgets], route: [...payload.route] },
  });
  expect(await system.ended(job.id)).toMatchObject({ state: 'succeeded' });
  const made = (await listAssetsOfJobs(context, [job.id])).find(({ kind }) => kind === 'video');
  expect(made?.provenance).toMatchObject({ kind: 'c2pa', digitalSourceType: 'trainedAlgorithmicMedia' });
  await fleet.drain();
});
