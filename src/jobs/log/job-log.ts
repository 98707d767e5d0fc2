import { maskKeys } from '#src/lib/crypto/mask-keys.ts';
import type { Context } from '#src/system/context.ts';
import { secretsMask } from '#src/system/logging/log.ts';
import { perContext } from '#src/system/per-context.ts';
import { keepLines, type LogLevel, MOST_LINES } from './log-store.ts';

/** Characters that are kept of a line, and of its fields as JSON. */
const LONGEST_MESSAGE = 1_000;
const LONGEST_FIELDS = 2_000;

type Say = (message: string, fields?: Readonly<Record<string, unknown>>) => void;

/**
 * Log of a job while it runs, for its owner and for operators. Not truth: the newest lines of a job are kept for some
 * days, in Redis alone. Never throws and never waits; keys and secrets are masked, and what is long is cut, which the line says.
 */
export interface JobLog extends Readonly<Record<LogLevel, Say>> {
  /** Written only if another line is: what every job would write need not be kept of jobs with nothing to report. */
  readonly aside: Say;
}

const maskOf = perContext(({ config }: Context) => secretsMask(config));

/** The log of one attempt of a job. */
export function openJobLog(context: Context, job: string, attempt: number): JobLog {
  const mask = maskOf(context);
  const pending: string[] = [];
  const asides: (() => string)[] = [];
  let sending = false;

  const send = async () => {
    // what is said in one turn goes together
    await Promise.resolve();
    while (pending.length > 0) await keepLines(context, job, pending.splice(0, MOST_LINES));
  };

  const write = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    pending.push(...asides.splice(0).map((line) => line()), lineOf(new Date(), level, message, fields));
    // a job that says more than is kept must not fill the memory of its process
    if (pending.length > MOST_LINES) pending.splice(0, pending.length - MOST_LINES);
    if (sending) return;
    sending = true;
    void send()
      .catch((error: unknown) => context.log.debug({ err: error, job }, 'lines of a job were lost'))
      .finally(() => {
        sending = false;
      });
  };

  const lineOf = (at: Date, level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): string =>
    JSON.stringify({
      at: at.toISOString(),
      level,
      message: cut(mask(maskKeys(message.toWellFormed())), LONGEST_MESSAGE),
      fields: bounded(fields, (text) => mask(maskKeys(text))),
      attempt,
    });

  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    aside: (message, fields = {}) => {
      // written with the next line: most jobs have nothing to report
      const at = new Date();
      asides.push(() => lineOf(at, 'info', message, fields));
    },
  };
}

/** Fields as they are kept; where they are too long or no JSON, what can be said of them. */
function bounded(fields: Readonly<Record<string, unknown>>, mask: (text: string) => string): unknown {
  try {
    const text = mask(JSON.stringify(fields));
    return text.length <= LONGEST_FIELDS ? (JSON.parse(text) as unknown) : { cut: cut(text, LONGEST_FIELDS) };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message.slice(0, 200) : 'no JSON' };
  }
}

/** The beginning of a text that is too long, and the number of characters that it goes on. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // a worker that had to cut it before has counted what it left out
  const { before = text, count = '0' } = cutBefore.exec(text)?.groups ?? {};
  const kept = before.slice(0, longest - ROOM).toWellFormed();
  return `${kept}… (${(before.length - kept.length + Number(count.replaceAll(',', ''))).toLocaleString('en')} characters more)`;
}

const cutBefore = /^(?<before>[^]*)… \((?<count>[\d,]+) characters more\)$/;

/** Room for that number and its words. */
const ROOM = 40;
