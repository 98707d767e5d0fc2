import { formatMoney } from '#console/ui/money.tsx';
import { spell } from '#console/ui/time.tsx';
import type { Offer, Price } from './provider-types.ts';

const units: Readonly<Record<keyof Price, string>> = {
  perCall: 'a call',
  perSecond: 'a second',
  perImage: 'a picture',
  perThousandCharacters: 'for 1,000 characters',
  perMillionInput: 'for a million tokens in',
  perMillionCachedInput: 'for a million of those that it had read before',
  perMillionOutput: 'for a million tokens out',
};

/** `$0.04 a picture`; what has no price costs nothing. */
export function priceText(price: Price): string {
  const parts = (Object.keys(units) as (keyof Price)[]).flatMap((unit) => {
    const usd = price[unit];
    return usd === undefined || usd === 0 ? [] : [`${formatMoney(usd)} ${units[unit]}`];
  });
  return parts.join(', ') || 'free';
}

/** `2 s + 0.1 s a second`: a fixed part, and one for each second of film or sound. */
export function latencyText({ base, perSecond }: Offer['latencyMs']): string {
  return perSecond === 0 ? spell(base / 1_000) : `${spell(base / 1_000)} + ${spell(perSecond / 1_000)} a second`;
}

/** `10 s · 4,096 characters`, as far as there are limits. */
export function limitsText({ seconds, characters }: Offer['limits']): string {
  return [
    seconds === undefined ? null : `${seconds} s`,
    characters === undefined ? null : `${characters.toLocaleString()} characters`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}
