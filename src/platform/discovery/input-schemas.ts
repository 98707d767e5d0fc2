import type { FastifyInstance } from 'fastify';
import { documentOf, isJson, type Json, nameIn } from '#src/http/documents/document.ts';

/**
 * The JSON Schema (2020-12) of the body that a route takes, with everything that it refers to; null where it takes
 * none. Of several media types the JSON one.
 *
 * @param path as OpenAPI writes it
 */
export function inputSchemaOf(app: FastifyInstance, method: string, path: string): Json | null {
  const document = documentOf(app);
  const operation = document.paths?.[path]?.[method.toLowerCase()];
  const content = operation?.requestBody?.content ?? {};
  const schema = (content['application/json'] ?? Object.values(content)[0])?.schema;
  const components = document.components?.['schemas'] ?? {};
  const named = nameIn(schema);
  const body = named === undefined ? schema : components[named];
  return body ? standalone(body, components) : null;
}

/** Returns a self-contained schema of the document: the components that it refers to are included. */
function standalone(schema: Json, components: Json): Json {
  const used = new Map<string, unknown>();
  const moved = move(schema, components, used) as Json;
  return used.size === 0 ? moved : { ...moved, $defs: Object.fromEntries(used) };
}

function move(value: unknown, components: Json, used: Map<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => move(one, components, used));
  if (!isJson(value)) return value;
  const moved = Object.entries(value).map(([key, inner]) => [key, move(inner, components, used)]);
  const name = nameIn(value);
  if (name === undefined) return Object.fromEntries(moved);
  if (!used.has(name)) {
    // before what it refers to, which may be itself
    used.set(name, {});
    used.set(name, move(components[name], components, used));
  }
  return { ...Object.fromEntries(moved), $ref: `#/$defs/${name}` };
}
