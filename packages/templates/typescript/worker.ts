import { serve } from '@proofline/worker';
import { jobs } from './jobs/index.ts';

await serve(jobs);
