import { serve } from '@proofline/worker';
import { kinds } from './jobs.ts';

/** The same jobs in a worker elsewhere, over HTTP: `elsewhere.ts <kind of jobs>`. */
await serve(kinds[process.argv[2] as keyof typeof kinds], { capacity: 8 });
