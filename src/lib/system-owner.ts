/** Owner of the jobs that the system asks for by itself: no person waits for them. */
export const systemOwner = 'system';
