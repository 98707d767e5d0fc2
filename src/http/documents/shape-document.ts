import { knownValues } from '#src/lib/validation/known-values.ts';
import { describeHeaders } from './describe-headers.ts';
import { isJson, type OpenApiDocument } from './document.ts';
import { nameSchemas } from './name-schemas.ts';
import { relaxInputs } from './relax-inputs.ts';
import { shareAnswers } from './share-answers.ts';

/**
 * The OpenAPI document as clients and their generators need it, from what is written from the routes' own schemas:
 * inputs with a default may be left out, schemas have names, answers say their headers.
 *
 * @throws Error where two schemas that differ have one name.
 */
export function shapeDocument<T extends object>(document: T): T {
  const shaped = structuredClone(document) as OpenApiDocument & { components?: Record<string, object> };
  shaped.components = { ...shaped.components, headers: {}, responses: {} };
  sayKnownValues(shaped);
  relaxInputs(shaped);
  nameSchemas(shaped);
  describeHeaders(shaped);
  shareAnswers(shaped);
  return shaped as T;
}

function sayKnownValues(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (isJson(value) && Array.isArray(value[knownValues])) {
    const { [knownValues]: known, title, type, description } = value;
    // bounds of the text say nothing beside its values, and would make another schema of the same name
    for (const key of Object.keys(value)) delete value[key];
    Object.assign(value, { enum: known, ...(title !== undefined && { title }), type, description });
  }
  for (const inner of Object.values(value)) sayKnownValues(inner);
}
