import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { AppError } from '#src/lib/errors.ts';
import { inexactFault } from '#src/lib/validation/client-json.ts';

/** Reads the JSON of a file, or of standard input for `-`. @throws AppError `invalid_request` */
export async function readPayload(file: string): Promise<unknown> {
  const text = file === '-' ? await textOf(process.stdin) : readFile(file);
  const name = file === '-' ? 'standard input' : file;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason';
    throw wrongUse(`${name}: expected JSON, got text that is not JSON (${why}).`);
  }
  const fault = inexactFault(text, '', name);
  if (fault) throw fault;
  return value;
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw wrongUse(`expected a file of JSON, or - for standard input, got ${file}, which cannot be read (${code}).`);
  }
}

export const wrongUse = (message: string): AppError => new AppError('invalid_request', message);
