import { Type } from 'typebox';
import type { ExchangeDescription } from '#src/http/documents/asyncapi-exchange.ts';
import { PollBody, Polled, RegisterBody, Registered, ReportAnswers, ReportsBody } from './worker-bodies.ts';

/** The worker that a message is of. */
const worker = Type.String({ format: 'uuid', description: 'The worker, as its registration named it' });

/** Each message of a worker: the body it has, over HTTP and a socket the same, and what a success answers. */
export const workerMessages = {
  register: { body: RegisterBody, status: 201, answer: Registered },
  poll: { body: PollBody, status: 200, answer: Polled },
  report: { body: ReportsBody, status: 200, answer: ReportAnswers },
  leave: { body: Type.Object({}, { additionalProperties: false }), status: 204, answer: Type.Null() },
} as const;

const { register, poll, report, leave } = workerMessages;

/** Messages of one socket that may be under way: polls wait. */
export const MOST_UNDER_WAY = 64;

/** `/ws/v1/workers` as the document has it. */
export const workerExchange: ExchangeDescription = {
  name: 'workers',
  title: 'Workers of registered queues',
  description: `The messages of the routes below \`/v1/workers\`, over one socket. Answers come in the order in which they are done, each with the \`id\` of its message.

A poll is the beat of a lease: at least one every \`beat_ms\`. Without one for \`lease_ms\` the worker is taken for dead, and its jobs go to others. The lease is not the socket: after a cut a worker goes on over a new one, with the jobs that it has in hand. Every 15 s the server sends a ping; a socket that does not answer is cut.

Close codes: 1001 this process stops, or the key is no longer valid (the reason says which; come back after the first); 1009 a message is too long; 4429 too many streams of the key, or more than ${MOST_UNDER_WAY} messages under way.`,
  websocket: '/ws/v1/workers',
  messages: {
    register: {
      summary: 'Register a worker',
      said: register.body,
      status: register.status,
      answer: register.answer,
    },
    poll: {
      summary: 'Beat, and ask for jobs',
      said: Type.Object({ worker, ...poll.body.properties }),
      status: poll.status,
      answer: poll.answer,
    },
    report: {
      summary: 'Report what has become of attempts',
      said: Type.Object({ worker, ...report.body.properties }),
      status: report.status,
      answer: report.answer,
    },
    leave: {
      summary: 'Leave; jobs that it still has go back',
      said: Type.Object({ worker }),
      status: leave.status,
      answer: leave.answer,
    },
  },
};
