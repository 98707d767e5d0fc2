import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { misfit } from '#queues/misfit.ts';
import type { GenerationRequest, MediaCapability } from '#queues/providers.ts';
import { EffectRefused } from '#src/jobs/effects/effects.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { frameSize, type Size } from '#src/providers/local/media/frame-size.ts';
import { fits } from '#src/providers/local/media/media-task.ts';

/** Options of a request that the local provider understands; others are for other providers. */
const Options = Type.Object({
  /** Another number, another picture of the same words. */
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
  /** Name of the speaker, where no title says it. */
  speaker: Type.Optional(Type.String({ maxLength: 140 })),
  narrate: Type.Optional(Type.Boolean()),
  /** True to burn captions in. */
  captions: Type.Optional(Type.Boolean()),
  fit: Type.Optional(Type.Enum([...fits], { type: 'string' })),
  /** Seconds that are left out at the beginning. */
  start: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400 })),
});
const checkOptions = Compile(Options);

/** A request in the words of the local makers, within what its catalogue entry allows. */
export interface LocalRequest {
  readonly request: GenerationRequest;
  readonly options: Static<typeof Options>;
  readonly seed: string;
  readonly mostSeconds: number;
  /** Requested length in seconds; null without one. */
  readonly seconds: number | null;
  readonly shortSide: number;
  readonly mostShortSide: number;
  readonly size: Size;
  /** Requests that could not be met, in sentences. */
  readonly notes: readonly string[];
}

const USUAL_SHORT_SIDE = 720;
const MOST_SHORT_SIDE = 1_080;

/**
 * @throws EffectRefused `provider_refused` for options that mean nothing, `provider_failed` for a text that is too
 *   long for this provider
 */
export function readLocalRequest(
  provider: Provider,
  capability: MediaCapability,
  request: GenerationRequest,
): LocalRequest {
  const options = request.options ?? {};
  if (!checkOptions.Check(options)) {
    const wrong = misfit(Options, options);
    throw new EffectRefused(
      'provider_refused',
      `expected options of the local provider, got others: options${wrong?.path ?? ''} ${wrong?.message ?? ''}.`,
    );
  }
  const { limits = {}, parameters = {} } = provider.capabilities[capability] ?? {};
  if (request.prompt.length > (limits.characters ?? Number.POSITIVE_INFINITY)) {
    throw new EffectRefused(
      'provider_failed',
      `expected at most ${limits.characters} characters for ${capability}, got ${request.prompt.length}; shorten the text, or choose another provider.`,
    );
  }
  const notes: string[] = [];
  const cap = (what: string, wanted: number, most: number) => {
    if (wanted > most) notes.push(`${what} of ${wanted} was requested; ${most} is the most here.`);
    return Math.min(wanted, most);
  };
  const mostSeconds = limits.seconds ?? Number.POSITIVE_INFINITY;
  const mostShortSide = numberOr(parameters['mostShortSide'], MOST_SHORT_SIDE);
  const shortSide = cap('A short side', request.resolution ?? USUAL_SHORT_SIDE, mostShortSide);
  return {
    request,
    options,
    seed: JSON.stringify([request.title ?? '', request.prompt, options.seed ?? 0]),
    mostSeconds,
    seconds: request.seconds === undefined ? null : cap('A length in seconds', request.seconds, mostSeconds),
    shortSide,
    mostShortSide,
    size: frameSize(request.aspect ?? '16:9', shortSide),
    notes,
  };
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
