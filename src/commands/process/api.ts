import { Command } from 'commander';
import { joinRunningSystem } from '#src/commands/client/surroundings.ts';

const help = `
Needs DATABASE_URL, REDIS_URL and KEY_PEPPER, or a running \`proofline up\` in the same PROOFLINE_HOME.
Settings of interest: HOST, PORT, METRICS_PORT, PUBLIC_URL, TRUST_PROXY_HOPS, ALLOWED_ORIGINS, DRAIN_DEADLINE_MS.
On SIGTERM it turns unready, lets requests end, and exits within DRAIN_DEADLINE_MS.

Example:
  $ DATABASE_URL=postgres://… REDIS_URL=redis://… KEY_PEPPER=… HOST=0.0.0.0 npm run proofline -- api

Exit codes: 0 stopped as asked; 1 failed; 2 wrong use or a wrong setting.`;

export function apiCommand(): Command {
  return new Command('api')
    .description('run one API process, as in a deployment (migrate first)')
    .addHelpText('after', help)
    .action(async () => {
      await joinRunningSystem();
      await import('#src/api/server.ts');
    });
}
