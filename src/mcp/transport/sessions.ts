import { randomUUID } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { KeyHolder } from '#src/http/streams/open-streams.ts';
import { AppError } from '#src/lib/errors.ts';
import { holderOf, type Principal } from '#src/lib/principal.ts';
import { openEventStore } from './event-store.ts';

export interface SessionOptions {
  /** Sessions of one key in this process. */
  readonly most: number;
  /** Milliseconds that one may stay unused. */
  readonly idleMs: number;
  readonly keepAliveMs: number;
  readonly makeServer: () => McpServer;
  /** Told how many there are, whenever that changes. */
  readonly onSize?: (size: number) => void;
  readonly onRefused?: (reason: 'too_many' | 'stopping' | 'unknown') => void;
}

export interface Session {
  readonly id: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** To be called with each request; what it gives, when the answer is through. */
  readonly use: () => () => void;
}

/** The sessions of the 2025 protocols. They live in the process that began them. */
export interface Sessions extends KeyHolder {
  /**
   * A new session of this principal. Where the key has as many as it may, the one unused for longest makes room.
   *
   * @throws AppError `quota_exceeded` when all of them are in use, `unavailable` while the process stops.
   */
  readonly open: (principal: Principal) => Promise<Session>;
  /** @throws AppError `not_found` for an id that is unknown, has ended, or is another principal's. */
  readonly find: (id: string, principal: Principal) => Session;
  readonly close: (session: Session) => Promise<void>;
  /** Ends what was not used for too long, as of `now` (ms since 1970). */
  readonly sweep: (now: number) => Promise<void>;
  /** Begins none any more, and ends the streams of clients that only listen: those would never leave by themselves. */
  readonly stop: () => void;
  readonly endAll: () => Promise<void>;
  readonly size: () => number;
}

interface LiveSession extends Session {
  readonly owner: string;
  readonly holder: string | null;
  readonly server: McpServer;
  inUse: number;
  usedAt: number;
}

export function openSessions(options: SessionOptions): Sessions {
  const sessions = new Map<string, LiveSession>();
  const { onSize = () => {}, onRefused = () => {} } = options;
  let stopping = false;

  const drop = (id: string) => {
    sessions.delete(id);
    onSize(sessions.size);
  };

  const end = async (session: LiveSession) => {
    drop(session.id);
    await session.server.close();
  };

  const release = (session: LiveSession) => {
    session.inUse--;
    session.usedAt = Date.now();
  };

  const makeRoom = (principal: Principal) => {
    const own = [...sessions.values()].filter((one) => isOf(one, principal));
    if (own.length < options.most) return;
    const [oldest] = own.filter(({ inUse }) => inUse === 0).toSorted((left, right) => left.usedAt - right.usedAt);
    if (oldest) {
      void end(oldest);
      return;
    }
    onRefused('too_many');
    throw new AppError(
      'quota_exceeded',
      `expected at most ${options.most} sessions of a key in use, got one more: end one with DELETE.`,
      { limit: options.most, retry_after_seconds: 5 },
    );
  };

  return {
    open: async (principal) => {
      if (stopping) {
        onRefused('stopping');
        throw new AppError('unavailable', 'This process is stopping; begin the session again.');
      }
      makeRoom(principal);
      const id = randomUUID();
      const server = options.makeServer();
      const session: LiveSession = {
        id,
        owner: principal.owner,
        holder: holderOf(principal),
        server,
        transport: new WebStandardStreamableHTTPServerTransport({
          sessionIdGenerator: () => id,
          eventStore: openEventStore(),
          retryInterval: 1_000,
          keepAliveMs: options.keepAliveMs,
        }),
        inUse: 0,
        usedAt: Date.now(),
        use: () => {
          session.inUse++;
          return () => release(session);
        },
      };
      // before anything is awaited: the next caller counts it
      sessions.set(id, session);
      onSize(sessions.size);
      const { onclose } = server.server;
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library has no other notice
      server.server.onclose = () => {
        drop(id);
        onclose?.();
      };
      await server.connect(session.transport);
      return session;
    },
    find: (id, principal) => {
      const session = sessions.get(id);
      if (session && isOf(session, principal)) return session;
      onRefused('unknown');
      throw new AppError(
        'not_found',
        'expected the id of a session of this key, got none that is open: begin a new one.',
      );
    },
    close: async ({ id }) => {
      const session = sessions.get(id);
      if (session) await end(session);
    },
    sweep: async (now) => {
      const idle = [...sessions.values()].filter(({ inUse, usedAt }) => inUse === 0 && now - usedAt > options.idleMs);
      await Promise.all(idle.map(end));
    },
    keyIds: () => [...new Set([...sessions.values()].flatMap(({ holder }) => holder ?? []))],
    closeKey: (holder) => {
      for (const session of sessions.values()) if (session.holder === holder) void end(session);
    },
    stop: () => {
      stopping = true;
      for (const { transport } of sessions.values()) transport.closeStandaloneSSEStream();
    },
    endAll: async () => void (await Promise.all([...sessions.values()].map(end))),
    size: () => sessions.size,
  };
}

/** Checks whether a session is of the key (or the sign-in) that began it: its id alone gives no access. */
function isOf({ owner, holder }: LiveSession, principal: Principal): boolean {
  return owner === principal.owner && holder === holderOf(principal);
}
