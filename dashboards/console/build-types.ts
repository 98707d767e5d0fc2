import { compile } from 'json-schema-to-typescript';

/** An OpenAPI document as far as types are made from it. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
}

type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
}

interface Answer {
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

const banner = `/* Written from the OpenAPI document by build-types.ts: \`npx vitest run --project integration test/console/api-types.int.test.ts -u\`. */`;

/**
 * The types of all calls of an OpenAPI document, as a module: \`Api\`, by method and path, each with \`path\`,
 * \`query\`, \`body\` (where it takes them) and \`answer\`; and one type a component.
 */
export async function typesOf({ paths, components }: OpenApi): Promise<string> {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      callOf(operation, components.responses),
    ]),
  );
  const api = closed(
    Object.fromEntries(calls),
    calls.map(([name]) => name as string),
  );
  const schema = {
    ...api,
    title: 'Api',
    definitions: Object.fromEntries(Object.entries(components.schemas).map(([name, one]) => [name, typed(one)])),
  };
  const code = await compile(schema, 'Api', {
    bannerComment: banner,
    format: false,
    unreachableDefinitions: true,
    // lists of fixed lengths would make every use of them a proof
    ignoreMinAndMaxItems: true,
  });
  return `${code.trim()}\n`;
}

function callOf(
  { parameters = [], requestBody, responses }: Operation,
  shared: OpenApi['components']['responses'],
): Schema {
  const of = (place: string) => parameters.filter((one) => one.in === place);
  const answers = Object.entries(responses).map(
    ([status, one]) => [status, '$ref' in one ? (shared?.[one.$ref.split('/').at(-1)!] ?? {}) : one] as const,
  );
  const parts: Record<string, Schema> = { answer: answerOf(answers) };
  const required = ['answer'];
  for (const [part, place] of [
    ['path', 'path'],
    ['query', 'query'],
    ['headers', 'header'],
  ] as const) {
    const named = of(place);
    if (named.length === 0) continue;
    const needed = named.filter(({ required: needs }) => needs);
    parts[part] = closed(
      Object.fromEntries(named.map(({ name, schema = {} }) => [name, typed(schema)])),
      needed.map(({ name }) => name),
    );
    if (needed.length > 0) required.push(part);
  }
  const body = requestBody && jsonOf(requestBody.content);
  if (body) {
    parts['body'] = typed(body);
    if (requestBody.required !== false) required.push('body');
  }
  return closed(parts, required);
}

/** Schema of a call's successful answer; null where that is nothing, or no JSON. */
function answerOf(responses: readonly (readonly [status: string, answer: Answer])[]): Schema {
  const good = responses.filter(([status]) => status.startsWith('2'));
  const schemas = good.map(([, { content }]) => (content && jsonOf(content)) ?? { type: 'null' });
  const distinct = [...new Map(schemas.map((one) => [JSON.stringify(one), typed(one)])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

function jsonOf(content: Content): Schema | undefined {
  const [, media] = Object.entries(content).find(([type]) => type.includes('json')) ?? [];
  return media?.schema;
}

function closed(properties: Readonly<Record<string, unknown>>, required: readonly string[]): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Keywords that types cannot express, and that would double the document: /v1/openapi.json has them. */
const notOfTypes = new Set(
  'description title $id format pattern default example examples minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems'.split(
    ' ',
  ),
);

/**
 * A schema with what types can say and nothing more: no bounds, and objects that have no members that are not named.
 */
function typed(schema: Schema): Schema {
  return transform(schema) as Schema;
}

function transform(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(transform);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Record<string, unknown>;
  if (typeof schema['$ref'] === 'string')
    return { $ref: schema['$ref'].replace('#/components/schemas/', '#/definitions/') };
  const kept = Object.entries(schema).flatMap(([key, inner]) => {
    if (notOfTypes.has(key)) return [];
    if (key === 'properties' || key === 'patternProperties')
      return [[key, Object.fromEntries(Object.entries(inner as object).map(([name, one]) => [name, transform(one)]))]];
    if (key === 'enum' || key === 'const' || key === 'required') return [[key, inner]];
    return [[key, transform(inner)]];
  });
  const open =
    schema['type'] === 'object' && schema['properties'] !== undefined && schema['additionalProperties'] === undefined;
  return { ...Object.fromEntries(kept), ...(open && { additionalProperties: false }) };
}
