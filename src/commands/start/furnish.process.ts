import { once } from 'node:events';
import { loadSyntheticFeed } from '#src/analytics/feed/feed.ts';
import { AppError } from '#src/lib/errors.ts';
import { counted } from '#src/lib/text/counted.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { assertServersAnswer } from '#src/system/servers-answer.ts';
import { bringUpDatabase } from './bring-up.ts';
import { defaultKeys } from './default-keys.ts';
import { developmentHuman } from './development-human.ts';
import type { FromFurnishing, Place } from './furnish.ts';

/**
 * Brings the database of a system up, and makes the people and keys that one on one machine begins with: its human, where
 * one can be proven, and keys to call it. Started by `furnish.ts`, with the settings of the system's own processes.
 */
const place = JSON.parse(process.argv[2] ?? '{}') as Place;
const begun = once(process, 'message');

const tell = async (message: FromFurnishing): Promise<void> => {
  await new Promise<void>((sent) => (process.connected ? process.send?.(message, () => sent()) : sent()));
};
const say = (line: string) => void tell({ say: line });

await furnish().catch(async (error: unknown) => {
  if (!(error instanceof AppError)) throw error;
  const { code, message, details } = error;
  await tell({ failed: { code, message, details } });
});
process.exit(0);

async function furnish(): Promise<void> {
  const config = { ...loadConfig(), LOG_LEVEL: 'silent' as const };
  await assertServersAnswer(config, new AbortController().signal);
  await tell({ answered: true });
  const { applied, unknown } = await bringUpDatabase(config.DATABASE_DIRECT_URL || config.DATABASE_URL);
  if (applied.length > 0) say(`database migrated (${counted(applied.length, 'file')})`);
  if (unknown.length > 0) say(`this database is newer than this checkout, which does not have ${unknown.join(', ')}`);
  await using context = await openContext(config, 'cli');
  await loadSyntheticFeed(context, Date.now());
  await begun;
  const where = { ...place, env: { ...process.env, LOG_LEVEL: 'silent' }, say };
  await tell({ keys: await defaultKeys(context, place.home, await developmentHuman(context, where)) });
}
