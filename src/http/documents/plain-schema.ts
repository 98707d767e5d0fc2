import type { TSchema } from 'typebox';

/** A schema as documents have it: TypeBox keeps notes of its own in its schemas, and ids name them in our process alone. */
export function plainSchema(schema: TSchema): object {
  const { $id: _id, ...plain } = JSON.parse(JSON.stringify(schema)) as { readonly $id?: string };
  return plain;
}
