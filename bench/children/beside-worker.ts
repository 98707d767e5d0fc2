import { answerCalls } from '#bench/lib/calls.ts';
import { openJobs } from '#bench/load/open-jobs.ts';
import { serve } from '#workers/serve-jobs.ts';

/** A worker of the application beside the database: `beside-worker.ts <concurrency>`. */
void serve(openJobs, { concurrency: Number(process.argv[2]) }).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});

answerCalls({});
