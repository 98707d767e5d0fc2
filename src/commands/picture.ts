import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Command } from 'commander';
import type { Static } from 'typebox';
import type { SurfaceAnswer } from '#src/analytics/domain/surface-schema.ts';
import { marketSymbols } from '#src/analytics/domain/symbols.ts';
import type { GexData } from '#src/analytics/schemas.ts';
import { AppError } from '#src/lib/errors.ts';
import { loadConfig } from '#src/system/config.ts';
import { readReady } from '#src/system/embedded/ready-file.ts';
import { openClient } from './api-client.ts';
import { type Printing, print, withJson } from './print.ts';
import { type Origin, profilePicture } from './profile-picture.ts';
import { surfacePicture } from './surface-picture.ts';

const help = `
Asks a running system, as any client would, and writes an SVG that can be read on light and on dark pages.
profile: net gamma against spot with every flip, the walls and the strikes. surface: implied volatility over
log-moneyness and days to expiry.

Examples:
  $ npm run proofline -- picture profile --symbol SPX --out profile.svg
  $ npm run proofline -- picture surface --symbol QQQ --out surface.svg --url https://… --key sk-platform-…

Exit codes: 0 written; 1 there is nothing to draw, or no answer; 2 wrong use or a wrong setting.`;

interface PictureOptions extends Printing {
  readonly symbol: string;
  readonly out: string;
  readonly url?: string;
  readonly key?: string;
}

interface Answer<Data> extends Origin {
  readonly status: string;
  readonly data: Data | null;
}

export function pictureCommand(): Command {
  return withJson(new Command('picture').description('draw the gamma profile or the volatility surface of a symbol'))
    .addArgument(new Argument('<what>').choices(['profile', 'surface']))
    .option('--symbol <symbol>', marketSymbols.join(', '), 'SPX')
    .requiredOption('--out <file>', 'SVG file to write')
    .option('--url <url>', 'address of the API (default: that of the system that runs on PROOFLINE_HOME)')
    .option('--key <key>', 'API key (default: the analytics key of that system)')
    .addHelpText('after', help)
    .action(picture);
}

async function picture(what: 'profile' | 'surface', options: PictureOptions): Promise<void> {
  const { url, key } = access(options);
  const client = openClient(url, key, AbortSignal.timeout(60_000));
  const symbol = encodeURIComponent(options.symbol);
  const drawn =
    what === 'profile'
      ? draw(await client.call<Answer<Static<typeof GexData>>>('GET', `/v1/gex/${symbol}`), profilePicture)
      : draw(await client.call<Answer<SurfaceAnswer>>('GET', `/v1/surface/${symbol}`), surfacePicture);
  writeFileSync(options.out, drawn);
  print(options, { written: options.out }, () => `written to ${options.out}`);
}

function draw<Data>(answer: Answer<Data>, drawing: (origin: Origin, data: Data) => string): string {
  if (answer.data !== null) return drawing(answer, answer.data);
  throw new AppError('no_chain', `expected figures of ${answer.symbol}, got none (status ${answer.status}).`);
}

function access({ url, key }: PictureOptions): { readonly url: string; readonly key: string } {
  const home = resolve(loadConfig(process.env).PROOFLINE_HOME);
  const ready = readReady(home);
  const found = { url: url ?? ready?.url, key: key ?? ready?.keys.analytics };
  if (found.url !== undefined && found.key !== undefined) return { url: found.url, key: found.key };
  throw new AppError(
    'invalid_configuration',
    `expected --url and --key, or a system that runs on ${home}; got neither. Start one with npm start.`,
  );
}
