import { CommanderError } from 'commander';
import { AppError } from '#src/lib/errors.ts';
import { parseJson } from '#src/lib/text/parse-json.ts';

/** The sentence of problem details or of an error of the studio; the text, cut short, where it is neither. */
export function answerSentence(text: string): string {
  const { error, detail }: { error?: { message?: unknown }; detail?: unknown } = Object(parseJson(text));
  const sentence = error?.message ?? detail;
  return typeof sentence === 'string' ? sentence : text.slice(0, 500);
}

/** Advice on what to check, by the code of the failure. */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; check DATABASE_URL and REDIS_URL, and that both servers run',
  ENOTFOUND: 'the name is not known; check DATABASE_URL, REDIS_URL and HOST',
  ETIMEDOUT: 'nothing answers there; check DATABASE_URL and REDIS_URL',
  ECONNRESET: 'the server closed the connection; check DATABASE_URL and REDIS_URL',
  EADDRINUSE: 'another program listens there; set PORT or METRICS_PORT to another one, or 0 for a free one',
  EADDRNOTAVAIL: 'this machine does not have that address; check HOST and METRICS_HOST',
  EACCES: 'this user may not do that; check PORT and the owner of PROOFLINE_HOME',
};

/** A failure outside our code as one sentence, with its cause; a bug of ours as its stack. */
export function explain(error: unknown): string {
  const cause = failureOf(error);
  if (!cause) return String(error instanceof Error ? (error.stack ?? error) : error);
  return `Cannot start: ${cause.message || cause.code} (${advice[cause.code]}).`;
}

function failureOf(error: unknown): { readonly code: string; readonly message: string } | undefined {
  if (error instanceof AggregateError) return error.errors.map(failureOf).find((found) => found !== undefined);
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string' && Object.hasOwn(advice, at.code))
      return { code: at.code, message: at.message };
  }
  return undefined;
}

/** Says on stderr why a command failed, and gives the exit code for it. */
export function report(error: unknown): number {
  // Commander has printed its own message already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isOurs = error instanceof AppError;
  process.stderr.write(`${isOurs ? error.message : explain(error)}\n`);
  return isOurs && (error.code === 'invalid_configuration' || error.code === 'invalid_request') ? 2 : 1;
}
