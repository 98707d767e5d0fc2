import { readDecimal } from '#src/lib/decimal.ts';
import { wrongUse } from './read-payload.ts';

/** Reads a number from 0 that an option of a command names; undefined where it is left out. @throws AppError `invalid_request` */
export function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = readDecimal(text);
  if (value !== null && value >= 0) return value;
  throw wrongUse(`${option}: expected a number from 0, got ${JSON.stringify(text)}.`);
}
