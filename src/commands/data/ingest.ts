import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { isMarketSymbol, type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { ingestChain } from '#src/analytics/feed/feed.ts';
import { withContext } from '#src/commands/client/surroundings.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';

const help = `
Reads a chain as Cboe gives it: the website's CSV export, or the delayed-quotes JSON. Everyone sees it from then on,
except owners who uploaded one of their own; the symbol's stream tells its subscribers.

Examples:
  $ npm run proofline -- ingest SPX spx_quotedata.csv

Exit codes: 0 loaded; 1 the chain cannot be used; 2 wrong use or a wrong setting.`;

export function ingestCommand(): Command {
  return withJson(
    new Command('ingest').description('load an option chain into the configured feed of a running system'),
  )
    .argument('<symbol>', marketSymbols.join(', '), symbolOf)
    .argument('<file>', 'CSV or JSON as Cboe gives it')
    .addHelpText('after', help)
    .action(ingest);
}

function symbolOf(text: string): MarketSymbol {
  const symbol = text.toUpperCase();
  if (isMarketSymbol(symbol)) return symbol;
  throw new InvalidArgumentError(`Expected one of ${marketSymbols.join(', ')}.`);
}

async function ingest(symbol: MarketSymbol, file: string, options: Printing): Promise<void> {
  const text = read(file);
  await withContext(async (context) => {
    const { id } = await ingestChain(context, symbol, text);
    print(options, { symbol, job: id }, () => `loaded; its analytics are job ${id}`);
  });
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
