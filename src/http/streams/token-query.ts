import { Type } from 'typebox';

/** Parameter of queries of streams that a token opens. */
export const tokenQuery = {
  token: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A stream token for this very stream (`POST /v1/stream-tokens`), instead of a key; also as bearer',
    }),
  ),
};
