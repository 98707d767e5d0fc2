import { resolve } from 'node:path';
import { Command } from 'commander';
import { type AccessOptions, findApi, withAccess } from '#src/commands/client/api-access.ts';
import { readIdentity } from '#src/commands/client/identity-file.ts';
import { type SignedIn, signInAs } from '#src/commands/client/person-client.ts';
import { isAgreed, shownExactly } from '#src/commands/terminal/agree.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import type { ApprovalView } from '#src/governance/approvals/approval-view.ts';
import { effectHash } from '#src/governance/approvals/request-approval.ts';
import { AppError } from '#src/lib/errors.ts';
import { readyOf } from '#src/system/embedded/ready-file.ts';
import { proveApproval } from './approval-proof.ts';
import { approvalTable } from './tables.ts';

const help = `
Signs in as the person whom the private identity provider of a running \`proofline up\` knows, and decides what waits for a
person; a key never can. With a provider of your own, people decide in a browser. The system is the one at --url (or
PROOFLINE_URL), else the one that runs on the home; it has to run on this machine.

Examples:
  $ npm run -s proofline -- approval list
  $ npm run -s proofline -- approval grant ID                             shows exactly what will happen, and asks
  $ npm run -s proofline -- approval grant ID --identity me.json          where it takes a proof of personhood
  $ npm run -s proofline -- approval decline ID --reason "not this week"

Exit codes: 0 done; 1 refused or failed; 2 wrong use.`;

type Options = Printing & AccessOptions;

interface ApprovalList {
  readonly approvals: readonly ApprovalView[];
}

type DecisionOptions = Options & {
  readonly reason?: string;
  readonly identity?: string;
  readonly yes?: boolean;
};

export function approvalCommand(): Command {
  const command = new Command('approval').description('list and decide approvals').addHelpText('after', help);
  const subcommand = (name: string, about: string) =>
    withAccess(withJson(command.command(name).description(about))).addHelpText('after', help);
  subcommand('list', 'print what waits for a decision').action(async (options: Options) => {
    const { person } = await signedIn(options);
    const list = await person.call<ApprovalList>('GET', '/api/studio/v1/approvals?status=pending');
    print(options, list, () => approvalTable(list.approvals));
  });
  subcommand('grant', 'show what will happen, and allow exactly that, once')
    .argument('<id>', 'the approval')
    .option('--identity <file>', 'the identity that you enrolled with, where a proof of personhood is needed')
    .option('--reason <text>', 'for the audit')
    .option('--yes', 'grant without being asked')
    .action(grant);
  subcommand('decline', 'say no')
    .argument('<id>', 'the approval')
    .option('--reason <text>', 'for the audit')
    .action(async (id: string, { reason, ...options }: DecisionOptions) => {
      const { person } = await signedIn(options);
      const body = { decision: 'decline', ...(reason && { reason }) };
      show(options, await person.call('POST', `${pathOf(id)}/decision`, body));
    });
  return command;
}

async function grant(id: string, { reason, identity, yes, ...options }: DecisionOptions): Promise<void> {
  const secret = identity === undefined ? null : readIdentity(identity);
  const { person, url } = await signedIn(options);
  const approval = await person.call<ApprovalView>('GET', pathOf(id));
  // what is shown is what is decided over, whatever the service says beside it
  if (effectHash(approval.effect) !== approval.effectSha256) {
    throw new AppError(
      'invalid_request',
      'expected an effect with the hash that the approval names, got another; do not grant it.',
    );
  }
  process.stderr.write(`This will happen, once:\n${shownExactly(approval.effect)}\n`);
  for (const { area, why } of approval.areas) process.stderr.write(`  ${area}: ${why}\n`);
  if (!yes && !(await isAgreed('Grant it?')))
    throw new AppError('cancelled', 'Nothing was granted: expected the answer yes, or the option --yes.');
  if (approval.needsProofOfPersonhood && !secret) {
    throw new AppError(
      'human_required',
      'expected --identity with the file that you enrolled with, since this takes a proof of personhood; got none.',
      { reason: 'proof' },
    );
  }
  const proven = approval.needsProofOfPersonhood && secret ? await proveApproval(person, url, approval, secret) : {};
  const body = { decision: 'grant', ...(reason && { reason }), ...proven };
  show(options, await person.call('POST', `${pathOf(id)}/decision`, body));
}

/**
 * The person of the system that runs on the home, at its own address: their password goes to no other.
 *
 * @throws AppError `invalid_request` where no such system is found.
 */
async function signedIn(options: AccessOptions): Promise<{ readonly person: SignedIn; readonly url: string }> {
  const { url } = await findApi(options);
  const home = resolve(options.home);
  const ready = await readyOf(home);
  const known = ready?.servers.identity?.person;
  if (ready && known && new URL(url).origin === new URL(ready.url).origin)
    return { url, person: await signInAs(url, known) };
  const found = ready ? `one at ${ready.url}${known ? '' : ' without a private identity provider'}` : 'none';
  throw new AppError(
    'invalid_request',
    `expected the system at ${url} to run on ${home} with its private identity provider, got ${found}. Name its folder with --home; of another service people decide in a browser, at ${url}.`,
  );
}

function pathOf(id: string): string {
  return `/api/studio/v1/approvals/${encodeURIComponent(id)}`;
}

function show(options: Printing, approval: ApprovalView): void {
  print(options, approval, () => approvalTable([approval]));
}
