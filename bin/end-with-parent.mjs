// Loaded before a program that must not outlive the one that started it: the channel between the two closes when the
// parent is gone, however it went (kill -9 included), and the program is then asked to stop, and made to in the end.
import { isMainThread } from 'node:worker_threads';

const DEADLINE_MS = Number(process.env.DRAIN_DEADLINE_MS || 10_000) + 5_000;

// Threads and children of the program have parents of their own to watch.
const at = process.execArgv.findIndex((arg) => arg.endsWith('/end-with-parent.mjs'));
if (isMainThread && at > 0) process.execArgv.splice(at - 1, 2);

if (isMainThread && process.channel) {
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), DEADLINE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Listening must not keep a finished program alive.
  process.channel.unref();
}
