import type { AppError } from '#src/lib/errors.ts';
import { endedCall } from '#src/providers/calls/call-ends.ts';
import type { Generated, ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { fetchOutputs, kindOf } from '#src/providers/http/fetch-output.ts';
import { billedFor, offerOf } from '#src/providers/routing/quote.ts';

/** Deepest place of an output: lists in members of lists. */
const DEEPEST = 6;

/**
 * Collects the result of a finished task: the files whose addresses are anywhere in its output, or its text. The cost
 * is known where the offer has prices for calls and pictures alone.
 */
export async function generatedFrom(call: ProviderCall, taskId: string, output: unknown): Promise<Generated> {
  const { provider, capability, request } = call;
  const { price } = offerOf(provider, capability);
  if (kindOf(call) === 'text') {
    const text = textOf(output);
    if (text === '') throw empty(call, 'text');
    const characters = Array.from(request.prompt).length;
    return { produced: [], billed: billedFor(price, { calls: 1, characters }), externalId: taskId, text };
  }
  const urls = [...new Set(addressesIn(output, 0))];
  if (urls.length === 0) throw empty(call, 'addresses of files');
  const produced = await fetchOutputs(call, urls);
  const images = produced.filter(({ kind }) => kind === 'image').length;
  return { produced, billed: billedFor(price, { calls: 1, images }), externalId: taskId };
}

function addressesIn(output: unknown, depth: number): readonly string[] {
  if (typeof output === 'string') return /^(https?:\/\/|data:)/i.test(output) ? [output] : [];
  if (typeof output !== 'object' || output === null || depth > DEEPEST) return [];
  return Object.values(output).flatMap((one) => addressesIn(one, depth + 1));
}

/** A text, its pieces as a model wrote them, or the member that holds it. */
function textOf(output: unknown): string {
  if (typeof output === 'string') return output.trim();
  if (Array.isArray(output))
    return output
      .filter((piece) => typeof piece === 'string')
      .join('')
      .trim();
  if (typeof output !== 'object' || output === null) return '';
  const members = output as Readonly<Record<string, unknown>>;
  return textOf(members['text'] ?? members['output'] ?? members['transcription'] ?? null);
}

function empty({ provider }: ProviderCall, what: string): AppError {
  return endedCall('unreadable', `expected ${what} in the output of ${provider.id}, got none.`, {
    provider: provider.id,
    final: true,
  });
}
