import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { platformProblem } from '#src/platform/edge/platform-problem.ts';
import type { EndedLine } from './line-store.ts';

/** A line of an output file, in OpenAI's shape, with the answer that the request would have had. */
export function answerLine(batch: string, ended: EndedLine, body: object): string {
  return lineOf(batch, ended, { response: responseOf(batch, ended, 200, body), error: null });
}

/** A line of an error file: with the error that the request would have been answered with, or why it never was one. */
export function failureLine(batch: string, ended: EndedLine): string {
  const { code, message, answered } = ended;
  const known: ErrorCode = code !== null && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'internal';
  const { status, title } = errorCodes[known];
  if (!answered) return lineOf(batch, ended, { response: null, error: { code, message } });
  const problem = platformProblem({
    type: `urn:proofline:error:${known}`,
    title,
    status,
    detail: message ?? title,
    code: known,
    request_id: requestId(batch, ended),
  });
  return lineOf(batch, ended, { response: responseOf(batch, ended, status, problem), error: null });
}

function responseOf(batch: string, ended: EndedLine, status: number, body: object) {
  return { status_code: status, request_id: requestId(batch, ended), body };
}

/** By which it is found here: the job of the line, or its place in the batch. */
const requestId = (batch: string, { job, line }: EndedLine): string => job ?? `${batch}.${line}`;

function lineOf(batch: string, { line, customId }: EndedLine, rest: object): string {
  const id = `batch_req_${batch.replaceAll('-', '')}${String(line).padStart(8, '0')}`;
  return `${JSON.stringify({ id, custom_id: customId, ...rest })}\n`;
}
