import {
  fromJsonSchema,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { TSchema } from 'typebox';
import { describeValidation } from '#src/lib/validation/describe-validation.ts';
import { buildValidators } from '#src/lib/validation/validators.ts';

/**
 * A schema as the protocol's server takes it, checked as bodies of routes are: nothing unknown, nothing converted,
 * defaults filled in, and a sentence for what does not fit.
 */
export function checked(schema: TSchema, part: 'arguments' | 'answer'): StandardSchemaWithJSON {
  const check = buildValidators({})({ schema, method: '', url: '', httpPart: 'body' });
  const validate: JsonSchemaValidator<unknown> = (data) =>
    check(data)
      ? { valid: true, data, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: describeValidation(check.errors ?? [], part).message };
  const validator: jsonSchemaValidator = { getValidator: () => validate as JsonSchemaValidator<never> };
  return fromJsonSchema(schema as unknown as JsonSchemaType, validator);
}
