import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { takeOutput } from '#src/system/logging/process-output.ts';
import { runIsolated } from './isolated.ts';
import type { Handler } from './processor.ts';

/** The process in which suspects of a fleet of ours run: `isolated-main.ts <fleet> <module of the handlers>`. */
const [fleet = '', module = ''] = process.argv.slice(2);

await runIsolated(fleet, async () => {
  const { handlers } = (await import(module)) as { handlers: readonly Handler[] };
  const context = await openContext(loadConfig(), 'lane');
  takeOutput(context.log);
  return { context, handlers };
});
