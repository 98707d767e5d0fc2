import type { Static, TSchema } from 'typebox';
import type { Payload } from '#queues/define.ts';
import { generate } from '#queues/providers.ts';
import type { InputKind } from '#src/platform/edge/intake.ts';
import type { PlatformWork } from '#src/platform/edge/work.ts';

/** Work of a media provider behind a route, with what its documentation says. */
export interface MediaWork<B = any> extends PlatformWork<typeof generate, B> {
  readonly summary: string;
  readonly description?: string;
  /** Id of the route in its own name; aliases have the path behind it. */
  readonly operationId: string;
  /** Schema of a 200. */
  readonly answer: TSchema;
  /** Members of the body that are files, and what each has to be: such routes take multipart as well. */
  readonly files?: Readonly<Record<string, InputKind>>;
}

/** Members that differ from work to work. */
type Own<S extends TSchema> = Omit<MediaWork<Static<S>>, 'queue' | 'body' | 'aliases'> & {
  readonly body: S;
  readonly aliases?: readonly string[];
};

/** An entry of the table. */
export function mediaWork<S extends TSchema>({ aliases = [], ...own }: Own<S>): MediaWork<Static<S>> {
  return { ...own, aliases, queue: generate };
}

export type MediaPayload = Payload<typeof generate>;
