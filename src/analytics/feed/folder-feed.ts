import type { Client } from 'pg';
import { take } from '#queues/analytics.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import type { Context } from '#src/system/context.ts';
import { feedOwner } from './feed.ts';
import { type FeedFile, feedFiles, symbolOfFile } from './feed-folder.ts';
import { symbolsTaken } from './symbols-taken.ts';

const LONGEST_NAME = 150;

/**
 * Asks in each round for the oldest chain file of each symbol that was not looked into as it is now. A version of a
 * file (its name, size and time of change) is taken once. A file that names no symbol is reported once and left.
 */
export function openFolderFeed(context: Context, client: Client): () => Promise<void> {
  const requested = new Set<string>();
  let before = new Map<string, string>();
  const reported = new Set<string>();
  return async () => {
    const files = feedFiles(context.config.FEED_FOLDER, 'chains');
    const isNew = await unknown(client, files);
    const underWay = new Set(await symbolsTaken(client));
    for (const file of files.toSorted((a, b) => a.modified - b.modified)) {
      const symbol = nameOf(context, file, reported);
      const { name, version } = file;
      const key = `take ${name} ${version}`;
      // one that has changed since the last round may still be written
      if (symbol === null || underWay.has(symbol) || before.get(name) !== version) continue;
      if (requested.has(key) || !isNew(file)) continue;
      underWay.add(symbol);
      requested.add(key);
      const payload = { symbol, file: { name, version } };
      await submit(context, take, { principal: feedOwner, payload, idempotencyKey: key });
    }
    before = new Map(files.map(({ name, version }) => [name, version]));
  };
}

function nameOf({ log }: Context, { name, version }: FeedFile, reported: Set<string>): MarketSymbol | null {
  const symbol = name.length > LONGEST_NAME ? null : symbolOfFile(name);
  if (symbol === null && !reported.has(`${name} ${version}`)) {
    log.warn({ name }, 'a file of the feed is left: expected a name that begins with a symbol, such as SPX-1430.json');
    reported.add(`${name} ${version}`);
  }
  return symbol;
}

/** Returns a check whether a version of a file was not looked into yet. */
async function unknown(client: Client, files: readonly FeedFile[]): Promise<(file: FeedFile) => boolean> {
  const { rows } = await client.query<{ name: string; version: string }>(
    'select name, version from feed_files where name = any($1)',
    [files.map(({ name }) => name)],
  );
  const known = new Map(rows.map(({ name, version }) => [name, version]));
  return ({ name, version }) => known.get(name) !== version;
}
