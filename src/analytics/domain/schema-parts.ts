import { type TProperties, type TSchema, Type } from 'typebox';

/** An object with these fields and no others: with its description, or its description and the name clients know it by. */
export function closed<const Properties extends TProperties>(
  properties: Properties,
  said: string | { readonly title?: string; readonly description?: string } = {},
) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(typeof said === 'string' ? { description: said } : said),
  });
}

export function number(description: string) {
  return Type.Number({ description });
}

/** A number, or null where it is undefined; never NaN. */
export function maybe(description: string) {
  return Type.Union([Type.Number(), Type.Null()], { description });
}

/** The schema's value or null, with its description. */
export function orNull<const Schema extends TSchema>(schema: Schema) {
  const { description } = schema as { readonly description?: string };
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
