import { report } from '#src/commands/terminal/failure.ts';
import { proofline } from './commands/program.ts';

// who reads may have enough, as in `proofline jobs | head -1`
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await (await proofline(process.argv[2])).parseAsync();
} catch (error) {
  // what was opened before the failure would keep the process alive, and a supervisor would never start it again
  process.exit(report(error));
}
