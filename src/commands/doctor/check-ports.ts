import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '#src/system/config/config-type.ts';
import { reachableHost } from '#src/system/config/loopback.ts';
import { type Finding, failed, fault, ok } from './finding.ts';

const ANSWER_MS = 2_000;

interface Port {
  readonly setting: 'PORT' | 'METRICS_PORT';
  readonly hostSetting: 'HOST' | 'METRICS_HOST';
  /** Path that a process of ours answers there. */
  readonly path: string;
}

const ports: readonly Port[] = [
  { setting: 'PORT', hostSetting: 'HOST', path: '/v1/health' },
  { setting: 'METRICS_PORT', hostSetting: 'METRICS_HOST', path: '/livez' },
];

/** Says whether a process could listen where the settings say; a port of 0 is chosen at the start. */
export async function checkPorts(config: Config): Promise<readonly Finding[]> {
  return await Promise.all(ports.filter(({ setting }) => config[setting] !== 0).map((one) => checkPort(config, one)));
}

async function checkPort(config: Config, { setting, hostSetting, path }: Port): Promise<Finding> {
  const check = `port ${setting}`;
  const [host, port] = [config[hostSetting], config[setting]];
  const where = `${host}:${port}`;
  try {
    await listenOnce(host, port);
    return ok(check, `${where} is free`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE') {
      const isOurs = await answers(`http://${reachableHost(host)}:${port}${path}`);
      if (isOurs) return ok(check, `a process of Proofline listens on ${where}`);
      return fault(check, `another program listens on ${where}: set ${setting} to a free port, or to 0.`);
    }
    return failed(
      check,
      error,
      `set ${hostSetting} to an address of this machine, and ${setting} to a port it may have.`,
    );
  }
}

/** @throws what the system says where this process may not listen there */
async function listenOnce(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  await new Promise((resolve) => server.close(resolve));
}

/** Says whether a process of ours answers: `/v1/health` as JSON with its version, `/livez` with one word. */
async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
  if (response?.status !== 200) return false;
  const text = await response.text().catch(() => '');
  return text === 'alive\n' || /"status":"ok".*"uptime_seconds":/.test(text);
}
