import { AppError } from '#src/lib/errors.ts';
import { perContext } from '#src/system/per-context.ts';

/**
 * Takes room for a body before it is read, and answers what gives it back (more than once does nothing).
 *
 * @throws AppError `unavailable` when the bodies that this process holds leave no room.
 */
export type TakeRoom = (bytes: number) => () => void;

export const uploadBudget = perContext(({ config }): TakeRoom => {
  const bound = config.UPLOAD_TOTAL_BYTES;
  let held = 0;
  return (bytes) => {
    // a body above the bound is taken alone
    if (held > 0 && held + bytes > bound)
      throw new AppError('unavailable', 'Too many uploads are being read at once; try again in a second.', {
        retry_after_seconds: 1,
      });
    held += bytes;
    let taken = bytes;
    return () => {
      held -= taken;
      taken = 0;
    };
  };
});
