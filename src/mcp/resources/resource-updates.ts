import { AsyncLocalStorage } from 'node:async_hooks';
import type { McpServer, ServerEventBus } from '@modelcontextprotocol/server';
import { ownerChannel } from '#src/governance/owners/owner-log.ts';
import { callerOf } from '#src/mcp/model/caller.ts';
import type { McpContext } from '#src/mcp/model/tool.ts';

/** Most resources that one session follows. */
const MOST = 200;

/** Resources that change with an event of an owner's stream, by the first part of its name. */
const changed: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => readonly string[]>> = {
  job: ({ job, parent }) => [
    `studio://jobs/${String(job)}`,
    ...(typeof parent === 'string' ? [`studio://jobs/${parent}`] : []),
    'studio://jobs/index',
    'studio://observability/current',
  ],
  plan: ({ plan }) => [`studio://plans/${String(plan)}`, 'studio://plans/index', 'studio://observability/current'],
  brief: () => ['studio://observability/current'],
  approval: () => ['studio://approvals/index', 'studio://observability/current'],
  asset: () => ['studio://assets/reel'],
};

/** Addresses of lists: a client that reads them again sees what it missed. */
const lists = ['jobs/index', 'plans/index', 'approvals/index', 'assets/reel', 'observability/current'].map(
  (path) => `studio://${path}`,
);

/** The addresses of what a message of an owner's channel changes; none for a text that keeps no contract. */
function changedBy(text: string): readonly string[] {
  try {
    const { type, data } = JSON.parse(text) as { type?: unknown; data?: Readonly<Record<string, unknown>> };
    const [first = ''] = typeof type === 'string' ? type.split('.') : [];
    return changed[first]?.(data ?? {}) ?? [];
  } catch {
    return [];
  }
}

interface Following {
  readonly ready: Promise<void>;
  readonly close: () => void;
}

/**
 * Tells what changes of an owner's. After a connection that was lost and is back anything may have changed: `again` is
 * called then.
 */
function follow(on: McpContext, owner: string, tell: (uri: string) => void, again: () => void): Following {
  return on.hub.bus.subscribe(ownerChannel(on.context.config, owner), {
    message: (text) => {
      for (const uri of changedBy(text)) tell(uri);
    },
    resubscribed: again,
  });
}

/** Lets the clients of a session subscribe to resources; each hears of its own owner's alone. */
export function offerSubscriptions(server: McpServer, on: McpContext): void {
  const wanted = new Set<string>();
  let following: Following | null = null;
  const update = (uri: string) => {
    // a session that has ended hears nothing any more
    if (wanted.has(uri)) server.server.sendResourceUpdated({ uri }).catch(() => {});
  };
  const stop = () => {
    following?.close();
    following = null;
  };
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, call) => {
    const { principal } = callerOf(call);
    if (wanted.size < MOST) wanted.add(uri);
    following ??= follow(on, principal.owner, update, () => wanted.forEach(update));
    await Promise.race([following.ready, aborted(on.hub.stopping)]);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    wanted.delete(uri);
    if (wanted.size === 0) stop();
    return {};
  });
  const { onclose } = server.server;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library has no other notice
  server.server.onclose = () => {
    stop();
    onclose?.();
  };
}

/** Owner of the stream, while one request without a session is answered. */
const listening = new AsyncLocalStorage<string>();

/**
 * Answers a request of an owner, so that a stream it opens by {@link ownersBus} hears that owner's changes alone, and
 * all of those that come after its acknowledgement.
 */
export async function inNameOf<T>(on: McpContext, owner: string, message: unknown, work: () => Promise<T>): Promise<T> {
  if ((message as { method?: unknown } | null)?.method !== 'subscriptions/listen') return await work();
  // the library acknowledges at once; Redis has to have done so before
  const following = follow(
    on,
    owner,
    () => {},
    () => {},
  );
  try {
    await Promise.race([following.ready, aborted(on.hub.stopping)]);
    return await listening.run(owner, work);
  } finally {
    following.close();
  }
}

/** Bus to which streams without a session subscribe: it carries the changes of the request's owner. */
export function ownersBus(on: McpContext): ServerEventBus {
  return {
    subscribe: (listener) => {
      const owner = listening.getStore();
      if (owner === undefined) throw new Error('a stream without an owner');
      const tell = (uri: string) => listener({ kind: 'resource_updated', uri });
      return follow(on, owner, tell, () => lists.forEach(tell)).close;
    },
    // nothing is published by the library: all of it comes from Redis
    publish: () => {},
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
