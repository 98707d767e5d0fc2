import { respond } from '#queues/platform.ts';
import { AppError } from '#src/lib/errors.ts';
import type { PlatformWork } from '#src/platform/edge/work.ts';
import { replayOf } from '#src/platform/text/replay-text.ts';
import { wholeChat } from './chat-answer.ts';
import { ChatBody } from './chat-body.ts';
import { readChat } from './read-chat.ts';

/** A chat completion as a line of a batch: the same body but for `stream`, and the same answer. */
export const chatWork: PlatformWork<typeof respond, ChatBody> = {
  path: '/chat/completions',
  aliases: [],
  body: ChatBody,
  queue: respond,
  payload: async (_context, { keyId }, body) => {
    if (body.stream === true)
      throw new AppError('invalid_request', 'stream: expected false in a batch, whose answers are files; got true.', {
        field: 'body.stream',
      });
    return { work: readChat(body), keyId, background: true };
  },
  present: async (_context, { id, createdAt, finishedAt }, result) => {
    const tookMs = finishedAt === null ? 0 : finishedAt.getTime() - createdAt.getTime();
    return await wholeChat(replayOf(id, result), performance.now() - tookMs);
  },
};
