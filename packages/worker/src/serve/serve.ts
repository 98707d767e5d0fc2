import { backoff, type Client, createClient, ProoflineError, pause } from '@proofline/client';
import { type AnyJob, contractOf, queuesOf } from '../job/define-job.ts';
import { openHands } from './hands.ts';
import type { AddressedReport } from './lane.ts';
import type { Reporter } from './reporter.ts';
import { type Registration, runSession, settleRuns } from './session.ts';
import { type StopOptions, watchStop } from './stopping.ts';
import { httpTransport, largeBeside, type Transport } from './transport.ts';
import { webSocketTransport } from './websocket.ts';
import { stderrLog, type WorkerLog } from './worker-log.ts';

export interface ServeOptions extends StopOptions {
  /** Address of the API; `PROOFLINE_URL` by default. */
  readonly url?: string;
  /** Key with the scopes `jobs.work`, and `jobs.manage` to register contracts; `PROOFLINE_KEY` by default. */
  readonly key?: string;
  /** Number of jobs that run at once, 1 to 1,000; 10 by default. */
  readonly capacity?: number;
  /** Name that operators see. */
  readonly name?: string;
  /** False where the contracts are registered elsewhere, and the key may not. */
  readonly register?: boolean;
  readonly log?: WorkerLog;
  /** `http` by default: it needs nothing. `websocket` sends everything over one socket. */
  readonly transport?: 'http' | 'websocket';
  readonly fetch?: typeof fetch;
}

/**
 * Registers the contracts of these jobs and runs them, until a signal ends it. Then it takes no more, lets what runs end,
 * gives back the rest, and resolves.
 *
 * @throws TypeError for options that are wrong; ProoflineError where the server refuses: `incompatible_contract` with the
 *   place and the version to register instead, `forbidden` for a key without the scope
 */
export async function serve(jobs: readonly AnyJob[], options: ServeOptions = {}): Promise<void> {
  const { capacity = 10, register = true, log = stderrLog } = options;
  const access = accessOf(options);
  const registration: Registration = {
    ...(options.name !== undefined && { name: options.name }),
    queues: queuesOf(jobs),
    capacity,
    sdk: '@proofline/worker',
  };
  const stopping = watchStop(options);
  const client = createClient({ ...access, ...(options.fetch && { fetch: options.fetch }) });
  const http = httpTransport(client);
  const transport = options.transport === 'websocket' ? largeBeside(webSocketTransport(access), http) : http;
  try {
    if (register) for (const job of jobs) await registerContract(client, job, stopping.begun);
    await workUntilStopped(transport, registration, jobs, stopping, log);
  } catch (error) {
    // stopped before it was registered: there is nothing to give back
    if (error !== stopping.begun.reason) throw error;
  } finally {
    transport.close();
    stopping.release();
  }
}

async function workUntilStopped(
  transport: Transport,
  registration: Registration,
  jobs: readonly AnyJob[],
  stopping: ReturnType<typeof watchStop>,
  log: WorkerLog,
): Promise<void> {
  const hands = openHands(jobs, log);
  let reporter: Reporter | undefined;
  const orphans: AddressedReport[] = [];
  const onOrphan = (outcome: AddressedReport): void => {
    if (!reporter) orphans.push(outcome);
    // an outcome that is lost again comes back here
    else reporter.send(outcome).catch(() => {});
  };
  for (let failures = 0; !stopping.begun.aborted; ) {
    try {
      const ended = await runSession({
        transport,
        registration,
        hands,
        stopping,
        log,
        onOrphan,
        onOpen: (opened) => {
          reporter = opened;
          failures = 0;
          for (const outcome of orphans.splice(0)) onOrphan(outcome);
        },
        onClose: () => {
          reporter = undefined;
        },
      });
      if (ended === 'left') return;
    } catch (error) {
      if (!(error instanceof ProoflineError) || !error.retryable) throw error;
      log.warn('could not register; trying again', { why: error.message });
      failures += 1;
    }
    // stopped meanwhile: the loop ends
    await pause(backoff(100, Math.min(failures, 7)), stopping.begun).catch(() => {});
  }
  await settleRuns(hands);
}

function accessOf({ url, key }: ServeOptions): { readonly url: string; readonly key: string } {
  const found = { url: url ?? process.env['PROOFLINE_URL'] ?? '', key: key ?? process.env['PROOFLINE_KEY'] ?? '' };
  if (found.url === '') throw new TypeError('url: expected the address of the API, or PROOFLINE_URL; got neither.');
  if (found.key === '') throw new TypeError('key: expected a key of the API, or PROOFLINE_KEY; got neither.');
  return found;
}

async function registerContract(client: Client, job: AnyJob, signal: AbortSignal): Promise<void> {
  const body = { version: job.version, contract: contractOf(job) };
  await client.call('PUT', `/v1/queues/${encodeURIComponent(job.name)}`, { body, signal, retries: 8 });
}
