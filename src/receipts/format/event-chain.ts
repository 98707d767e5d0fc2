import { sha256 } from '@noble/hashes/sha2.js';
import { exactBytes } from '#src/lib/crypto/canonical-json.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import type { MissionEvent } from './receipt-schema.ts';

/** Position of the next event of a chain: its number, and the hash it follows. */
export interface ChainEnd {
  readonly seq: number;
  readonly prev: string;
}

/**
 * Computes the hash that the first event of a mission follows: SHA-256("platform/mission-genesis/v1\n" ||
 * JCS(mission)), lower-case hexadecimal. The mission is what the statement seals under `predicate.mission`.
 *
 * @throws TypeError for a mission that is no exact JSON.
 */
export function genesisOf(mission: object): string {
  return hashed('platform/mission-genesis/v1\n', mission);
}

/**
 * The next event, hashed: SHA-256("platform/mission-event/v1\n" || JCS({seq, type, at, data, prev})).
 *
 * @param at RFC 3339 in UTC with milliseconds
 * @param data exact JSON; receipts are public, so what is private goes in as `saltedHash`
 * @throws TypeError for data that is no exact JSON.
 */
export function appendEvent(
  { seq, prev }: ChainEnd,
  type: string,
  at: string,
  data: Readonly<Record<string, unknown>>,
): MissionEvent {
  const event = { seq, type, at, data, prev };
  return { ...event, hash: hashed('platform/mission-event/v1\n', event) };
}

/** An event, as it becomes a link. */
export interface ChainEntry {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The whole chain of what happened, in its order. */
export function chainEvents(genesis: string, entries: readonly ChainEntry[]): MissionEvent[] {
  const events: MissionEvent[] = [];
  for (const { type, at, data } of entries) {
    const prev = events.at(-1)?.hash ?? genesis;
    events.push(appendEvent({ seq: events.length, prev }, type, at.toISOString(), data));
  }
  return events;
}

export interface ChainSummary {
  readonly count: number;
  readonly genesis: string;
  readonly head: string;
}

/** Why the events are not the chain that was sealed, as a sentence; null when they are. */
export function checkChain(events: readonly MissionEvent[], sealed: ChainSummary): string | null {
  let prev = sealed.genesis;
  for (const [index, event] of events.entries()) {
    const why = checkLink(event, index, prev);
    if (why !== null) return why;
    prev = event.hash;
  }
  if (events.length !== sealed.count) return `expected ${sealed.count} events, as sealed, got ${events.length}.`;
  if (prev !== sealed.head) return `expected the last event to have the sealed hash ${sealed.head}, got ${prev}.`;
  return null;
}

function checkLink({ seq, type, at, data, prev, hash }: MissionEvent, index: number, follows: string): string | null {
  if (seq !== index) return `expected event ${index} at position ${index}, got event ${seq}.`;
  if (prev !== follows) return `event ${index}: expected it to follow ${follows}, got ${prev}.`;
  try {
    const right = appendEvent({ seq, prev }, type, at, data).hash;
    return right === hash ? null : `event ${index}: expected the hash ${right} of what it says, got ${hash}.`;
  } catch (error) {
    return `event ${index}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

// A prefix for each purpose, so that bytes hashed for one can never count for another.
function hashed(purpose: string, value: unknown): string {
  return hexOf(sha256.create().update(new TextEncoder().encode(purpose)).update(exactBytes(value)).digest());
}
