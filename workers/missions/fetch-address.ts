import { hash } from 'node:crypto';
import { AppError } from '#src/lib/errors.ts';
import { callOutside } from '#src/system/outside/outside.ts';
import type { StepRun } from './step-run.ts';

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 1_048_576;

/**
 * Fetches an allowed address and digests its answer: JSON as it is, text as text.
 *
 * @throws AppError `forbidden`, `payload_too_large`, `unavailable` for an answer above 299 or none, `invalid_result`
 * for
 *   one that is neither JSON nor UTF-8.
 */
export const fetchAddress: StepRun = async ({ payload: { input }, context, signal }) => {
  const { url } = input as { url: string };
  const { status, contentType, body } = await callOutside({
    url,
    origins: context.config.FETCH_ORIGINS,
    method: 'GET',
    mostBytes: MOST_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  if (status < 200 || status > 299)
    throw new AppError('unavailable', `expected an answer of 200 to 299 from ${new URL(url).origin}, got ${status}.`, {
      status,
    });
  return {
    url,
    status,
    contentType,
    bytes: body.length,
    sha256: hash('sha256', body, 'hex'),
    content: contentOf(body, contentType),
  };
};

function contentOf(body: Buffer, contentType: string | null): unknown {
  const text = decode(body);
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(contentType ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid_result', 'expected JSON, as the answer says of itself, got something else.', {}, error);
  }
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    throw new AppError('invalid_result', 'expected an answer in UTF-8, got other bytes.', {}, error);
  }
}
