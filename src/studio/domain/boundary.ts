import type { Mode } from './words.ts';

/** Areas of the governance doctrine; the same names as approvals carry. */
export interface Touched {
  readonly area: 'liveProviderSpend' | 'publishing' | 'voiceAndLikeness' | 'commercialClaims';
  readonly why: string;
}

export interface Bounded {
  readonly mode: Mode;
  readonly prompt: string;
  readonly channels: readonly string[];
  readonly capabilities: readonly string[];
  readonly providers: readonly string[];
  /** Millionths of a dollar that may be spent. */
  readonly ceiling: number;
}

/**
 * Words by which a text may claim something that a seller answers for: prices, comparisons, health, guarantees. A list
 * finds words, not meaning; whoever decides reads the text itself.
 */
const claims =
  /\b(guarantee[ds]?|proven|clinically|cure[sd]?|best|cheapest|lowest price|number one|no\. ?1|#1|free|discount|sale|% off|risk[- ]free|certified|award[- ]winning|(?:lose|earn|save|make) (?:up to )?[$€£]?\d+)\b|[$€£]\s?\d/i;

/** Which areas rendering a plan touches, and why. Spending is always one: what runs is a provider, whatever it costs. */
export function touchedByRender({ mode, prompt, capabilities, providers, ceiling }: Bounded): readonly Touched[] {
  const claim = claims.exec(prompt)?.[0];
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
    ...(claim !== undefined
      ? [{ area: 'commercialClaims' as const, why: `the brief says ${JSON.stringify(claim)}, which may be a claim` }]
      : []),
  ];
}

/** Which areas publishing touches. */
export function touchedByPublish(
  channels: readonly string[],
  delivered: readonly string[],
  text: string,
): readonly Touched[] {
  const claim = claims.exec(text)?.[0];
  const where =
    delivered.length > 0 ? `, and those for ${delivered.join(', ')} are sent there` : '; nothing is sent outside';
  return [
    { area: 'publishing', why: `packages are made for ${channels.join(', ')}${where}` },
    ...(claim !== undefined
      ? [{ area: 'commercialClaims' as const, why: `its text says ${JSON.stringify(claim)}, which may be a claim` }]
      : []),
  ];
}
