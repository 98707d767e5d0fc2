import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { type AccessOptions, accessHelp, openApi, withAccess } from '#src/commands/client/api-access.ts';
import { type Client, statusOf } from '#src/commands/client/api-client.ts';
import { AppError } from '#src/lib/errors.ts';
import { counted } from '#src/lib/text/counted.ts';
import { queueTypes, type TypedContract } from './queue-types.ts';

const help = `${accessHelp}

Examples:
  $ npm run -s proofline -- types --out queues.d.ts
  $ npm run -s proofline -- types --queue acme.resize-image acme.send-mail

Exit codes: 0 written; 1 refused or failed; 2 wrong use.`;

interface Options extends AccessOptions {
  readonly key?: string;
  readonly out?: string;
  readonly queue?: readonly string[];
}

/** The newest contract of a queue, and who registered it. */
type Registered = TypedContract & { readonly registered_by: string };

export function typesCommand(): Command {
  return withAccess(
    new Command('types').description(
      'write TypeScript types of your queues, by which @proofline/client checks payloads',
    ),
  )
    .option(
      '--key <key>',
      'key of the service; better PROOFLINE_KEY, because arguments are seen by everybody on the machine',
    )
    .option('--queue <name...>', 'these queues; without it all that you have registered')
    .option('--out <file>', 'file to write; without it they are printed')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const client = await openApi(options);
      const contracts = options.queue
        ? await Promise.all(options.queue.map(async (name) => await readContract(client, name)))
        : await ownContracts(client);
      const text = queueTypes(client.url, contracts);
      if (options.out === undefined) process.stdout.write(text);
      else write(options.out, text, contracts.length);
    });
}

/** Contracts that the caller may read, without those of the release. */
async function ownContracts(client: Client): Promise<readonly Registered[]> {
  const { data } = await client.call<{ readonly data: readonly { readonly name: string }[] }>('GET', '/v1/queues');
  const found: Registered[] = [];
  for (const { name } of data) {
    const contract = await readContract(client, name).catch((error: unknown) => {
      // the list has built-in queues, whose contracts operators read
      if (statusOf(error) === 404) return null;
      throw error;
    });
    if (contract && contract.registered_by !== 'release') found.push(contract);
  }
  return found;
}

async function readContract(client: Client, name: string): Promise<Registered> {
  const path = `/v1/queues/${encodeURIComponent(name)}`;
  const { data } = await client.call<{ readonly data: readonly Registered[] }>('GET', path);
  const [newest] = data;
  if (!newest) throw new AppError('not_found', `expected a contract of ${name}, got none.`, { queue: name });
  return newest;
}

function write(file: string, text: string, queues: number): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unwritable';
    throw new AppError(
      'invalid_request',
      `--out: expected a file that can be written, got ${JSON.stringify(file)} (${reason}).`,
      {},
      error,
    );
  }
  process.stderr.write(`types of ${counted(queues, 'queue')} written to ${file}\n`);
}
