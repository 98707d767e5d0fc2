import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '#src/api/app.ts';
import { settingsList } from '#src/commands/data/settings.ts';
import { proofline } from '#src/commands/program.ts';
import { bringUpDatabase } from '#src/commands/start/bring-up.ts';
import { openStreams } from '#src/http/streams/open-streams.ts';
import { offerOf } from '#src/mcp/offer.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { version } from '#src/system/config/version.ts';
import { openContext } from '#src/system/context.ts';
import { startPostgres } from '#src/system/embedded/private-postgres.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { type Contracts, commandsOf, contractsOf, exportsOf } from './contracts.ts';

const root = join(import.meta.dirname, '../..');

/** Makes the contracts of the code as it is, from an API on private servers that are gone afterwards. */
export async function makeContracts(say: (line: string) => void): Promise<Contracts> {
  await using stack = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'proofline-release-'));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const postgres = await startPostgres(home, say, { durable: false });
  stack.defer(async () => await postgres.stop());
  const redis = await startRedis(home, say);
  stack.defer(async () => await redis.stop());
  await bringUpDatabase(postgres.url);
  return await contractsAt(postgres.url, redis.url);
}

/** The same on servers that are there; the database is migrated. */
export async function contractsAt(databaseUrl: string, redisUrl: string): Promise<Contracts> {
  await using stack = new AsyncDisposableStack();
  // settings of this shell would change what is described
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `release-${process.pid}`,
    KEY_PEPPER: 'of an API that no caller has a key of',
    FEED: 'none',
    LOG_LEVEL: 'silent',
  });
  const context = stack.use(await openContext(config, 'api'));
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  const app = await buildApp(context, { hub: openStreams(context) });
  stack.defer(async () => await app.close());
  await app.ready();
  const document = async (path: string) => (await app.inject(path)).json<Record<string, unknown>>();
  const documents = {
    openapi: await document('/v1/openapi.json'),
    asyncapi: await document('/v1/asyncapi.json'),
    tools: offerOf(config.SURFACES).tools.map(({ name, input, output }) => ({
      name,
      inputSchema: JSON.parse(JSON.stringify(input)),
      outputSchema: JSON.parse(JSON.stringify(output)),
    })),
    settings: settingsList(),
  };
  return contractsOf(version, documents, { commands: commandsOf(await proofline()), exports: packageExports() });
}

/** Names that each entry of each package exports, by the name that programs import it by. */
function packageExports(): Contracts['exports'] {
  const entries = globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { name, exports }: { name: string; exports: Record<string, unknown> } = JSON.parse(
      readFileSync(join(root, file), 'utf8'),
    );
    return Object.entries(exports).flatMap(([entry, target]) => {
      const source = Object(target)['@proofline/source'];
      if (typeof source !== 'string') return [];
      const text = readFileSync(join(root, file, '..', source), 'utf8');
      return [[entry.replace(/^\./, name), exportsOf(text)] as const];
    });
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}
