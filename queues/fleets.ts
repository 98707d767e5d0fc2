/** Queues that each fleet consumes. */
export const fleets: Readonly<Record<string, readonly string[]>> = {
  studio: ['studio.render', 'studio.publish', 'providers.generate'],
  platform: [
    'platform.respond',
    'platform.batch',
    'platform.notify',
    'platform.deliver',
    'jobs.act',
    'providers.generate',
  ],
  missions: ['missions.execute', 'missions.anchor'],
  analytics: [
    'analytics.fit',
    'analytics.ask',
    'analytics.stress',
    'analytics.study',
    'analytics.take',
    'analytics.tick',
    'analytics.backfill',
    'analytics.answer',
  ],
};

/** Names of the queues that fleets consume, without their contracts. */
export const queueNames: readonly string[] = [...new Set(Object.values(fleets).flat())];

/** The fleets that consume a queue. */
export function fleetsOf(queue: string): readonly string[] {
  return Object.entries(fleets).flatMap(([name, consumed]) => (consumed.includes(queue) ? [name] : []));
}
