type Write = (message: string, data?: Readonly<Record<string, unknown>>) => void;

/** Log of a worker process; `console` fits, and so does pino with its arguments turned. */
export interface WorkerLog {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

const line =
  (level: string): Write =>
  (message, data) =>
    void process.stderr.write(
      `${new Date().toISOString()} ${level} ${message}${data === undefined ? '' : ` ${JSON.stringify(data)}`}\n`,
    );

/** Lines on stderr, without those for debugging. */
export const stderrLog: WorkerLog = { debug: () => {}, info: line('info'), warn: line('warn'), error: line('error') };
