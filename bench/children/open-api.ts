import { createClient } from '@proofline/client';
import { contractOf } from '@proofline/worker';
import { answerCalls } from '#bench/lib/calls.ts';
import { openJobs } from '#bench/load/open-jobs.ts';
import { createKey } from '#src/access/keys/keys.ts';
import { serve } from '#src/api/serve.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';

/** A whole API process as it is deployed, with a key and the queues of an application. */
const context = await openContext(loadConfig(), 'api');
const { url } = await serve(context);
const { secret: key } = await createKey(context, {
  owner: 'bench',
  name: 'bench',
  scopes: ['jobs.submit', 'jobs.work', 'jobs.manage'],
  tier: 'high',
});
const client = createClient({ url, key });
for (const job of openJobs)
  await client.call('PUT', `/v1/queues/${job.name}`, { body: { version: 1, contract: contractOf(job) } });

answerCalls({ address: () => ({ url, port: Number(new URL(url).port), key }) });
