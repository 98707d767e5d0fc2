import { fork } from 'node:child_process';
import { AppError, knownDetails } from '#src/lib/errors.ts';
import type { FromMedia } from '#src/providers/local/media/media-messages.ts';
import type { MediaTask, OnProgress } from '#src/providers/local/media/media-task.ts';

const program = new URL('./make-media.process.ts', import.meta.url);
/** Variables of our environment that the process gets: the paths of programs and libraries, and no secret. */
const passed = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR', 'SystemRoot'];
/** Most characters of its error output that are read, to report why it ended. */
const MOST_ERRORS = 4_000;

type Answer = Exclude<FromMedia, { kind: 'progress' } | { kind: 'failed' }>;

interface Running {
  /** Ends the process at once; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Does one task with FFmpeg in a process of its own. Not in a thread: FFmpeg's bindings end the whole process when a
 * thread is ended that encodes, and here files are read that strangers made.
 *
 * @throws AppError of what failed there; `provider_failed` where the process ended without an answer
 */
export async function runMedia<K extends Answer['kind']>(
  task: MediaTask,
  kind: K,
  { signal, onProgress }: Running = {},
): Promise<Extract<Answer, { kind: K }>> {
  signal?.throwIfAborted();
  const env = Object.fromEntries(passed.map((name) => [name, process.env[name]]));
  const child = fork(program, {
    env,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MOST_ERRORS);
  });
  const end = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  try {
    const answer = await new Promise<FromMedia>((resolve, reject) => {
      child.on('message', (message: FromMedia) => {
        if (message.kind === 'progress') onProgress?.(message.stage, message.fraction);
        else resolve(message);
      });
      child.once('error', reject);
      child.once('close', (code, by) => reject(ended(by ?? `exit code ${code}`, errors)));
      child.send(task, (error) => error && reject(ended('before it began', error)));
    });
    if (answer.kind === 'failed') {
      const { code, message, details } = answer.failure;
      if (code === 'internal') throw ended('an error of its own', errors);
      throw new AppError(
        code as AppError['code'],
        message,
        knownDetails(details),
        errors === '' ? undefined : new Error(errors),
      );
    }
    if (answer.kind !== kind) throw new Error(`expected an answer of kind ${kind}, got ${answer.kind}`);
    return answer as Extract<Answer, { kind: K }>;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

function ended(how: string, cause: unknown): AppError {
  return new AppError(
    'provider_failed',
    `The process that makes media ended without a result (${how}); try again, or with fewer pixels or seconds.`,
    {},
    cause,
  );
}
