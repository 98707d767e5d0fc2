import { agreed, type Report } from '../protocol/messages.ts';
import type { Call } from '../server/call.ts';
import { type Listening, listen } from '../server/http.ts';
import type { Job } from '../server/job.ts';
import { openWorld, type World, type WorldSettings } from '../server/world.ts';
import { Mismatch } from './mismatch.ts';
import { type Program, startProgram } from './program.ts';

/** A worker program under test, and the server that it is at. */
export interface Subject extends AsyncDisposable {
  readonly world: World;
  readonly server: Listening;
  readonly program: Program;
  /** Waits until something is there, and gives it. @throws Mismatch where it does not come, or the program ends */
  readonly until: <T>(look: () => T | null | undefined | false, what: string) => Promise<T>;
  /** Waits for the report that ends the last attempt of a job. */
  readonly end: (job: Job) => Promise<Report>;
  /** Waits until the worker says in a poll that it has a job in hand. */
  readonly inHand: (job: Job) => Promise<void>;
  /** Waits for a poll from now on that offers every hand and names no job. */
  readonly idle: () => Promise<void>;
  /** Holds that the worker still works: another job gets its result. */
  readonly works: () => Promise<void>;
  /** Waits until a request of a kind has come, `count` in all. */
  readonly called: (kind: Call['kind'], count?: number) => Promise<readonly Call[]>;
  /** Waits for the end of the program, gives its exit code. */
  readonly exit: () => Promise<number | null>;
}

export interface SubjectOptions {
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  /** Longest wait for anything, ms. */
  readonly patienceMs: number;
  readonly settings: WorldSettings;
}

/** Starts a server and the program at it, and waits until the worker has registered. */
export async function startSubject({ command, cwd, patienceMs, settings }: SubjectOptions): Promise<Subject> {
  const world = openWorld(settings);
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  world.onChange(notify);
  const server = await listen(world, notify);
  const program = startProgram(command, { PROOFLINE_URL: server.url, PROOFLINE_KEY: agreed.key }, cwd);
  void program.ended.then(notify);

  const until = async <T>(look: () => T | null | undefined | false, what: string, mayEnd = false): Promise<T> => {
    for (const due = performance.now() + patienceMs; ; ) {
      const found = look();
      if (found !== null && found !== undefined && found !== false) return found;
      const left = due - performance.now();
      if (program.isOver() && !mayEnd) throw new Mismatch(`expected ${what}, but the program ended: ${tail(program)}`);
      if (left <= 0) throw new Mismatch(`expected ${what} within ${patienceMs / 1_000} s, got none.`);
      await nextOf(listeners, left);
    }
  };
  const polls = () => server.calls.filter(({ kind }) => kind === 'poll');
  const end = async (job: Job) =>
    await until(() => job.end, `the end of an attempt of ${JSON.stringify(job.payload).slice(0, 80)}`);
  const subject: Subject = {
    world,
    server,
    program,
    until,
    end,
    inHand: async ({ id, attempt }) => {
      const names = ({ body }: Call) =>
        (body['jobs'] as readonly { id: string; attempt: number }[]).some(
          (one) => one.id === id && one.attempt >= attempt,
        );
      await until(() => polls().some(names), 'a poll that names the job in hand');
    },
    idle: async () => {
      const before = polls().length;
      const isIdle = ({ body }: Call) => body['credits'] === agreed.capacity && (body['jobs'] as []).length === 0;
      await until(
        () => polls().slice(before).some(isIdle),
        `a poll with ${agreed.capacity} credits and no job in hand`,
      );
    },
    works: async () => {
      const job = world.submit({ do: 'echo', value: 'still here' });
      const { type } = await end(job);
      if (type !== 'succeeded') throw new Mismatch(`expected that the worker goes on with other jobs, got ${type}.`);
    },
    called: async (kind, count = 1) =>
      await until(() => {
        const calls = server.calls.filter((call) => call.kind === kind);
        return calls.length >= count && calls;
      }, `${count} requests to ${kind}`),
    exit: async () => {
      await until(() => program.isOver(), 'the end of the program', true);
      return await program.ended;
    },
    [Symbol.asyncDispose]: async () => {
      if (!program.isOver()) program.signal('SIGKILL');
      await program.ended;
      world.close();
      await server.down().catch(() => {});
    },
  };
  try {
    await subject.called('poll');
  } catch (error) {
    await subject[Symbol.asyncDispose]();
    throw error;
  }
  return subject;
}

const tail = ({ output }: Program): string => output().trim().slice(-600) || 'it printed nothing';

/** Resolves at the next notice, or after `ms`. */
async function nextOf(listeners: Set<() => void>, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listeners.delete(done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    listeners.add(done);
  });
}
