import { sql } from 'slonik';
import { deliver } from '#queues/platform.ts';
import { alertSource } from '#src/analytics/live/alert-source.ts';
import { startGoverningJobs } from '#src/governance/jobs/govern-jobs.ts';
import { startNotifications } from '#src/governance/notifications/start-notifications.ts';
import { fence, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';
import { deliverProcessor } from '#workers/platform/deliver.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { handler } from '#workers/run/processor.ts';

export interface NotificationWorld extends RemoteApi {
  /** Makes an endpoint of owner-1; answers it with its secret. */
  readonly endpoint: (body: object) => Promise<any>;
  /** Has a job of `acme.resize-image` fail or succeed; answers its id. */
  readonly end: (type: 'failed' | 'succeeded', more?: object) => Promise<string>;
  readonly deliveries: (query?: string) => Promise<any[]>;
  /** Lets hours pass for deliveries and endpoints, as their rows tell the time. */
  readonly pass: (hours: number) => Promise<void>;
}

/** An API with everything that turns events into messages, and the fleet that sends them. */
export async function notificationWorld(
  settings: Readonly<Record<string, string>> = {},
  { notify = true, fleet = true } = {},
): Promise<NotificationWorld> {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await remoteApi({ LEASE_MS: '60000', ...settings }));
  const { context } = api;
  if (notify) stack.use(startNotifications(context, [alertSource]));
  stack.use(startGoverningJobs(context));
  if (fleet) {
    const module = new URL(import.meta.resolve('#workers/handlers.ts'));
    const running = await startFleet(context, { name: 'test', handlers: [handler(deliver, deliverProcessor)], module });
    stack.defer(async () => await running.drain());
  }
  const all = stack.move();
  return {
    ...api,
    endpoint: async (body) => {
      const made = await api.call('POST', '/v1/webhook-endpoints', { events: ['job.failed'], ...body });
      if (made.statusCode !== 201) throw new Error(made.body);
      return made.json();
    },
    end: async (type, more) => {
      const worker = await api.worker();
      const id = await api.submit(7, more);
      const [job] = await worker.take();
      const error = { code: 'bad_image', message: 'It is no image.' };
      await worker.report({
        ...fence(job!),
        type,
        ...(type === 'failed' ? { error, retryable: false } : { result: { bytes: 1 } }),
      });
      await worker.leave();
      return id;
    },
    deliveries: async (query = '') => (await api.call('GET', `/v1/webhook-deliveries?limit=100${query}`)).json().data,
    pass: async (hours) => {
      const ago = sql.fragment`${hours} * interval '1 hour'`;
      await context.db.query(sql.unsafe`
        update webhook_deliveries set next_at = next_at - ${ago}, give_up_at = give_up_at - ${ago}, created_at = created_at - ${ago}
        where state in ('pending', 'failed', 'delivered')`);
      await context.db.query(sql.unsafe`
        update webhook_endpoints set not_before = not_before - ${ago}, failing_since = failing_since - ${ago},
          previous_until = previous_until - ${ago}`);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
