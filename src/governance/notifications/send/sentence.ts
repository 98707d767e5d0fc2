import { clip } from './clip.ts';

/** An event as it is delivered: the body of a Standard Webhooks message. */
export interface Message {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The same for people: what happened in a line, what there is to say of it, and the page that shows it. */
export interface Sentence {
  readonly title: string;
  /** Empty where the title says it all. */
  readonly text: string;
  readonly url: string | null;
  /** Words of the link. */
  readonly action: string;
  readonly tone: 'good' | 'bad' | 'ask' | 'plain';
}

type Data = Message['data'];
type Write = (data: Data, type: string) => Pick<Sentence, 'title'> & Partial<Sentence>;

const text = (value: unknown, fallback = ''): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : fallback;
const usd = (value: unknown): string => `$${Number(value ?? 0).toFixed(2)}`;

const hasEnded = ({ state }: Data): boolean => state === 'ended';
const minutes = (data: Data): string => `${Math.floor(Number(data['oldest_s'] ?? 0) / 60)} min`;

function errorOf({ error }: Data): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return [text(code), text(message)].filter((part) => part !== '').join(': ');
}

const flowOf = ({ name }: Data): string => (text(name) ? `The flow ${text(name)}` : 'A flow');

const ended =
  (what: string, tone: Sentence['tone']): Write =>
  (data) => ({ title: `${text(data['title']) || text(data['queue'], 'A job')} ${what}`, text: errorOf(data), tone });

/** Sentences by type of event, or by its family before `.*`. */
const sentences: Readonly<Record<string, Write>> = {
  'job.failed': ended('failed', 'bad'),
  'job.succeeded': ended('succeeded', 'good'),
  'job.cancelled': ended('was cancelled', 'plain'),
  'job.*': (data, type) => ({ title: `${text(data['queue'], 'A job')}: ${type.slice(4).replaceAll('_', ' ')}` }),
  'flow.failed': (data) => ({ title: `${flowOf(data)} failed`, text: errorOf(data), tone: 'bad' }),
  'flow.*': (data, type) => ({ title: `${flowOf(data)}: ${type.slice(5)}`, text: errorOf(data) }),
  'mission.*': (data, type) => ({
    title: `Mission ${text(data['title']) || text(data['id'])}: ${type.slice(8).replaceAll(/[._]/g, ' ')}`,
    text: errorOf(data),
    tone: type === 'mission.failed' ? 'bad' : 'plain',
  }),
  'approval.waiting': (data) => ({
    title: `A decision waits: ${text(data['title'], 'an approval')}`,
    text: [text(data['why']), data['expires_at'] && `It can be decided until ${text(data['expires_at'])}.`]
      .filter(Boolean)
      .join(' '),
    action: 'Look at it and decide',
    tone: 'ask',
  }),
  'approval.*': (data, type) => ({
    title: `Decision ${type === 'approval.decided' ? text(data['decision']) : type.slice(9)}: ${text(data['title'], 'an approval')}`,
    text: data['by'] ? `By ${text(data['by'])}.` : '',
  }),
  'budget.*': (data) => ({
    title: `${text(data['percent'])} % of the budget ${text(data['budget'])} is used`,
    text: `${usd(data['spent_usd'])} spent and ${usd(data['reserved_usd'])} reserved of ${usd(data['ceiling_usd'])}.`,
    tone: Number(data['percent']) >= 100 ? 'bad' : 'ask',
  }),
  'signal.*': (data, type) => ({
    title: `${text(data['symbol'])}: ${type.slice(7).replaceAll('_', ' ')}`,
    text: text(data['explanation']) || text(data['summary']),
    action: 'Open the market',
  }),
  'alert.group_starves': (data) => ({
    title: hasEnded(data)
      ? `Jobs of ${text(data['group'])} no longer starve in ${text(data['queue'])}`
      : `Jobs of ${text(data['group'])} wait in ${text(data['queue'])}, which goes on`,
    text: hasEnded(data) ? '' : `The next has waited for ${minutes(data)}; ${text(data['waiting'])} wait.`,
    tone: hasEnded(data) ? 'good' : 'bad',
  }),
  'alert.version_not_taken': (data) => ({
    title: `${hasEnded(data) ? 'Jobs no longer wait for a worker of' : 'No worker takes'} ${text(data['queue'])}@${text(data['version'])}`,
    text: hasEnded(data) ? '' : `The oldest of ${text(data['waiting'])} jobs has waited for ${minutes(data)}.`,
    tone: hasEnded(data) ? 'good' : 'bad',
  }),
  'alert.limit_refuses': (data) => ({
    title: `The limit ${text(data['policy'])} ${hasEnded(data) ? 'no longer refuses' : 'refuses'} ${data['queue'] ? `jobs of ${text(data['queue'])}` : 'requests'}`,
    text: hasEnded(data) ? '' : `${text(data['refused'])} in five minutes.`,
    tone: hasEnded(data) ? 'good' : 'bad',
  }),
  'alert.queue_paused': (data) => ({
    title: hasEnded(data)
      ? `No jobs wait behind a pause of ${text(data['queue'])} any more`
      : `${text(data['queue'])} is paused, and ${text(data['waiting'])} of its jobs wait`,
    text: hasEnded(data)
      ? ''
      : `Paused by ${text(data['by'])} at ${text(data['paused_at'])}${data['reason'] ? `: ${text(data['reason'])}` : '.'}`,
    tone: hasEnded(data) ? 'good' : 'bad',
  }),
  'alert.fleet_gone': (data) => ({
    title: hasEnded(data)
      ? `The fleet ${text(data['fleet'])} has workers again`
      : `The fleet ${text(data['fleet'])} has no worker, and ${text(data['waiting'])} of its jobs wait`,
    text: hasEnded(data) ? '' : `The oldest has waited for ${minutes(data)}.`,
    tone: hasEnded(data) ? 'good' : 'bad',
  }),
  'batch.*': (data, type) => ({
    title: `A batch: ${type.slice(6)}`,
    text: `${text(data['completed'])} of ${text(data['total'])} requests completed, ${text(data['failed'])} failed.`,
    tone: type === 'batch.failed' ? 'bad' : 'plain',
  }),
  'package.delivered': (data) => ({ title: `The package for ${text(data['channel'])} was delivered`, tone: 'good' }),
  'package.unknown': (data) => ({
    title: `Whether the package for ${text(data['channel'])} arrived is not known`,
    text: 'The exchange with its receiver broke off; a person looks there before it is sent again.',
    tone: 'ask',
  }),
  'endpoint.disabled': (data) => ({
    title: `The endpoint ${text(data['title'])} was disabled`,
    text: text(data['why']),
    action: 'Look at its deliveries',
    tone: 'bad',
  }),
  'endpoint.test': (data) => ({
    title: 'This is a test from Proofline',
    text: `Messages for the endpoint ${text(data['title'])} arrive here.`,
    tone: 'good',
  }),
};

/** Writes an event for people. */
export function sentenceOf({ type, data }: Message): Sentence {
  const family = `${type.slice(0, type.indexOf('.'))}.*`;
  const write = sentences[type] ?? sentences[family];
  const written = write?.(data, type) ?? { title: type, text: text(data['id']) };
  return {
    title: clip(written.title, 200),
    text: clip(written.text ?? '', 1_000),
    url: text(data['url']) || null,
    action: written.action ?? 'Open it in Proofline',
    tone: written.tone ?? 'plain',
  };
}
