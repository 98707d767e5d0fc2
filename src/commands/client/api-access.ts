import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { AppError } from '#src/lib/errors.ts';
import { readyOf } from '#src/system/embedded/ready-file.ts';
import { type Client, openClient } from './api-client.ts';
import { leftOver } from './surroundings.ts';

export interface AccessOptions {
  readonly url?: string;
  readonly home: string;
}

/** Says in the help of a command which API it asks, with which key. */
export const accessHelp = `
Asks the API at --url (or PROOFLINE_URL) with the key in PROOFLINE_KEY; without them the system that runs on the home, with
its admin key.`;

/** The same for commands that show jobs. */
export const jobAccessHelp = `${accessHelp} An operator's key sees the jobs of all owners, another key those of its own owner.`;

/** The same for commands of operators alone. */
export const operatorAccessHelp = `${accessHelp} The key must be an operator's.`;

/** Gives a command the options that say which API it asks. */
export function withAccess(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'address of the API').env('PROOFLINE_URL'))
    .option(
      '--home <folder>',
      'PROOFLINE_HOME of the running system, without --url',
      process.env['PROOFLINE_HOME'] || '.proofline',
    );
}

/**
 * The address of the API that the options name, or of the system that runs on their home, with the admin key of that
 * home where it has one of its own.
 *
 * @throws AppError `invalid_request` where no API is known.
 */
export async function findApi({
  url,
  home,
}: AccessOptions): Promise<{ readonly url: string; readonly admin?: string }> {
  // an empty variable counts as not set
  if (url) {
    if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return { url };
    throw wrongUse(`--url: expected an address that starts with https:// or http://, got ${JSON.stringify(url)}.`);
  }
  const folder = resolve(home);
  const ready = await readyOf(folder);
  if (ready) return { url: ready.url, admin: ready.keys.admin };
  throw wrongUse(
    `expected --url with PROOFLINE_KEY, or a system that runs on ${folder}; got neither${leftOver(folder)}. Start one with npm start.`,
  );
}

/**
 * The API that the options name, and a key of it. The key comes from the environment, because arguments are seen by
 * everybody on the machine, unless the command takes one all the same. The admin key of a home goes to no other address than its own.
 *
 * @throws AppError `invalid_request` where no API or no key is known.
 */
export async function findAccess(
  options: AccessOptions & { readonly key?: string },
): Promise<{ readonly url: string; readonly key: string }> {
  const { url, admin } = await findApi(options);
  const key = options.key || process.env['PROOFLINE_KEY'] || admin;
  if (key) return { url, key };
  throw wrongUse('PROOFLINE_KEY: expected a key of the service at --url, got nothing; export one of yours.');
}

/** A client of the API that the options name. @throws AppError as {@link findAccess}. */
export async function openApi(
  options: AccessOptions & { readonly key?: string },
  signal: AbortSignal = AbortSignal.timeout(60_000),
): Promise<Client> {
  const { url, key } = await findAccess(options);
  return openClient(url, key, signal);
}

const wrongUse = (message: string): AppError => new AppError('invalid_request', message);
