import type { Provider } from './catalogue.ts';

/** Longest time that a call of a provider may take, from the request to the last byte of what was made. */
export function callTimeoutMs({ timeoutSeconds = 300 }: Pick<Provider, 'timeoutSeconds'>): number {
  return timeoutSeconds * 1_000;
}
