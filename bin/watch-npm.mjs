import { readFileSync } from 'node:fs';

/**
 * Calls `stop` once when the npm that started this process is gone: npm that is killed by force tells nobody.
 * A start by hand is not watched: a shell that ends must not take along what it left running in the background.
 */
export function watchNpm(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const before = ancestors();
  const timer = setInterval(() => {
    const now = ancestors();
    if (before.every((pid, at) => pid === now[at])) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}

/** Our parent, and its parent where the first is only the shell that npm runs scripts in. */
function ancestors() {
  const parent = process.ppid;
  if (process.platform !== 'linux') return [parent];
  const [, name, ppid] = /^\d+ \((.*)\) \S (\d+)/s.exec(read(`/proc/${parent}/stat`)) ?? [];
  return ['sh', 'dash', 'bash', 'busybox'].includes(name) ? [parent, Number(ppid)] : [parent];
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
