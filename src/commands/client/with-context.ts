import { type Context, openContext } from '#src/system/context.ts';
import { joinRunningSystem } from './surroundings.ts';

/** Does something with the connections that the settings or a running `proofline up` name, and closes them. */
export async function withContext(work: (context: Context) => Promise<void>): Promise<void> {
  const config = await joinRunningSystem();
  await using context = await openContext(config, 'cli');
  await work(context);
}
