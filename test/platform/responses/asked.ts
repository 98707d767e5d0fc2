import { settingsOf } from '#src/platform/responses/model/read-request.ts';
import type { ResponseHead } from '#src/platform/responses/model/response-object.ts';

/** The beginning of a response to a plain question. */
export const head: ResponseHead = {
  job: '019aa000-0000-7000-8000-000000000001',
  createdAt: new Date('2026-11-22T07:59:00Z'),
  settings: settingsOf({ input: 'Good evening' }),
  warnings: [],
};
