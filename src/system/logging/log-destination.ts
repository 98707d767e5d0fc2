import fs from 'node:fs';

/** Time that a line waits for a reader that is slow, ms, before it is dropped. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 5;

let dropped = 0;

/** Lines that this process could not write to its log. */
export function droppedLogLines(): number {
  return dropped;
}

/**
 * Opens the destination of log lines: a file descriptor, written at once and in order. A line that cannot be written (a
 * full disk, a reader that is gone or does not read) is dropped and counted: work must not fail for want of its log.
 */
export function logDestination(descriptor: number): { readonly write: (line: string) => void } {
  // one that does not read is waited for once, and not at every line
  let isStuck = false;
  // the rest of a line that was cut is ended before the next
  let isCut = false;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  return {
    write: (line) => {
      const bytes = Buffer.from(isCut ? `\n${line}` : line);
      const until = performance.now() + (isStuck ? 0 : PATIENCE_MS);
      let at = 0;
      while (at < bytes.length) {
        try {
          at += fs.writeSync(descriptor, bytes, at);
        } catch (error) {
          if (isFull(error) && performance.now() < until) {
            Atomics.wait(pause, 0, 0, PAUSE_MS);
            continue;
          }
          isStuck = isFull(error);
          isCut ||= at > 0;
          dropped++;
          return;
        }
      }
      isStuck = false;
      isCut = false;
    },
  };
}

/** A pipe whose reader has not kept up. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
