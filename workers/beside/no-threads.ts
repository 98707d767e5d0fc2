import type { RunThread, Threads } from '#src/system/threads.ts';

const refuse: RunThread = async () => {
  throw new Error('expected no use of threads: the code of a definition does not know them');
};

/** For processors that have no way to threads: a pool would cost each process of theirs its memory. */
export const noThreads: Threads = { run: refuse, runAside: refuse };
