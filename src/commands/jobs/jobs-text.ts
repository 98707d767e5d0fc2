import { plain, shownTime, textTable } from '#src/commands/terminal/text-table.ts';
import type { JobParent } from '#src/jobs/model/job-parent.ts';
import type { JobSummaryView, JobView } from '#src/jobs/model/job-view.ts';
import { childPlaceText } from '#src/lib/text/child-place.ts';

/** The shown part of a job's history, as `GET /v1/jobs/{id}/timeline` answers it. */
export interface TimelineAnswer {
  readonly events: readonly { readonly type: string; readonly at: string }[];
  readonly attempts: readonly {
    readonly attempt: number;
    readonly started_at: string;
    readonly ended_at: string | null;
    readonly worker: string | null;
    readonly outcome: string;
    readonly error: { readonly message: string } | null;
  }[];
  readonly steps: readonly {
    readonly name: string;
    readonly kind: string;
    readonly child: string | null;
    readonly since: string | null;
    readonly until: string | null;
    readonly at: string | null;
  }[];
  readonly signals: readonly { readonly name: string; readonly at: string; readonly taken_at: string | null }[];
  readonly effects: readonly {
    readonly effect: string;
    readonly state: string;
    readonly attempt: number;
    readonly external_id: string | null;
  }[];
  readonly children: readonly (JobSummaryView & Pick<JobParent, 'node' | 'item' | 'step'>)[];
  readonly receipt: string | null;
}

const heading = ['id', 'queue', 'state', 'attempt', 'accepted', 'owner', 'error'];

/** Jobs as people read them, one a line below a heading. */
export function jobTable(jobs: readonly JobSummaryView[]): string {
  return textTable([heading, ...jobs.map(cells)]);
}

function cells({ id, queue, state, attempt, held, created_at, owner, error }: JobSummaryView): string[] {
  return [id, queue, held ? `${state}, held` : state, `${attempt}`, shownTime(created_at), owner, error?.message ?? ''];
}

/** A job in full: its status, its request, its history, and its outcome. */
export function jobText(job: JobView, timeline: TimelineAnswer): string {
  const { events, attempts, steps, signals, effects, children, receipt } = timeline;
  const facts: [string, string | null][] = [
    ['job', job.id],
    ['queue', job.queue],
    ['state', job.held ? `${job.state}, held` : job.state],
    ['owner', job.owner],
    ['priority', `${job.priority}`],
    ['error', job.error && `${job.error.message} (${job.error.code})`],
    ['idempotency', job.idempotency_key],
    ['parent', job.parent ? parentText(job.parent) : job.parent_id],
    ['approval', job.approval_id],
    ['receipt', receipt],
  ];
  const parts: [string, string[][]][] = [
    ['events', events.map(({ at, type }) => [shownTime(at), type])],
    ['attempts', attempts.map(attemptCells)],
    ['steps', steps.map(stepCells)],
    [
      'signals',
      signals.map(({ name, at, taken_at: taken }) => [name, shownTime(at), taken === null ? 'not taken' : 'taken']),
    ],
    [
      'effects outside',
      effects.map(({ effect, state, attempt, external_id: id }) => [effect, state, `attempt ${attempt}`, id ?? '']),
    ],
    ['asked for', children.map((child) => [child.id, child.queue, child.state, childPlaceText(child)])],
  ];
  return [
    textTable(facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    ...parts.flatMap(([name, rows]) => (rows.length === 0 ? [] : [`\n${name}`, indented(textTable(rows))])),
    `\npayload\n${content(job.payload)}`,
    ...(job.progress === undefined || job.result !== null ? [] : [`\nprogress\n${content(job.progress)}`]),
    ...(job.result === null ? [] : [`\nresult\n${content(job.result)}`]),
  ].join('\n');
}

/** Parent of a job with which of its children the job is, such as `… (flow nightly, node resize[2], one of 5)`. */
function parentText(parent: JobParent): string {
  const { id, queue, name } = parent;
  const about = [name === null ? (queue ?? 'forgotten') : `flow ${name}`, childPlaceText(parent)];
  return `${id} (${about.filter((part) => part !== '').join(', ')})`;
}

function attemptCells({ attempt, started_at, ended_at, worker, outcome, error }: TimelineAnswer['attempts'][number]) {
  const by = worker === null ? '' : `worker ${worker}`;
  return [`${attempt}`, outcome, shownTime(started_at), ended_at ? shownTime(ended_at) : '', by, error?.message ?? ''];
}

function stepCells({ name, kind, child, since, until, at }: TimelineAnswer['steps'][number]): string[] {
  if (at !== null)
    return [name, kind, shownTime(at), since === null ? '' : `waited since ${shownTime(since)}`, child ?? ''];
  const end = until === null ? '' : `until ${shownTime(until)} at the latest`;
  return [name, kind, 'waits', since === null ? '' : `since ${shownTime(since)}`, end || (child ?? '')];
}

/** At most a screenful: with --json all of it is printed. */
const MOST_LINES = 30;

function content(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  const rest = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line.match(/^ */)?.[0] ?? ''}${cut(plain(line.trim()))}`);
  return [...shown, ...(rest > 0 ? [`  … ${rest} more lines; --json prints all`] : [])].join('\n');
}

function cut(line: string): string {
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
