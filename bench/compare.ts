import { endToEnd } from './claims/end-to-end.ts';
import { fanOut } from './claims/fan-out.ts';
import { gateway } from './claims/gateway.ts';
import { bulk } from './claims/open/bulk.ts';
import { fairShares } from './claims/open/fair-shares.ts';
import { lines } from './claims/open/lines.ts';
import { remoteWorkers } from './claims/open/remote-workers.ts';
import { stepCost } from './claims/open/step-cost.ts';
import { submitHttp } from './claims/open/submit-http.ts';
import { submit } from './claims/submit.ts';
import { comparisonTable } from './lib/comparison.ts';
import { describeMachine } from './lib/machine.ts';
import type { Comparison } from './lib/markdown.ts';
import { startServers } from './lib/servers.ts';

/** Claims that measure others beside ours, in the same run. */
const claims = { submit, submitHttp, bulk, endToEnd, remoteWorkers, stepCost, fairShares, lines, fanOut, gateway };

const help = `usage: npm run bench:compare [-- --quick]

Measures what we do beside those who do the same, on this machine and on private servers of its own, and prints one table.
  --quick  everything small, to see that it works; the figures mean little
`;

const [option, ...others] = process.argv.slice(2);
if (option === '--help' || option === '-h') process.stdout.write(help);
else if ((option !== undefined && option !== '--quick') || others.length > 0) {
  process.stderr.write(`expected --quick or nothing, got ${process.argv.slice(2).join(' ')}.\n${help}`);
  process.exitCode = 2;
} else await compare(option === '--quick');
// processes of peers may leave handles of theirs
process.exit(process.exitCode ?? 0);

async function compare(quick: boolean): Promise<void> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  await using servers = await startServers(say);
  const machine = await describeMachine(servers.databaseUrl, servers.redisUrl);
  const all: Comparison[] = [];
  for (const [name, claim] of Object.entries(claims)) {
    say(name);
    const { compared = [] } = await claim(servers, { quick, say, waiting: 1, kept: 1, before: undefined, known: {} });
    all.push(...compared);
  }
  const parts = [machine.map((line) => `- ${line}`).join('\n'), comparisonTable(all)];
  process.stdout.write(`${parts.join('\n\n')}\n`);
}
