import { type Static, Type } from 'typebox';
import { Problem } from '#src/http/errors/problem.ts';
import { ErrorCodeName } from '#src/lib/error-code-schema.ts';
import { clientErrorTypes } from './client-error-types.ts';

/** The same error in the words of OpenAI's clients, which read nothing else. */
export const ClientError = Type.Object(
  {
    message: Type.String({ description: 'Error in a sentence' }),
    type: Type.Enum([...clientErrorTypes], {
      type: 'string',
      description: 'Kind of error, in the words of such clients; it follows the status',
    }),
    code: ErrorCodeName('Same code as beside it'),
    param: Type.Union([Type.String(), Type.Null()], { description: 'The field that is wrong; null where none is' }),
  },
  { description: 'The same for clients of OpenAI’s kind' },
);
export type ClientError = Static<typeof ClientError>;

/** Every error of the platform: problem details (RFC 9457) with one member more. */
export const PlatformProblem = Type.Object(
  { ...Problem.properties, error: ClientError },
  { $id: 'PlatformProblem', title: 'PlatformProblem', description: 'An error, as problem details (RFC 9457)' },
);
export type PlatformProblem = Static<typeof PlatformProblem>;
