import type { Config } from '#src/system/config/config-type.ts';
import { type PublicUrls, publicUrlOf } from '#src/system/config/public-url.ts';

/** Something that happened, and that endpoints may be notified of. */
export interface NotableEvent {
  /** Names it: it is delivered to an endpoint once. */
  readonly key: string;
  /** Null: it is everybody’s. */
  readonly owner: string | null;
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** Queue of the job that an event is about. */
  readonly queue?: string;
  readonly group?: string | null;
  /** Underlying that a market signal is about. */
  readonly symbol?: string;
}

/** The body of an event’s message, as Standard Webhooks has it. JSON text. */
export function bodyOf({ type, at, data }: Pick<NotableEvent, 'type' | 'at' | 'data'>): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

/** Address of a page of the console. It opens the page and allows nothing: its reader signs in. */
export function pageOf(config: PublicUrls & Pick<Config, 'HOST' | 'PORT'>, path: string): string {
  return new URL(path, publicUrlOf(config)).href;
}
