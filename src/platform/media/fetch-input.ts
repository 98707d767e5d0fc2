import { AppError } from '#src/lib/errors.ts';
import type { IntakeInput } from '#src/platform/edge/intake.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { callOutside } from '#src/system/outside/outside.ts';
import { assertBeginning, BEGINNING, wrong } from './keep-input.ts';

const FETCH_MS = 30_000;

/**
 * Downloads the bytes of an address, and breaks off as soon as they cannot be what is wanted.
 *
 * @param most size limit of the answer, bytes
 * @param announced called with the length in bytes before the answer is read; null where the server does not say
 * @throws AppError `invalid_request` naming the field, `payload_too_large`, `unavailable`.
 */
export async function fetchInput(
  { PLATFORM_FETCH_ORIGINS }: Pick<Config, 'PLATFORM_FETCH_ORIGINS'>,
  input: IntakeInput,
  most: number,
  announced: (bytes: number | null) => void,
): Promise<Uint8Array> {
  const { text: url, field } = input;
  try {
    const { status, body } = await callOutside({
      url,
      origins: PLATFORM_FETCH_ORIGINS,
      anywhere: true,
      method: 'GET',
      mostBytes: most,
      timeoutMs: FETCH_MS,
      signal: AbortSignal.timeout(FETCH_MS),
      announced,
      peek: { bytes: BEGINNING, look: (beginning, came) => came === 200 && assertBeginning(beginning, input) },
    });
    if (status === 200) return body;
    throw wrong(
      field,
      `expected an address that answers 200 with the file, got ${status} (redirects are not followed)`,
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') throw wrong(field, error.message.replace(/\.$/, ''));
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', `body.${field}: ${new URL(url).origin} did not answer in full.`, {}, error);
  }
}
