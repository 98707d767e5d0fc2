import { type Finding, fault, ok, warning } from './finding.ts';

/** The clock of a server beside this machine's. */
export interface Clock {
  readonly server: string;
  /** Milliseconds by which it is ahead. */
  readonly aheadMs: number;
  /** Milliseconds by which that may be wrong: half of what the question took. */
  readonly marginMs: number;
}

/** Difference from which on times in logs and streams do not fit together. */
const NOTICEABLE_MS = 2_000;
/** Difference from which on signatures, tokens and sessions are refused, or live for too long. */
const WRONG_MS = 30_000;

/** Reads the clock of a server; it was read somewhere between the question and the answer. */
export async function readClock(server: string, read: () => Promise<number>): Promise<Clock> {
  const [before, since] = [Date.now(), performance.now()];
  const at = await read();
  const tookMs = performance.now() - since;
  return { server, aheadMs: at - (before + tookMs / 2), marginMs: tookMs / 2 };
}

/** Compares each clock with this machine's, and those of two servers with each other. */
export function compareClocks(clocks: readonly Clock[]): readonly Finding[] {
  const pairs = clocks.flatMap((one, index) => clocks.slice(index + 1).map((other) => between(one, other)));
  return [...clocks.map((one) => judge(`this machine and ${one.server}`, one)), ...pairs];
}

function between(one: Clock, other: Clock): Finding {
  const aheadMs = other.aheadMs - one.aheadMs;
  return judge(`${one.server} and ${other.server}`, { aheadMs, marginMs: one.marginMs + other.marginMs });
}

function judge(names: string, { aheadMs, marginMs }: Omit<Clock, 'server'>): Finding {
  const check = `clocks of ${names}`;
  const apartMs = Math.max(Math.abs(aheadMs) - marginMs, 0);
  const said = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s apart`;
  if (apartMs >= WRONG_MS)
    return fault(check, `${said}: set them by NTP; signatures and sessions are refused or live on.`);
  if (apartMs >= NOTICEABLE_MS) return warning(check, `${said}: set them by NTP.`);
  return ok(check, said);
}
