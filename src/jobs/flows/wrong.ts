import { AppError } from '#src/lib/errors.ts';

/** The refusal of a flow, with the place of what is wrong in the request's body. */
export function wrong(field: string, expected: string): AppError {
  return new AppError('invalid_request', `body.${field}: expected ${expected}.`, { field: `body.${field}` });
}
