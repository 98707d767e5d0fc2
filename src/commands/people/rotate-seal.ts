import { Command } from 'commander';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';
import { remoteSignerOf } from '#src/receipts/keys/http-signer.ts';
import { rotateSealKey } from '#src/receipts/keys/rotate-seal-key.ts';
import { sealKeyPath } from '#src/receipts/keys/seal-keys.ts';
import { loadConfig } from '#src/system/config/config.ts';

const help = `
Works on SEAL_KEY_FILE, or on secrets/seal-key.json in PROOFLINE_HOME. Running processes take the new key with their
next seal. With SEAL_SIGNER_URL the new key is SEAL_SIGNER_PUBLIC_KEY, and the signer seals with it. Receipts of the old key stay good; after --compromised only those that were anchored before --since.

Examples:
  $ npm run proofline -- key rotate-seal
  $ npm run proofline -- key rotate-seal --compromised "backup was copied" --since 2026-11-20T08:00:00Z

Exit codes: 0 done; 1 failed, for example another rotation runs; 2 wrong use or a wrong setting.`;

interface Options extends Printing {
  readonly compromised?: string;
  readonly since?: string;
  readonly kid?: string;
}

export function rotateSealCommand(): Command {
  return withJson(new Command('rotate-seal').description('begin a new key for the seals of receipts'))
    .option('--compromised <reason>', 'others may have the old key: revoke it, for this reason')
    .option('--since <time>', 'since when they may have it, RFC 3339 (default: now)')
    .option('--kid <id>', 'which key they may have (default: the one in use)')
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const config = loadConfig();
      const { version, retired, current } = await rotateSealKey(
        sealKeyPath(config),
        compromiseOf(options),
        new Date(),
        remoteSignerOf(config),
      );
      const fate = retired.revokedAt === null ? `retires at ${retired.exp}` : `is revoked since ${retired.revokedAt}`;
      const value = {
        version,
        current: current.kid,
        retired: { kid: retired.kid, retires: retired.exp, revoked: retired.revokedAt },
      };
      print(options, value, () => `key manifest ${version}: ${current.kid} seals from now on; ${retired.kid} ${fate}`);
    });
}

function compromiseOf({ compromised: reason, since, kid }: Options) {
  if (reason === undefined) {
    if (since === undefined && kid === undefined) return null;
    throw new AppError('invalid_request', '--since and --kid: expected --compromised with them, got none.');
  }
  const at = since === undefined ? new Date() : new Date(since);
  if (!Number.isNaN(at.getTime()) && reason.trim() !== '') return { kid: kid ?? null, since: at, reason };
  throw new AppError(
    'invalid_request',
    `expected --compromised with a reason and --since with a time such as 2026-11-20T08:00:00Z, got ${JSON.stringify([reason, since])}.`,
  );
}
