import type { Scope } from '#console/api/api.d.ts';

/** Scopes that a key may have, in words, by the surface that checks them. */
export const scopeGroups: readonly {
  readonly title: string;
  readonly scopes: readonly { readonly scope: Scope; readonly does: string }[];
}[] = [
  {
    title: 'Missions, platform and market',
    scopes: [
      { scope: 'platform.mcp.read', does: 'Read missions, receipts, the market and what is kept' },
      { scope: 'platform.mcp.execute', does: 'Plan and run missions, generate, stress, ask the oracle' },
    ],
  },
  {
    title: 'Jobs of your own queues',
    scopes: [
      { scope: 'jobs.submit', does: 'Submit jobs, signal and cancel them, read queues' },
      { scope: 'jobs.work', does: 'Take jobs and do them: for workers' },
      { scope: 'jobs.manage', does: 'Register queues, change their contracts, have addresses notified' },
    ],
  },
  {
    title: 'Creative studio',
    scopes: [
      { scope: 'studio.read', does: 'Read briefs, plans, jobs and assets; manage keys' },
      { scope: 'studio.brief', does: 'Write briefs' },
      { scope: 'studio.plan', does: 'Plan and price them' },
      { scope: 'studio.render', does: 'Render what was approved' },
      { scope: 'studio.publish', does: 'Publish what was approved' },
      { scope: 'studio.worker', does: 'Run waiting work by hand' },
    ],
  },
];
