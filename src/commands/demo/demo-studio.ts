import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '#src/commands/client/api-client.ts';
import type { SignedIn } from '#src/commands/client/person-client.ts';
import { proveApproval } from '#src/commands/people/approval-proof.ts';
import { AppError } from '#src/lib/errors.ts';

interface Planned {
  readonly plan: {
    readonly id: string;
    readonly estimatedCostUsd: number;
    readonly steps: readonly {
      readonly step: string;
      readonly capability: string;
      readonly primary: { readonly provider: string };
    }[];
  };
  readonly approval: {
    readonly id: string;
    readonly effectSha256: string;
    readonly needsProofOfPersonhood: boolean;
    readonly areas: readonly { readonly area: string; readonly why: string }[];
  };
}

interface Rendered {
  readonly state: string;
  readonly error: { readonly message: string } | null;
  readonly result: {
    readonly assets: readonly { readonly id: string; readonly name: string; readonly kind: string }[];
  } | null;
  readonly links: { readonly events: string };
}

/** Outcome of the film. */
export interface StudioShown {
  readonly job: string;
  readonly state: string;
  readonly assets: NonNullable<Rendered['result']>['assets'];
  /** The service's verdict on its receipt. */
  readonly receipt: string;
}

interface Film {
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly duration: number;
  readonly url: string;
  readonly provenance: { readonly kind: string };
}

const brief = {
  title: 'Harbour',
  prompt: 'A harbour wakes. Boats go out into the mist. Gulls follow.',
  targetFormats: ['16:9 360p 6s'],
};

const studio = '/api/studio/v1';

/**
 * A film from a brief: planned, approved by the person who signs in, rendered by this machine, and sealed. It is
 * narrated where that person has an `identity` to prove with, else silent, since whatever makes a voice takes a proof.
 *
 * @throws AppError `unavailable` where a call is refused or the render fails.
 */
export async function showStudio(
  { call, follow }: Client,
  { person, url, identity }: { readonly person: SignedIn; readonly url: string; readonly identity: Uint8Array | null },
  say: (line: string) => void,
  file: string | undefined,
): Promise<StudioShown> {
  const mode = identity ? 'video' : 'publish';
  const output = async <T>(path: string, body: unknown) =>
    (await call<{ readonly output: T }>('POST', `${studio}${path}`, body)).output;
  say(`\nPOST ${studio}/brief, then /plan: ${JSON.stringify(brief.prompt)}`);
  const { brief: kept } = await output<{ brief: { id: string } }>('/brief', { mode, ...brief });
  const { plan, approval } = await output<Planned>('/plan', { briefId: kept.id });
  for (const { step, capability, primary } of plan.steps)
    say(`  ${step.padEnd(12)}${capability.padEnd(18)}by ${primary.provider}`);
  say(
    `  estimated at ${plan.estimatedCostUsd} dollars; needs an approval: ${approval.areas.map(({ why }) => why).join('; ')}`,
  );

  const isProven = approval.needsProofOfPersonhood && identity !== null;
  const proof = isProven ? await proveApproval(person, url, approval, identity) : {};
  say(
    `POST ${studio}/approvals/{id}/decision, by the person who signed in${isProven ? ', with a proof of personhood' : ''}`,
  );
  const decision = { decision: 'grant', reason: 'the demo', ...proof };
  await person.call('POST', `${studio}/approvals/${approval.id}/decision`, decision);

  say(`POST ${studio}/render, live`);
  const { job } = await output<{ job: { id: string; links: { events: string } } }>('/render', {
    planId: plan.id,
    dryRun: false,
    approvalRef: approval.id,
  });
  const since = Date.now();
  for await (const { type, data } of follow(job.links.events)) {
    const stage = typeof data['stage'] === 'string' ? data['stage'] : '';
    say(`  ${String(Date.now() - since).padStart(5)} ms  ${type.padEnd(10)} ${stage}`.trimEnd());
  }
  const done = await call<Rendered>('GET', `/v1/jobs/${job.id}`);
  if (done.result === null)
    throw new AppError('unavailable', `The render ended as ${done.state}: ${done.error?.message ?? 'it says no more'}`);

  const made = done.result.assets.find(({ kind }) => kind === 'video');
  if (made) await showFilm(await call<Film>('GET', `${studio}/assets/${made.id}`), say, file);
  say(`GET /api/v1/receipts/${job.id}/verify?onchain=1`);
  const said = await verdict(call, job.id);
  say(`  ${said}`);
  return { job: job.id, state: done.state, assets: done.result.assets, receipt: said };
}

async function showFilm(
  { size, width, height, duration, provenance, url }: Film,
  say: (line: string) => void,
  file: string | undefined,
): Promise<void> {
  say(`  a film of ${duration} s, ${width} × ${height}, ${Math.round(size / 1024)} KiB, provenance ${provenance.kind}`);
  if (file === undefined) return;
  const answer = await fetch(url);
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  say(`  written to ${file}`);
}

/** Reads the service's own verdict on a receipt, once the chain has it; waits at most ten seconds. */
async function verdict(call: Client['call'], id: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    const counts = await call<Record<string, { verdict: string }>>('GET', `/api/v1/receipts/${id}/verify?onchain=1`);
    const { integrity, authenticity, anchor } = counts;
    if (anchor?.verdict !== 'pending' || tries === 20)
      return `integrity ${integrity?.verdict}, authenticity ${authenticity?.verdict}, anchor ${anchor?.verdict}`;
    await sleep(500);
  }
}
