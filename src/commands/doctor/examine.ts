import { resolve } from 'node:path';
import { joinRunningSystem } from '#src/commands/client/surroundings.ts';
import { loadConfig } from '#src/system/config/config.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { readyOf } from '#src/system/embedded/ready-file.ts';
import { checkFolder, checkNode, checkPackages, checkPrivateServers } from './check-machine.ts';
import { checkChain, checkFiles } from './check-outside.ts';
import { checkPorts } from './check-ports.ts';
import { checkPostgres, type ServerReport } from './check-postgres.ts';
import { checkRedis } from './check-redis.ts';
import { checkSecrets } from './check-secrets.ts';
import { compareClocks } from './clocks.ts';
import { type Finding, failed, ok, skipped, warning } from './finding.ts';

/** Examines the installation that the environment names, in the order in which it is shown. Nothing is changed. */
export async function examine(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const machine = [checkNode(), ...(await checkPackages())];
  const { config, findings } = await settingsOf(env);
  if (config === undefined) return [...machine, ...findings];
  const [ports, postgres, redis, chain] = await Promise.all([
    checkPorts(config),
    config.DATABASE_URL === '' ? none : checkPostgres(config),
    config.REDIS_URL === '' ? none : checkRedis(config),
    checkChain(config),
  ]);
  const clocks = [postgres.clock, redis.clock].filter((clock) => clock !== undefined);
  const isMissing = { postgres: config.DATABASE_URL === '', redis: config.REDIS_URL === '' };
  return [
    ...machine,
    ...findings,
    ...checkFolders(config),
    checkSecrets(config),
    ...ports,
    ...checkPrivateServers(isMissing),
    ...postgres.findings,
    ...redis.findings,
    ...compareClocks(clocks),
    ...checkFiles(config, env),
    chain,
  ];
}

const none: ServerReport = { findings: [] };

/** The settings, completed by what a running system on the home uses; none where one of them is wrong. */
async function settingsOf(env: NodeJS.ProcessEnv): Promise<{ config?: Config; findings: readonly Finding[] }> {
  const check = 'settings';
  try {
    const config = loadConfig(env);
    const home = resolve(config.PROOFLINE_HOME);
    const ready = await readyOf(home);
    if (ready)
      return {
        config: await joinRunningSystem(undefined, { ...env }),
        findings: [ok(check, `each can be read, and a system runs on ${home}`)],
      };
    const findings = [ok(check, 'each can be read'), skipped('system', `none runs on ${home}`)];
    const isDeployed = config.DATABASE_URL !== '' && config.REDIS_URL !== '';
    if (isDeployed && config.KEY_PEPPER === '')
      findings.push(
        warning('KEY_PEPPER', 'not set: `proofline api` and `proofline worker` need it, the same in each.'),
      );
    return { config, findings };
  } catch (error) {
    return { findings: [failed(check, error, 'look at docs/settings.md.')] };
  }
}

function checkFolders({ PROOFLINE_HOME, ARTEFACTS_FOLDER }: Config): readonly Finding[] {
  return [
    ...checkFolder('data folder', 'PROOFLINE_HOME', PROOFLINE_HOME),
    ...(ARTEFACTS_FOLDER === '' ? [] : checkFolder('artefacts', 'ARTEFACTS_FOLDER', ARTEFACTS_FOLDER)),
  ];
}
