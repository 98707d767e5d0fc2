import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { boards } from '#dashboards/grafana/boards.ts';
import { objectiveRecordings } from '#dashboards/prometheus/objectives.ts';
import { prometheusProgram } from '#dashboards/prometheus/program.ts';
import { load, startTextProvider } from '#dashboards/prometheus/prove-load.ts';
import { recordings } from '#dashboards/prometheus/recordings.ts';
import { startSystem } from '#src/commands/start/system.ts';
import { freePort } from '#src/system/embedded/ports.ts';

/**
 * Proves the rules and dashboards once against a real Prometheus: starts a whole system and a Prometheus that scrapes
 * it, uses every surface for some minutes, then asks Prometheus whether each target answers, each rule is healthy, each
 * recorded series has values, and what each panel shows. Prints what is empty, with why.
 *
 * `node bin/proofline.mjs run dashboards/prove-queries.ts [minutes]`; exit code 1 where something is wrong, or empty
 * for no reason that is known.
 */
const minutes = Number(process.argv[2] ?? 4);

/** Cases that this proof leaves out, by the expressions that are empty for it. */
const emptyHere: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/circuit_state|calls_held/, 'no circuit has opened, and a process that requested none knows of none'],
  [/rpc_errors/, 'the chain answers every question'],
  [/stream_clients_dropped|stream_resets/, 'no subscriber read too slowly, and Redis was not emptied'],
  [/mcp_sessions_refused/, 'no machine client was refused'],
];

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'proofline-prove-'));
let isFine = true;
const wrong = (line: string) => {
  isFine = false;
  say(`WRONG ${line}`);
};

interface QueryAnswer {
  readonly status: string;
  readonly error?: string;
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

try {
  await using provider = await startTextProvider();
  const providersFile = join(folder, 'providers.json');
  writeFileSync(providersFile, JSON.stringify({ providers: [provider.entry] }));
  const env = {
    ...process.env,
    PROOFLINE_HOME: join(folder, 'home'),
    PORT: '0',
    METRICS_PORT: '0',
    PUBLIC_URL: '',
    PROVIDERS_FILE: providersFile,
  };
  await using system = await startSystem(env, say, new AbortController().signal);
  const { servers } = system.ready;
  await using prometheus = await startPrometheus([servers.api.metrics, servers.worker.metrics]);
  say(`Prometheus at ${prometheus.url}; minutes of load: ${minutes}`);
  const done = await load(system, AbortSignal.timeout(minutes * 60_000), say);
  say(`done: ${JSON.stringify(done)}`);
  await judge(prometheus.url);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
say(isFine ? 'fine' : 'something is wrong: see above');
process.exit(isFine ? 0 : 1);

async function startPrometheus([api = '', worker = '']: readonly string[]) {
  const program = prometheusProgram('prometheus');
  if (program === undefined) throw new Error('expected a prometheus on the PATH, or a Debian to unpack it from');
  cpSync(join(import.meta.dirname, 'prometheus'), join(folder, 'prometheus'), { recursive: true });
  const file = join(folder, 'prometheus/prometheus.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('interval: 15s', 'interval: 5s'));
  for (const [name, address] of Object.entries({ api, worker }))
    writeFileSync(join(folder, `prometheus/targets/${name}.yaml`), `- targets: ["${new URL(address).host}"]\n`);
  const port = await freePort();
  const child = spawn(
    program,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function judge(url: string): Promise<void> {
  // one more round of rules over the last scrape
  await sleep(12_000);
  const ask = async <T>(path: string): Promise<T> => (await (await fetch(url + path)).json()) as T;
  const { data: targets } = await ask<{ data: { activeTargets: { scrapeUrl: string; health: string }[] } }>(
    '/api/v1/targets',
  );
  for (const { scrapeUrl, health } of targets.activeTargets)
    if (health !== 'up') wrong(`target ${scrapeUrl}: ${health}`);

  interface Rule {
    readonly name: string;
    readonly health: string;
    readonly lastError?: string;
    readonly state?: string;
  }
  const { data: rules } = await ask<{ data: { groups: { rules: Rule[] }[] } }>('/api/v1/rules');
  const all = rules.groups.flatMap((group) => group.rules);
  for (const { name, health, lastError } of all)
    if (health !== 'ok') wrong(`rule ${name}: ${health} ${lastError ?? ''}`);
  say(`${targets.activeTargets.length} targets; ${all.length} rules`);
  const firing = all.filter(({ state }) => state === 'firing' || state === 'pending');
  say(`alerts: ${firing.map(({ name, state }) => `${name} ${state}`).join(', ')}`);

  const empty: string[] = [];
  const look = async (where: string, expr: string) => {
    const query = expr.replaceAll('$__rate_interval', '1m').replaceAll(/"\$\w+"/g, '".+"');
    const { status, error, data } = await ask<QueryAnswer>(`/api/v1/query?query=${encodeURIComponent(query)}`);
    if (status !== 'success') return wrong(`${where}: ${error ?? status}: ${query}`);
    if (data.result.some(({ value }) => value[1] !== 'NaN')) return;
    const known = emptyHere.find(([pattern]) => pattern.test(expr))?.[1];
    empty.push(`${where}: ${known ?? 'NO REASON IS KNOWN'}`);
    if (known === undefined) wrong(`${where} is empty: ${query}`);
  };
  for (const record of new Set([...recordings, ...objectiveRecordings].map((each) => each.record)))
    await look(record, record);
  for (const slo of new Set(objectiveRecordings.map(({ labels }) => labels?.['slo'])))
    await look(`promise ${slo}`, `slo:proofline_errors:ratio_rate5m{slo="${slo}"}`);
  let panels = 0;
  for (const { name, sections } of boards)
    for (const section of sections)
      for (const { title, targets: shown } of section.panels) {
        panels++;
        for (const [expr] of shown) await look(`${name}: ${title}`, expr);
      }
  say(`${panels} panels; empty:\n${empty.map((line) => `  ${line}`).join('\n')}`);
}
