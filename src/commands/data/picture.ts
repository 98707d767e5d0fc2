import { writeFileSync } from 'node:fs';
import { Argument, Command } from 'commander';
import type { Static } from 'typebox';
import type { GexData } from '#src/analytics/answers/schemas.ts';
import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import type { SurfaceAnswer } from '#src/analytics/domain/surface/surface-schema.ts';
import { type AccessOptions, accessHelp, openApi, withAccess } from '#src/commands/client/api-access.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { surfacePlaces } from '#src/lib/charts/surface-option.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Picture } from './draw-svg.ts';
import { type Origin, profilePicture } from './profile-picture.ts';
import { surfacePicture } from './surface-picture.ts';

const help = `${accessHelp}
Writes an SVG that can be read on light and on dark pages.
profile: net gamma against spot with every flip, the walls and the strikes. surface: implied volatility over
log-moneyness and days to expiry, from above.

Examples:
  $ npm run proofline -- picture profile --symbol SPX --out profile.svg
  $ npm run proofline -- picture surface --symbol QQQ --out surface.svg --url https://proofline.example

Exit codes: 0 written; 1 there is nothing to draw, or no answer; 2 wrong use or a wrong setting.`;

const places = `days=${surfacePlaces.days.join(',')}&k=${surfacePlaces.k.join(',')}`;

interface PictureOptions extends AccessOptions, Printing {
  readonly symbol: string;
  readonly out: string;
}

interface Answer<Data> extends Origin {
  readonly status: string;
  readonly data: Data | null;
}

export function pictureCommand(): Command {
  const command = new Command('picture').description('draw the gamma profile or the volatility surface of a symbol');
  return withJson(withAccess(command))
    .addArgument(new Argument('<what>').choices(['profile', 'surface']))
    .option('--symbol <symbol>', marketSymbols.join(', '), 'SPX')
    .requiredOption('--out <file>', 'SVG file to write')
    .addHelpText('after', help)
    .action(drawPicture);
}

async function drawPicture(what: 'profile' | 'surface', options: PictureOptions): Promise<void> {
  const client = await openApi(options);
  const symbol = encodeURIComponent(options.symbol);
  const picture =
    what === 'profile'
      ? pictureOf(await client.call<Answer<Static<typeof GexData>>>('GET', `/v1/gex/${symbol}`), profilePicture)
      : pictureOf(await client.call<Answer<SurfaceAnswer>>('GET', `/v1/surface/${symbol}?${places}`), surfacePicture);
  // no other command loads what draws
  const { drawSvg } = await import('./draw-svg.ts');
  write(options.out, drawSvg(picture));
  print(options, { written: options.out }, () => `written to ${options.out}`);
}

function pictureOf<Data>(answer: Answer<Data>, make: (origin: Origin, data: Data) => Picture): Picture {
  if (answer.data !== null) return make(answer, answer.data);
  throw new AppError('no_chain', `expected figures of ${answer.symbol}, got none (status ${answer.status}).`);
}

function write(file: string, drawn: string): void {
  try {
    writeFileSync(file, drawn);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('invalid_request', `--out: expected a file that can be written, got ${file} (${why}).`);
  }
}
