import { holds, same } from '../program/mismatch.ts';
import type { Case } from './case.ts';

export const ends: readonly Case[] = [
  {
    name: 'at SIGTERM an idle worker leaves and ends',
    run: async ({ program, exit, called }) => {
      program.signal('SIGTERM');
      same(await exit(), 0, 'exit code');
      await called('leave').catch(() => holds(false, 'expected that the worker leaves, got nothing.'));
    },
  },
  {
    name: 'at SIGTERM a worker takes no more, lets what runs end, leaves and ends',
    run: async ({ world, server, program, inHand, end, until, exit }) => {
      const job = world.submit({ do: 'hold', ms: 700, value: 6 });
      await inHand(job);
      program.signal('SIGTERM');
      await until(
        () => server.calls.findLast(({ kind }) => kind === 'poll')?.body['credits'] === 0 || job.end,
        'a poll without credits',
      );
      const later = world.submit({ do: 'echo', value: 1 });
      same((await end(job))['result'], { value: 6 }, 'result of what ran');
      same(await exit(), 0, 'exit code');
      same(later.state, 'queued', 'state of a job that came later');
      holds(
        server.calls.some(({ kind }) => kind === 'leave'),
        'expected that the worker leaves, got nothing.',
      );
    },
  },
  {
    name: 'at SIGTERM a job that does not end in time goes back, and has not failed',
    run: async ({ world, program, inHand, exit }) => {
      const job = world.submit({ do: 'slow' });
      await inHand(job);
      program.signal('SIGTERM');
      same(await exit(), 0, 'exit code');
      const isBack = job.end?.type === 'released' || (job.end === null && job.state === 'queued');
      holds(isBack, `expected that the job goes back, got ${job.end?.type ?? job.state}.`);
    },
  },
];
