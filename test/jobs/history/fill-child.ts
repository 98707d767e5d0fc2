import pg from 'pg';
import { fillHistory } from '#src/jobs/history/fill-history.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';

/** Counts what is new without a pause, until it is killed. */
const config = loadConfig();
const context = await openContext(config, 'test');
const client = new pg.Client({ connectionString: config.DATABASE_URL });
await client.connect();
process.send?.('ready');
for (;;) await fillHistory(context, client);
