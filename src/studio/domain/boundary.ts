import { claimReason } from './claims.ts';
import type { Mode } from './words.ts';

/** Areas of the governance doctrine; the same names as approvals carry. */
export interface Touched {
  readonly area: 'liveProviderSpend' | 'publishing' | 'voiceAndLikeness' | 'commercialClaims';
  readonly why: string;
}

export interface Bounded {
  readonly mode: Mode;
  /** Shown as well, so it may claim something too. */
  readonly title: string | null;
  readonly prompt: string;
  readonly channels: readonly string[];
  readonly capabilities: readonly string[];
  readonly providers: readonly string[];
  /** Millionths of a dollar that may be spent. */
  readonly ceiling: number;
}

/**
 * Lists the areas that rendering a plan touches, and why. Spending is always one: a provider runs, whatever it costs.
 */
export function touchedByRender({
  mode,
  title,
  prompt,
  capabilities,
  providers,
  ceiling,
}: Bounded): readonly Touched[] {
  const claim = claimReason('the brief', textOf(title, prompt));
  const voices = capabilities.filter((name) => /^(tts|avatar)\.|lipsync/.test(name));
  const likeness = mode === 'avatar' || mode === 'persona' || voices.some((name) => !name.startsWith('tts.'));
  return [
    {
      area: 'liveProviderSpend',
      why: `runs ${providers.join(', ')}, for at most ${(ceiling / 1e6).toFixed(2)} dollars`,
    },
    ...(likeness || voices.length > 0
      ? [
          {
            area: 'voiceAndLikeness' as const,
            why: `makes a ${likeness ? 'speaking person' : 'voice'} (${voices.join(', ')})`,
          },
        ]
      : []),
    ...(claim === null ? [] : [{ area: 'commercialClaims' as const, why: claim }]),
  ];
}

/** Lists the areas that publishing touches. */
export function touchedByPublish(
  channels: readonly string[],
  delivered: readonly string[],
  text: string,
): readonly Touched[] {
  const claim = claimReason('its text', text);
  const where =
    delivered.length > 0 ? `, and those for ${delivered.join(', ')} are sent there` : '; nothing is sent outside';
  return [
    { area: 'publishing', why: `packages are made for ${channels.join(', ')}${where}` },
    ...(claim === null ? [] : [{ area: 'commercialClaims' as const, why: claim }]),
  ];
}

/** Title and text, each a sentence of its own. */
function textOf(title: string | null, text: string): string {
  return title === null ? text : `${title}.\n${text}`;
}
