import { isJson, type Json, nameIn, type OpenApiDocument, type Operation, operationsOf, refTo } from './document.ts';

/** Form of a `title` that is the name of generated types. */
const typeName = /^[A-Z][A-Za-z0-9]{2,}$/;

/** Ending of the name of a body that has none of its own, by media type. */
const bodyNames: Readonly<Record<string, string>> = {
  'application/x-www-form-urlencoded': 'Form',
  'multipart/form-data': 'Upload',
};

/**
 * Moves every schema that has a name to the components, and each body that has none under the name of its operation, so
 * that generated types have names and what is used twice is written once.
 *
 * @throws Error where two schemas that differ have one name.
 */
export function nameSchemas(document: OpenApiDocument): void {
  const components = document.components?.['schemas'];
  if (!components) return;
  const texts = new Map<string, string>();

  const keep = (name: string, schema: Json): Json => {
    const { description } = schema;
    const text = shapeOf(schema);
    const known = texts.get(name);
    if (known !== undefined && known !== text)
      throw new Error(`Two schemas of the OpenAPI document are called ${name}: ${difference(known, text)}.`);
    texts.set(name, text);
    components[name] ??= schema;
    // what a value is at this place may be more than what it is by itself
    const isSaid = description === undefined || description === components[name]['description'];
    return isSaid ? refTo(name) : { ...refTo(name), description };
  };

  /** A schema with every named one within it as a reference; `own` is the name it has already. */
  const move = (value: unknown, own?: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => move(one));
    if (!isJson(value)) return value;
    const moved = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, move(inner)]));
    const { title } = value;
    if (typeof title !== 'string' || !typeName.test(title) || title === own || !isSchema(value)) return moved;
    return keep(title, moved);
  };

  for (const [name, schema] of Object.entries(components)) {
    const moved = move(schema, name) as Json;
    components[name] = moved;
    texts.set(name, shapeOf(moved));
  }
  for (const operation of operationsOf(document))
    for (const { media, name } of bodiesOf(operation)) {
      const moved = move(media.schema) as Json | undefined;
      if (moved) media.schema = needsName(moved) ? keep(name, { title: name, ...moved }) : moved;
    }
}

/** The text that two schemas of one name must share: everything but their description. */
const shapeOf = (schema: Json): string => JSON.stringify({ ...schema, description: undefined });

/** A property can be called `title` too. */
const isSchema = (value: Json): boolean => ['type', 'anyOf', 'enum', 'oneOf', 'allOf'].some((key) => key in value);

const needsName = (schema: Json): boolean =>
  nameIn(schema) === undefined && (schema['type'] === 'object' || 'anyOf' in schema || 'oneOf' in schema);

/** Every body that an operation takes and gives, with the name it gets where it has none. Errors have names. */
function bodiesOf({ operationId = '', requestBody, responses = {} }: Operation) {
  const base = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const taken = Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({
    media,
    name: `${base}${bodyNames[type] ?? 'Request'}`,
  }));
  const answered = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).map((media) => ({ media, name: `${base}Answer${/^20[01]$/.test(status) ? '' : status}` })),
  );
  return [...taken, ...answered];
}

/** Shows both texts around the first letter that differs. */
function difference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 60);
  return `${one.slice(from, at + 60)} … ${other.slice(from, at + 60)}`;
}
