import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { ingestChain } from '#src/analytics/feed.ts';
import { marketSymbol } from '#src/analytics/symbols.ts';
import { AppError } from '#src/lib/errors.ts';
import { openContext } from '#src/system/context.ts';
import { joinRunningSystem } from './surroundings.ts';

const help = `
Reads a chain as Cboe gives it: the website's CSV export, or the delayed-quotes JSON. Everyone sees it from then on,
except owners who uploaded one of their own; the symbol's stream tells its subscribers.

Examples:
  $ npm run proofline -- ingest SPX spx_quotedata.csv

Exit codes: 0 loaded; 1 the chain cannot be used; 2 wrong use or a wrong setting.`;

export function ingestCommand(): Command {
  return new Command('ingest')
    .description('load an option chain into the configured feed of a running system')
    .argument('<symbol>', 'SPX, SPY, QQQ, IWM, NDX or RUT')
    .argument('<file>', 'CSV or JSON as Cboe gives it')
    .addHelpText('after', help)
    .action(ingest);
}

async function ingest(symbol: string, file: string): Promise<void> {
  const name = marketSymbol(symbol);
  const text = read(file);
  const config = await joinRunningSystem();
  await using context = await openContext(config, 'cli');
  const { id } = await ingestChain(context, name, text);
  process.stdout.write(`loaded; its analytics are job ${id}\n`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AppError(
      'invalid_request',
      `file: expected a readable file, got ${JSON.stringify(file)} (${error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'}).`,
      {},
      error,
    );
  }
}
