import { AppError } from '#src/lib/errors.ts';

/** The error of a part of the body that cannot be taken: where, what was expected, what came. */
export function wrongInput(field: string, expected: string, got: unknown): AppError {
  return new AppError('invalid_request', `${field}: expected ${expected}, got ${shown(got)}.`, {
    field: `body.${field}`,
    value: typeof got === 'string' ? got.slice(0, 80) : null,
  });
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}
