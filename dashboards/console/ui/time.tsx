import { useSyncExternalStore } from 'react';

const moment = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** A moment, in the reader's own time zone. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={whole.format(date)}>
      {moment.format(date)}
    </time>
  );
}

/** Time since (or until) a moment, in its largest unit; it updates by itself. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow();
  const seconds = (now - Date.parse(at)) / 1_000;
  const words = seconds < -1 ? `in ${roughly(-seconds)}` : seconds < 1 ? 'now' : `${roughly(seconds)} ago`;
  return (
    <time dateTime={at} title={whole.format(new Date(at))}>
      {words}
    </time>
  );
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A span in its two largest units: `2 h 5 min`, `12 s`, `340 ms`. */
export function spell(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  const index = units.findIndex(([, size]) => seconds >= size);
  const [unit, size] = units[index] ?? units[3];
  const next = units[index + 1];
  const count = Math.floor(seconds / size);
  const rest = next ? Math.floor((seconds - count * size) / next[1]) : 0;
  return next && rest > 0 ? `${count} ${unit} ${rest} ${next[0]}` : `${count} ${unit}`;
}

function roughly(seconds: number): string {
  const [unit, size] = units.find(([, one]) => seconds >= one) ?? units[3];
  return `${Math.floor(seconds / size)} ${unit}`;
}

let now = Date.now();
const readers = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

/** Milliseconds since 1970, a second exact; one clock for all who read it. */
export function useNow(): number {
  return useSyncExternalStore(hearClock, () => now);
}

/** Counts periods of so many seconds since 1970: what reads it is drawn again when the next one begins. */
export function usePeriod(seconds: number): number {
  return useSyncExternalStore(hearClock, () => Math.floor(now / (seconds * 1_000)));
}

function hearClock(reader: () => void): () => void {
  readers.add(reader);
  now = Date.now();
  clock ??= setInterval(() => {
    now = Date.now();
    for (const one of readers) one();
  }, 1_000);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}
