const diskCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT'];
/** SQLSTATE disk_full. */
const POSTGRES_FULL = '53100';

/**
 * Names the disk that is full, in a sentence, where an error or its cause says so: this machine's, Postgres' or Redis'.
 * Undefined for any other error.
 */
export function describeDiskFull(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = 'code' in at ? at.code : undefined;
    const advice = 'free some space, then try again.';
    if (code === POSTGRES_FULL) return `No space is left on the disk of the database (Postgres): ${advice}`;
    if (diskCodes.includes(code)) return `No space is left on a disk of this server: ${advice}`;
    if (at.message.startsWith('MISCONF')) return `Redis cannot write to its disk, which may be full: ${advice}`;
  }
  return undefined;
}
