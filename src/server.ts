import { loadConfig } from '#src/system/config.ts';
import { openContext } from '#src/system/context.ts';
import { serve } from './serve.ts';

/** One API process. Ends on SIGTERM or SIGINT, or when the process that started it is gone. */
const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop());
process.once('disconnect', () => stop());

const context = await openContext(loadConfig(), 'api');
const served = await serve(context);
process.send?.({ ready: { role: 'api', url: served.url, metricsPort: served.metricsPort } });

await stopped;
await served[Symbol.asyncDispose]();
await context[Symbol.asyncDispose]();
process.exit(0);
