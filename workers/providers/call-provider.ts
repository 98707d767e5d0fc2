import type { generate } from '#queues/providers.ts';
import { microUsdText } from '#src/governance/budgets/budget-rows.ts';
import { markUnknown } from '#src/governance/budgets/budgets.ts';
import type { CallRow } from '#src/governance/budgets/call-row.ts';
import { type Made, type NotCalled, openCall, payCall } from '#src/governance/calls/paying-call.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import type { Adapter } from '#src/providers/catalogue/adapter.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Run } from '#workers/run/processor.ts';
import { type MadeAssets, type Making, make, payingEffect, repeatOf } from './make.ts';
import type { Parts } from './parts.ts';

/**
 * Calls one provider of a route and pays it, see {@link payCall}. One that the budgets cannot pay is passed over.
 *
 * @param earlier the call as an earlier attempt left it
 * @throws AppError `budget_exceeded`, `provider_refused`, `outcome_unknown`; whatever the next attempt may mend.
 */
export async function callProvider(
  call: Omit<Making, 'provider' | 'adapter'>,
  { provider: id, quoted }: { readonly provider: string; readonly quoted: number },
  earlier: CallRow | undefined,
): Promise<{ readonly value: MadeAssets } | NotCalled> {
  const { parts, run } = call;
  const { context, job, payload, signal } = run;
  const { capability, surface, keyId, budgets } = payload;
  const provider = parts.catalogueOf(context).find((one) => one.id === id);
  if (!provider?.capabilities[capability])
    return await cannot(run, id, earlier, `the catalogue has no ${id} that offers ${capability}`);
  const adapter = adapterFor(parts, provider);
  if (typeof adapter === 'string') return await cannot(run, id, earlier, adapter);
  const making = { ...call, provider, adapter };
  const open = await openCall({
    context,
    job,
    signal,
    provider,
    capability,
    effect: payingEffect(making),
    isIdempotent: repeatOf(making) === 'idempotent',
    spend: { keyId, surface, budgets, quoted },
    earlier,
  });
  return 'reason' in open ? open : await payCall(open, { make: async () => await makeAndLog(making, quoted) });
}

async function makeAndLog(making: Making, quoted: number): Promise<Made<MadeAssets>> {
  const { log, payload } = making.run;
  const about = { provider: making.provider.id, capability: payload.capability };
  log.info('calling a provider', { ...about, quoted: microUsdText(quoted) });
  try {
    const { externalId, made } = await make(making);
    log.info('the provider has answered', about);
    return { value: made, cost: made?.billed ?? null, externalId, lost: made?.lost, says: 'succeeded' };
  } catch (error) {
    const { code, message } = describeError(error);
    log.warn('the provider did not do it', { ...about, code, message });
    throw error;
  }
}

/** A provider that cannot be called here any more, perhaps after it had been called. */
async function cannot(
  { context, job }: Run<typeof generate>,
  provider: string,
  earlier: CallRow | undefined,
  reason: string,
): Promise<NotCalled> {
  if (earlier?.state === 'reserved') await markUnknown(context, { job: job.id, provider }, reason);
  return { reason };
}

/** Finds the adapter of a provider, or the reason why there is none. */
function adapterFor({ adapterOf }: Parts, { style }: Provider): Adapter | string {
  try {
    return adapterOf(style);
  } catch (error) {
    if (error instanceof AppError && error.code === 'media_unavailable') return error.message;
    throw error;
  }
}
