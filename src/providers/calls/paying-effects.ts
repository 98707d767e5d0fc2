/** Names of the effects of a job by which a provider is called. */
export const effectNames = {
  /** One exchange that ends with what was made. */
  exchange: (provider: string) => provider,
  /** The submission of a task, which costs. */
  submission: (provider: string) => `submit:${provider}`,
  /** The fetching of what a task has made. */
  fetching: (provider: string) => `fetch:${provider}`,
} as const;

/** The effects that cost, whatever kind of provider it is. */
export function payingEffects(provider: string): readonly string[] {
  return [effectNames.exchange(provider), effectNames.submission(provider)];
}

/** The effects that end with what was made, and what it was billed at. */
export function makingEffects(provider: string): readonly string[] {
  return [effectNames.exchange(provider), effectNames.fetching(provider)];
}
