import type { FastifyInstance } from 'fastify';
import { nameIn } from '#src/http/documents/document.ts';
import type { OpenApi } from '#src/http/documents/part-of-openapi.ts';

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Json }>> };
}

/**
 * The JSON Schema (2020-12) of the body that a route takes, with everything that it refers to; null where it takes none. Of
 * several media types the JSON one.
 *
 * @param path as OpenAPI writes it
 */
export function inputSchemaOf(app: FastifyInstance, method: string, path: string): Json | null {
  const document = app.swagger() as OpenApi;
  const operation = (document.paths?.[path] as Readonly<Record<string, Operation>> | undefined)?.[method.toLowerCase()];
  const content = operation?.requestBody?.content ?? {};
  const schema = (content['application/json'] ?? Object.values(content)[0])?.schema;
  const components = document.components?.['schemas'] ?? {};
  const named = nameIn(schema);
  const body = named === undefined ? schema : (components[named] as Json);
  return body ? standalone(body, components) : null;
}

const prefix = '#/components/schemas/';

/** A schema of the document that stands by itself: what it refers to comes along. */
function standalone(schema: Json, components: Json): Json {
  const used = new Map<string, unknown>();
  const moved = move(schema, components, used) as Json;
  return used.size === 0 ? moved : { ...moved, $defs: Object.fromEntries(used) };
}

function move(value: unknown, components: Json, used: Map<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => move(one, components, used));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name !== '$ref' || typeof inner !== 'string' || !inner.startsWith(prefix))
        return [name, move(inner, components, used)];
      const component = inner.slice(prefix.length);
      if (!used.has(component)) {
        // before what it refers to, which may be itself
        used.set(component, {});
        used.set(component, move(components[component], components, used));
      }
      return [name, `#/$defs/${component}`];
    }),
  );
}
