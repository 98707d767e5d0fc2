/**
 * Aborted with the first SIGINT, SIGTERM or SIGHUP. From then on a SIGINT ends this process at once; its children end
 * with it by themselves.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const hear = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted && signal === 'SIGINT') process.exit(1);
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear);
  return controller.signal;
}
