import { MOST_CONTENT_BYTES, type QueueContract } from './define.ts';
import type { Misfit } from './misfit.ts';

/** Parts of a job whose size a contract bounds. */
const sizes = { payload: 'maxPayloadBytes', result: 'maxResultBytes', progress: 'maxProgressBytes' } as const;

/** Finds a part of a job that has more bytes of JSON than its contract allows; null where it has not. */
export function tooLarge(queue: QueueContract, part: keyof typeof sizes, value: unknown): Misfit | null {
  // the storage refuses what is larger than it takes: most results need not be written twice
  if (part === 'result' && queue.maxResultBytes >= MOST_CONTENT_BYTES) return null;
  return tooLong(queue, part, JSON.stringify(value) ?? 'null');
}

/** Like {@link tooLarge}, of JSON that is text already. */
export function tooLong(queue: QueueContract, part: keyof typeof sizes, text: string): Misfit | null {
  const most = queue[sizes[part]];
  // a character has three bytes at most, so that a short text is not looked at
  if (text.length <= most / 3) return null;
  const bytes = Buffer.byteLength(text);
  return bytes <= most ? null : { path: '', message: `has ${bytes} bytes of JSON, expected at most ${most}` };
}
