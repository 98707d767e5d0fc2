/**
 * Types of values from JSON Schemas whose types are literal: plain objects, as `defineJob` takes them, and TypeBox's.
 * Keywords that types cannot express are ignored; a schema that says nothing known is `unknown`.
 */
export type FromSchema<S> = S extends { readonly '~unsafe': infer T }
  ? T
  : S extends { readonly static: infer T }
    ? T
    : S extends true
      ? unknown
      : S extends false
        ? never
        : S extends { readonly const: infer T }
          ? Loose<T>
          : S extends { readonly enum: readonly (infer T)[] }
            ? Loose<T>
            : S extends { readonly anyOf: readonly (infer M)[] }
              ? OneOf<M>
              : S extends { readonly oneOf: readonly (infer M)[] }
                ? OneOf<M>
                : S extends { readonly allOf: readonly [...infer M] }
                  ? AllOf<M>
                  : S extends { readonly type: readonly (infer N)[] }
                    ? OfType<S, N>
                    : S extends { readonly type: infer N }
                      ? OfType<S, N>
                      : unknown;

/** A member of a union at a time. */
type OneOf<M> = M extends unknown ? FromSchema<M> : never;

type AllOf<M extends readonly unknown[]> = M extends readonly [infer First, ...infer Rest]
  ? FromSchema<First> & AllOf<Rest>
  : unknown;

/** Values of one named type, or of several. */
type OfType<S, N> = N extends 'string'
  ? string
  : N extends 'number' | 'integer'
    ? number
    : N extends 'boolean'
      ? boolean
      : N extends 'null'
        ? null
        : N extends 'array'
          ? ArrayOf<S>
          : N extends 'object'
            ? ObjectOf<S>
            : unknown;

type ArrayOf<S> = S extends { readonly prefixItems: readonly [...infer M] }
  ? TupleOf<M>
  : S extends { readonly items: readonly [...infer M] }
    ? TupleOf<M>
    : S extends { readonly items: infer M }
      ? FromSchema<M>[]
      : unknown[];

type TupleOf<M extends readonly unknown[]> = { -readonly [K in keyof M]: FromSchema<M[K]> };

type ObjectOf<S> = S extends { readonly properties: infer P }
  ? Evaluate<
      { -readonly [K in Extract<keyof P, RequiredOf<S>>]: FromSchema<P[K]> } & {
        -readonly [K in Exclude<keyof P, RequiredOf<S>>]?: FromSchema<P[K]>;
      }
    >
  : S extends { readonly patternProperties: infer P }
    ? { [key: string]: FromSchema<P[keyof P]> }
    : S extends { readonly additionalProperties: infer A }
      ? { [key: string]: FromSchema<A> }
      : { [key: string]: unknown };

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

type Evaluate<T> = { [K in keyof T]: T[K] } & {};

/** A value of a literal schema without its `readonly`. */
type Loose<T> = T extends string | number | boolean | null ? T : { -readonly [K in keyof T]: Loose<T[K]> };
