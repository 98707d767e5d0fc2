/** Kinds of a keyword's value. An `id` is a name that nothing outside the schema can use. */
export type Kind = 'schema' | 'schemas' | 'named' | 'value' | 'note' | 'pattern' | 'ref' | 'id' | 'anchor';

const kinds = (kind: Kind, names: string) => names.split(' ').map((name) => [name, kind] as const);

/** Keywords of JSON Schema 2020-12 that a contract may use, and those of usual generators, by their kind of value. */
export const keywords: ReadonlyMap<string, Kind> = new Map([
  ...kinds(
    'schema',
    'additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties',
  ),
  ...kinds('schemas', 'allOf anyOf oneOf prefixItems'),
  // `definitions` is what drafts of before, and generators to this day, call `$defs`
  ...kinds('named', '$defs definitions dependentSchemas patternProperties properties'),
  ...kinds('pattern', 'pattern'),
  ...kinds('ref', '$ref'),
  ...kinds('id', '$id'),
  ...kinds('anchor', '$anchor'),
  ...kinds(
    'value',
    'const dependentRequired enum exclusiveMaximum exclusiveMinimum format maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf required type uniqueItems',
  ),
  // `discriminator` is OpenAPI's: which of `oneOf` is meant, where these say the same
  ...kinds(
    'note',
    '$comment $schema contentEncoding contentMediaType default deprecated description discriminator examples readOnly title writeOnly',
  ),
]);

/** Keywords whose schemas look at the same value as the schema that they are in. */
export const inPlace: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'anyOf',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
]);

/** A JSON Schema object that a caller wrote. */
export type ForeignSchema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema right below another. */
interface Subschema {
  /** Steps from the one to the other. */
  readonly steps: readonly string[];
  readonly schema: unknown;
}

/** Lists the schemas right below a schema, at every keyword that holds some. */
export function subschemasOf(schema: ForeignSchema): readonly Subschema[] {
  return Object.entries(schema).flatMap(([name, value]): readonly Subschema[] => {
    const kind = keywords.get(name);
    if (kind === 'schema') return [{ steps: [name], schema: value }];
    if (kind === 'schemas' && Array.isArray(value))
      return value.map((one, index) => ({ steps: [name, String(index)], schema: one }));
    if (kind === 'named' && isRecord(value))
      return Object.entries(value).map(([key, one]) => ({ steps: [name, key], schema: one }));
    return [];
  });
}

/** Makes a schema of another by changing each schema right below it, which is told the kind of its keyword. */
export function mapSubschemas(
  schema: ForeignSchema,
  change: (subschema: unknown, kind: Kind) => unknown,
): ForeignSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      const kind = keywords.get(name);
      if (kind === 'schema') return [name, change(value, kind)];
      if (kind === 'schemas' && Array.isArray(value)) return [name, value.map((one) => change(one, kind))];
      if (kind === 'named' && isRecord(value))
        return [name, Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one, kind)]))];
      return [name, value];
    }),
  );
}
