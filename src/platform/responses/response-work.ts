import { respond } from '#queues/platform.ts';
import { AppError } from '#src/lib/errors.ts';
import type { PlatformWork } from '#src/platform/edge/work.ts';
import { readConversation } from '#src/platform/responses/model/conversation.ts';
import { checkRequest, settingsOf, textWork } from '#src/platform/responses/model/read-request.ts';
import { ResponseRequest } from '#src/platform/responses/model/request-body.ts';
import { newResponse } from '#src/platform/responses/model/response-object.ts';
import { responseView } from '#src/platform/responses/model/response-view.ts';
import { deltasOf } from '#src/platform/text/replay-text.ts';
import { openTurn } from './turn.ts';

/** A response as a line of a batch: its answer is in the file of results, and stored nowhere else. */
export const responseWork: PlatformWork<typeof respond, ResponseRequest> = {
  path: '/responses',
  aliases: [],
  body: ResponseRequest,
  queue: respond,
  payload: async (context, { owner, keyId }, body) => {
    checkRequest(body);
    const member = body.stream ? 'stream' : 'background';
    if (body.stream || body.background)
      throw new AppError(
        'invalid_request',
        `${member}: expected false in a batch, whose answers are files; got true.`,
        {
          field: `body.${member}`,
        },
      );
    const { messages } = await readConversation(context, owner, body);
    return { work: textWork(body, messages), keyId, background: true };
  },
  present: async (_context, { id, createdAt, finishedAt }, result, body) => {
    const { provider, model } = result;
    const settings = { ...settingsOf(body ?? { input: '' }), model, store: false };
    const turn = openTurn(newResponse({ job: id, createdAt, settings, warnings: [] }, 'in_progress'));
    for (const delta of deltasOf(result)) turn.take(delta);
    turn.end(finishedAt ?? createdAt, undefined, { provider, model });
    return responseView(turn.response());
  },
};
