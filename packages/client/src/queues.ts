/**
 * Queues whose types are known by their names, filled by declaration merging: `proofline types` writes it from the
 * contracts of a server.
 *
 * ```ts
 * declare module '@proofline/client' {
 *   interface Queues {
 *     'acme.resize-image': { payload: { url: string }; result: { url: string }; progress: unknown };
 *   }
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-interface -- others fill it
export interface Queues {}

interface Types {
  readonly payload: unknown;
  readonly result: unknown;
}

type TypesOf<Name extends string> = Name extends keyof Queues ? Queues[Name] : Types;

/** Payload of a queue; unknown where the queue is not in {@link Queues}. */
export type PayloadOf<Name extends string> = TypesOf<Name> extends { readonly payload: infer P } ? P : unknown;

/** Result of a queue; unknown where the queue is not in {@link Queues}. */
export type ResultOf<Name extends string> = TypesOf<Name> extends { readonly result: infer R } ? R : unknown;

/** A kind of job, as far as submitting it goes; `defineJob` of `@proofline/worker` makes one. */
export interface JobType<Payload = unknown, Result = unknown, Name extends string = string> {
  readonly name: Name;
  /** Version of the contract that its payloads are of. */
  readonly version?: number;
  /** Group of a job, for fair shares, from its payload. */
  readonly group?: ((job: { readonly payload: Payload }) => string) | undefined;
  /** Types alone: there is no such member. */
  readonly '~types'?: ((payload: Payload) => Result) | undefined;
}
