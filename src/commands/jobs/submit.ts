import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { type AccessOptions, accessHelp, openApi, withAccess } from '#src/commands/client/api-access.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import type { JobView } from '#src/jobs/model/job-view.ts';
import { numberOf } from './number-option.ts';
import { readPayload } from './read-payload.ts';
import { waitForResult } from './wait-for-jobs.ts';

const help = `${accessHelp} The key needs the scope jobs.submit.

Examples:
  $ proofline submit acme.resize-image payload.json --wait
  $ echo '{"url": "https://example.org/a.png", "width": 800}' | proofline submit acme.resize-image -
  $ proofline submit acme.send-letter letter.json --approval 'It goes to a customer.' --budget 0.50 --receipt
  $ proofline submit acme.send-reminder reminder.json --delay 3600 --idempotency-key order-17
  $ proofline submit acme.index-shop shop.json --unique shop-7 --unique-while queued --on-conflict replace --delay 30

With --wait its result is printed, as JSON; its state, or why it failed, goes to stderr.

Exit codes: 0 done (with --wait: the job succeeded); 1 refused or failed; 2 wrong use; 3 the wait is over, and the job has not
ended.`;

interface SubmitOptions extends AccessOptions, Printing {
  readonly wait?: true | string;
  readonly idempotencyKey?: string;
  readonly delay?: string;
  readonly runAt?: string;
  readonly expiresAt?: string;
  readonly priority?: string;
  readonly group?: string;
  readonly contract?: string;
  readonly approval?: true | string;
  readonly budget?: string;
  readonly receipt?: true;
  readonly unique?: string;
  readonly uniqueWhile?: string;
  readonly onConflict?: string;
  readonly dependsOn?: readonly string[];
  readonly onFailure?: string;
}

/** The command that submits a job of a registered queue. */
export function submitCommand(): Command {
  return withJson(withAccess(new Command('submit').description('submit a job of a registered queue')))
    .argument('<queue>', 'the queue')
    .argument('<payload>', 'a file of JSON, or - for standard input')
    .option(
      '--wait [seconds]',
      'wait until it has ended and print its result; without a number for as long as it takes',
    )
    .option('--idempotency-key <key>', 'the same again gives the same job')
    .option('--delay <seconds>', 'earliest time of its run, from now')
    .option('--run-at <time>', 'the same as a time, RFC 3339')
    .option('--expires-at <time>', 'a job that has not begun by then is cancelled')
    .option('--priority <n>', '0 runs first, 1000 last')
    .option('--group <name>', 'whose share of the queue it belongs to')
    .option('--approval [why]', 'a person has to allow it before it runs')
    .option('--budget <dollars>', 'the most that it may cost, reserved before it runs')
    .option('--receipt', 'its end is sealed and anchored')
    .option('--unique <key>', 'the only job of this key in the queue')
    .option('--unique-while <state>', 'it holds the key while queued, unfinished (the default) or forever')
    .option('--on-conflict <what>', 'return (the default), replace or refuse, where another job holds the key')
    .option('--depends-on <jobs...>', 'jobs that have to end before it begins')
    .option('--on-failure <what>', 'fail (the default) or continue, where one of those does not succeed')
    .option('--contract <version>', 'version of the contract; the newest without it')
    .addHelpText('after', help)
    .action(submitJob);
}

async function submitJob(queue: string, file: string, options: SubmitOptions): Promise<void> {
  const { wait, idempotencyKey = randomUUID(), runAt, expiresAt, group, approval, receipt } = options;
  const { unique, uniqueWhile = 'unfinished', onConflict = 'return', dependsOn, onFailure } = options;
  const budget = numberOf('--budget', options.budget);
  const delay = numberOf('--delay', options.delay);
  const priority = numberOf('--priority', options.priority);
  const version = numberOf('--contract', options.contract);
  const body = {
    payload: await readPayload(file),
    ...(delay !== undefined && { delay_ms: Math.round(delay * 1_000) }),
    ...(runAt !== undefined && { run_at: runAt }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(priority !== undefined && { priority }),
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    ...(approval !== undefined && { approval: approval === true || { why: approval } }),
    ...(budget !== undefined && { budget: { job_usd: budget } }),
    ...(receipt && { receipt }),
    ...(unique !== undefined && { unique: { key: unique, while: uniqueWhile, conflict: onConflict } }),
    ...(dependsOn && { depends_on: dependsOn }),
    ...(onFailure !== undefined && { on_failure: onFailure }),
  };
  const client = await openApi(options);
  const job = await client.call<JobView>('POST', `/v1/queues/${encodeURIComponent(queue)}/jobs`, body, {
    prefer: 'respond-async',
    'idempotency-key': idempotencyKey,
  });
  if (wait !== undefined) return await waitForResult(job.id, { ...options, ...(wait !== true && { timeout: wait }) });
  print(options, job, () => job.id);
  if (job.warning !== undefined) process.stderr.write(`${job.warning}\n`);
}
