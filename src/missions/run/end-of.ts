import type { Mission } from '#src/governance/missions/mission-row.ts';
import { AppError } from '#src/lib/errors.ts';

/** Makes the error of a request that waits for a mission which ended without success. */
export function endOf({ id, state, error }: Mission): AppError {
  const details = { mission: id, receipt: `/api/v1/receipts/${id}` };
  if (state === 'cancelled' || !error)
    return new AppError('cancelled', 'The mission was cancelled; its receipt says what was done before.', details);
  return new AppError('mission_failed', `${error.message} The receipt says what was done before.`, {
    ...details,
    cause: { code: error.code, details: error.details },
  });
}
