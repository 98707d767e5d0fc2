import { type Static, Type } from 'typebox';
import { ErrorCodeName } from '#src/lib/error-code-schema.ts';

/** Fault of one field of a request. */
const FieldError = Type.Object(
  {
    field: Type.String({
      description: 'Where: the part of the request and the path in it, for example `body.scenarios[0].days`',
    }),
    message: Type.String({ description: 'The expected value and the received one' }),
    value: Type.Unsafe<unknown>({ description: 'The received value; long values are shortened' }),
  },
  { title: 'FieldError' },
);
export type FieldError = Static<typeof FieldError>;

/** Every error of this API (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Names the kind of error: `urn:proofline:error:` and the code' }),
    title: Type.String({ description: 'The code in words' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status' }),
    detail: Type.String({ description: 'The failure in a sentence, with the offending value' }),
    code: ErrorCodeName('The code that programs go by; docs/errors.md lists all'),
    request_id: Type.String({ description: 'Name of this request in our logs' }),
    errors: Type.Optional(Type.Array(FieldError, { description: 'The fields that are wrong, for invalid requests' })),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unsafe<unknown>({}), { description: 'More for machines; depends on the code' }),
    ),
  },
  { $id: 'Problem', title: 'Problem', description: 'An error, as problem details (RFC 9457)' },
);
export type Problem = Static<typeof Problem>;

const content = { 'application/problem+json': { schema: Type.Ref('Problem') } };

/** The error answers that every route can give; added to each one's documentation. */
export const problemResponses = {
  '4xx': { description: 'The request cannot be served as it is; `code` says why', content },
  '5xx': { description: 'Something failed on our side; `request_id` finds it in the logs', content },
};
