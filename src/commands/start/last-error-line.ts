import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const READ_BYTES = 64 * 1_024;
const MOST_CHARACTERS = 500;
/** pino's number of `error`. */
const ERROR_LEVEL = 50;

/**
 * The last line of a log that tells of an error: a line of ours of that level, or one that a server or Node printed.
 * Undefined where its end holds none, or it cannot be read.
 */
export function lastErrorLine(path: string): string | undefined {
  const lines = endOf(path).split('\n').toReversed();
  for (const line of lines) {
    const text = errorOf(line.trim());
    if (text !== undefined) return text.slice(0, MOST_CHARACTERS);
  }
  return undefined;
}

function errorOf(line: string): string | undefined {
  if (!line.startsWith('{'))
    return /\b(error|fatal|panic|no space left|cannot|expected)\b/i.test(line) ? line : undefined;
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: { message?: string } };
    if (level === undefined || level < ERROR_LEVEL) return undefined;
    return [msg, err?.message].filter((text) => text !== undefined).join(': ');
  } catch {
    return undefined;
  }
}

function endOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, READ_BYTES));
      readSync(file, buffer, 0, buffer.length, size - buffer.length);
      return buffer.toString('utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
