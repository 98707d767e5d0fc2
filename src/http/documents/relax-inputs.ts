import { isJson, type Json, nameIn, type OpenApiDocument, operationsOf } from './document.ts';

/**
 * Marks an input with a default as one that may be left out. Our schemas require it, since code that reads a checked
 * request always finds it; a client that read so would refuse `{"goal": …}` without `timeoutSeconds`.
 */
export function relaxInputs(document: OpenApiDocument): void {
  const seen = new Set<object>();
  const relax = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isJson(value)) relaxOne(value);
    const named = isJson(value) ? nameIn(value) : undefined;
    if (named !== undefined) relax(document.components?.['schemas']?.[named]);
    for (const inner of Object.values(value)) relax(inner);
  };
  for (const { parameters = [], requestBody } of operationsOf(document)) {
    for (const parameter of parameters)
      if (parameter.in !== 'path' && parameter.schema && 'default' in parameter.schema) parameter['required'] = false;
    for (const { schema } of Object.values(requestBody?.content ?? {})) relax(schema);
  }
}

/**
 * Writes a default into the description: a generator of types takes what has a `default` for always there, in a body
 * too.
 */
function relaxOne(schema: Json): void {
  const { properties, required } = schema;
  if (!isJson(properties)) return;
  const defaulted = Object.keys(properties).filter((name) => 'default' in (properties[name] as Json));
  for (const name of defaulted) {
    const { default: value, description, ...rest } = properties[name] as Json;
    const said = [description, `Without it: ${JSON.stringify(value)}`].filter(Boolean).join('. ');
    properties[name] = { ...rest, description: said };
  }
  if (!Array.isArray(required)) return;
  const left = required.filter((name: string) => !defaulted.includes(name));
  if (left.length > 0) schema['required'] = left;
  else delete schema['required'];
}
