import { postSigned } from '#src/governance/owners/post-signed.ts';
import { ownerSecret } from '#src/governance/owners/webhook-secrets.ts';
import { EffectRefused, runEffect } from '#src/jobs/effects/effects.ts';
import { NotSent, type OutsideAnswer } from '#src/system/outside/outside.ts';
import type { StepRun } from './step-run.ts';

/**
 * Tells an allowed address something by a POST that its receiver can check (Standard Webhooks). At most once: a
 * receiver cannot report whether it has received, so after a break in the exchange only a human sends again.
 *
 * @throws AppError `forbidden`, `unavailable`, `outcome_unknown`.
 */
export const notifyWebhook: StepRun = async ({ payload: { input }, job, context, signal }) => {
  const { url, body } = input as { url: string; body: unknown };
  // before the effect: without it nothing was sent
  const secrets = [await ownerSecret(context, job.owner)];
  const send = async (text: string, id: string): Promise<OutsideAnswer> => {
    try {
      return await postSigned({ url, origins: context.config.WEBHOOK_ORIGINS, id, body: text, secrets }, signal);
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      throw new EffectRefused(error.code, error.message, error.details, error);
    }
  };
  const { outcome } = await runEffect(
    context,
    job,
    'notify',
    JSON.stringify(body) ?? 'null',
    {
      kind: 'neither',
      send: async (text, key) => {
        const { status } = await send(text, key);
        if (status < 200 || status > 299)
          throw new EffectRefused(
            'unavailable',
            `expected ${new URL(url).origin} to take the message, got ${status}.`,
            {
              status,
            },
          );
        return { externalId: key, outcome: { url, status, webhookId: key } };
      },
    },
    signal,
  );
  return outcome;
};
