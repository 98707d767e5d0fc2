import { answerCalls } from '#bench/lib/calls.ts';
import { createKey } from '#src/access/keys/keys.ts';
import { serve } from '#src/api/serve.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';

/** An API process as `proofline api` runs it, with a key for the measuring process. */
const context = await openContext(loadConfig(), 'api');
const { url } = await serve(context);
const { secret } = await createKey(context, {
  owner: 'bench',
  name: 'bench',
  scopes: ['platform.mcp.execute'],
  tier: 'high',
});

answerCalls({ address: () => ({ url: `${url}/api/v2`, key: secret }) });
