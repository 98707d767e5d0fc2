import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { endInTime } from '#src/system/end-in-time.ts';
import { openLog } from '#src/system/logging/log.ts';
import { takeOutput } from '#src/system/logging/process-output.ts';
import { assertServersAnswer } from '#src/system/servers-answer.ts';
import { serve } from './serve.ts';

/** One API process. Ends on SIGTERM or SIGINT, or when the process that started it is gone. */
const config = loadConfig();
const end = endInTime(config.UNREADY_MS + config.DRAIN_DEADLINE_MS, () => openLog(config, 'api'));
await assertServersAnswer(config, end.signal).catch((error: unknown) => {
  if (end.signal.aborted) process.exit(0);
  throw error;
});
const context = await openContext(config, 'api');
takeOutput(context.log);
const served = await serve(context, end.signal).catch((error: unknown) => {
  if (!end.signal.aborted) throw error;
});
if (served) {
  process.send?.({ ready: { role: 'api', url: served.url, metricsPort: served.metricsPort } });
  await end.requested;
  end.stage('the API');
  await served[Symbol.asyncDispose]();
}
end.stage('the closing of connections');
await context[Symbol.asyncDispose]();
process.exit(0);
