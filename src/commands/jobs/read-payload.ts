import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { AppError } from '#src/lib/errors.ts';

/** Reads the JSON of a file, or of standard input for `-`. @throws AppError `invalid_request` */
export async function readPayload(file: string): Promise<unknown> {
  const text = file === '-' ? await textOf(process.stdin) : readFile(file);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason';
    throw wrongUse(`${file === '-' ? 'standard input' : file}: expected JSON, got text that is not JSON (${why}).`);
  }
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
