import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { AppError } from '#src/lib/errors.ts';

const measured = join(import.meta.dirname, '../../../bench');

const help = `
Starts private servers of its own and measures every claim of bench/ side by side in one run; writes bench/results.md.

Examples:
  $ npm run bench
  $ npm run bench -- --help

Exit codes: 0 measured; 1 failed.`;

export function benchCommand(): Command {
  return new Command('bench')
    .description('measure the promises of bench/ and write bench/results.md')
    .argument('[argument...]', 'handed to bench/main.ts')
    .allowUnknownOption()
    .addHelpText('after', help)
    .action(async (rest: string[]) => {
      if (!existsSync(measured))
        throw new AppError(
          'unavailable',
          'expected a checkout, which has the measurements, got the package proofline.',
        );
      const main = new URL(import.meta.resolve('#bench/main.ts'));
      process.argv.splice(1, Number.POSITIVE_INFINITY, main.pathname, ...rest);
      await import(main.href);
    });
}
