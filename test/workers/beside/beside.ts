import { serve } from '#workers/serve-jobs.ts';
import { kinds } from './jobs.ts';

/** A worker beside the database, as a program of somebody else: `beside.ts <kind of jobs>`. */
const serving = serve(kinds[process.argv[2] as keyof typeof kinds], { concurrency: 8 });
process.once('SIGUSR2', () => void serving.close());
await serving;
console.log('ended');
