import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepRunning, type Part } from '#src/commands/start/keep-running.ts';
import { lastErrorLine } from '#src/commands/start/last-error-line.ts';
import { MOST_DEATHS, restartPause } from '#src/commands/start/restart-pause.ts';
import { testFolder } from '#test/helpers/processes.ts';

/** A process of the shell, whose words go to the log. */
function shell(script: string, log: string): Part {
  const output = openSync(log, 'a');
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'exit').then(([code, signal]) =>
    signal === null ? `exit code ${String(code)}` : `signal ${String(signal)}`,
  );
  return {
    ended,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('a part that ends is started again, each time said in a line; one that cannot stay up is given up with its last error', async () => {
  using folder = testFolder();
  const log = join(folder.path, 'part.log');
  const said: string[] = [];
  const restarted: Part[] = [];
  const start = () => shell('echo "FATAL: could not write: No space left on device"; echo bye; exit 3', log);
  const kept = keepRunning(start(), {
    name: 'worker process',
    log,
    say: (line) => said.push(line),
    start: async () => start(),
    onRestart: (part) => restarted.push(part),
    pause: (deaths) => (deaths.length < 3 ? 2 : null),
  });
  await expect(kept.keep()).rejects.toThrow(
    /^The worker process ended 5 times .*last: exit code 3.*Its last error: FATAL: could not write: No space left on device\n/,
  );
  expect(said).toEqual(
    Array.from({ length: 2 }, () => 'the worker process ended (exit code 3); starting it again in 0.002 s'),
  );
  expect(restarted).toHaveLength(2);
  await kept.stop();
});

test('a part that does not start again counts as one that ended', async () => {
  using folder = testFolder();
  const log = join(folder.path, 'part.log');
  const said: string[] = [];
  const kept = keepRunning(shell('exit 0', log), {
    name: 'private Redis',
    log,
    say: (line) => said.push(line),
    start: async () => {
      throw new Error('another program has taken its address');
    },
    pause: (deaths) => (deaths.length < 3 ? 1 : null),
  });
  await expect(kept.keep()).rejects.toThrow('last: another program has taken its address');
  expect(said).toHaveLength(2);
});

test('a stop while it waits to be started again, or while it is being started, ends without another start', async () => {
  using folder = testFolder();
  const log = join(folder.path, 'part.log');
  for (const pauseMs of [3_600_000, 1]) {
    const waiting = Promise.withResolvers<void>();
    const starts: Part[] = [];
    const kept = keepRunning(shell('exit 1', log), {
      name: 'api process',
      log,
      say: () => pauseMs > 1 && waiting.resolve(),
      start: async (signal) => {
        waiting.resolve();
        const part = shell('exec sleep 3600', log);
        starts.push(part);
        if (!signal.aborted) await once(signal, 'abort');
        return part;
      },
      pause: () => pauseMs,
    });
    void kept.keep();
    await waiting.promise;
    await kept.stop();
    expect(starts).toHaveLength(pauseMs > 1 ? 0 : 1);
    for (const { ended } of starts) expect(await ended).toBe('signal SIGKILL');
  }
});

test('the pause doubles with each death of two minutes, up to a bound, until there are too many', () => {
  expect(restartPause([0])).toBe(1_000);
  expect(restartPause([0, 1_000])).toBe(2_000);
  expect(restartPause([0, 1_000, 2_000, 3_000])).toBe(8_000);
  expect(restartPause([0, 1_000, 2_000, 3_000, 4_000])).toBeNull();
  // whatever ended long ago
  expect(restartPause([0, 1_000, 2_000, 3_000, 200_000])).toBe(1_000);
  const spread = Array.from({ length: 50 }, (_, index) => (index * 121_000) / (MOST_DEATHS - 1));
  expect(spread.map((_, index) => restartPause(spread.slice(0, index + 1)))).not.toContain(null);
});

test('the last error of a log is a line of ours of that level, or one that a server printed', () => {
  using folder = testFolder();
  const log = join(folder.path, 'some.log');
  const lineOf = (...lines: string[]) => {
    writeFileSync(log, `${lines.join('\n')}\n`);
    return lastErrorLine(log);
  };
  const ours = (level: number, msg: string, message?: string) =>
    JSON.stringify({ level, msg, ...(message && { err: { message } }) });
  expect(lineOf(ours(50, 'a request failed', 'ENOSPC: no space left on device, write'), ours(30, 'listening'))).toBe(
    'a request failed: ENOSPC: no space left on device, write',
  );
  expect(lineOf('2026 PANIC:  could not write to file: No space left on device', 'shut down')).toMatch(/PANIC/);
  expect(lineOf(ours(30, 'no error here'), 'ready')).toBeUndefined();
  expect(lineOf('{"level":50,"msg":"cut')).toBeUndefined();
  expect(lastErrorLine(join(folder.path, 'none.log'))).toBeUndefined();
});
