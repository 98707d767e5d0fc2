import { readFileSync } from 'node:fs';
import { type AccessOptions, openApi } from '#src/commands/client/api-access.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';

/** Contract of one queue in a file, with its version. */
interface Applied {
  readonly name: string;
  readonly version?: number;
  readonly contract: unknown;
}

interface Answer {
  readonly name: string;
  readonly version: number;
  readonly digest: string;
}

/**
 * Registers the queues of a file, one after the other: `[{"name", "version", "contract"}, …]`. Again changes nothing.
 *
 * @throws AppError with the sentence of the first that is refused; those before it are registered
 */
export async function applyQueues(file: string, options: AccessOptions & Printing): Promise<void> {
  const wanted = read(file);
  const client = await openApi(options);
  const done: Answer[] = [];
  for (const { name, version = 1, contract } of wanted)
    done.push(await client.call<Answer>('PUT', `/v1/queues/${encodeURIComponent(name)}`, { version, contract }));
  print(options, done, () => done.map(({ name, version, digest }) => `${name}@${version}  ${digest}`).join('\n'));
}

function read(file: string): readonly Applied[] {
  const shape = 'a file with an array of {"name", "version", "contract"}';
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason';
    throw new AppError('invalid_request', `${file}: expected ${shape}, got one that cannot be read (${why}).`);
  }
  const isApplied = (one: unknown): one is Applied =>
    typeof one === 'object' && one !== null && typeof (one as Applied).name === 'string' && 'contract' in one;
  if (Array.isArray(value) && value.length > 0 && value.every(isApplied)) return value;
  throw new AppError('invalid_request', `${file}: expected ${shape}, got something else.`);
}
