import type { Api } from '#console/api/api.d.ts';

export type Endpoint = Api['GET /v1/webhook-endpoints']['answer']['data'][number];
type Format = Endpoint['format'];

/** Contents of the form for an endpoint, as they are typed. */
export interface EndpointDraft {
  readonly title: string;
  readonly format: Format;
  readonly url: string;
  readonly events: readonly string[];
  /** Names of queues with commas. */
  readonly queues: string;
  readonly symbols: string;
  readonly everyOwner: boolean;
}

export const emptyDraft: EndpointDraft = {
  title: '',
  format: 'raw',
  url: '',
  events: ['job.failed', 'approval.*'],
  queues: '',
  symbols: '',
  everyOwner: false,
};

/** Formats with their words. */
export const formatChoices: readonly { readonly value: Format; readonly label: string }[] = [
  { value: 'raw', label: 'Webhook (signed JSON)' },
  { value: 'slack', label: 'Slack' },
  { value: 'discord', label: 'Discord' },
  { value: 'teams', label: 'Microsoft Teams' },
  { value: 'mail', label: 'Mail' },
];

/** Events that are offered, by the pattern that wants them. */
export const eventChoices: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'job.failed', label: 'Jobs that fail' },
  { value: 'job.succeeded', label: 'Jobs that succeed' },
  { value: 'flow.*', label: 'Flows' },
  { value: 'mission.*', label: 'Missions' },
  { value: 'approval.*', label: 'Decisions' },
  { value: 'budget.*', label: 'Budgets at 80 % and 100 %' },
  { value: 'batch.*', label: 'Batches that end' },
  { value: 'package.*', label: 'Packages of the studio at their receivers' },
  { value: 'signal.*', label: 'Market signals' },
  { value: 'endpoint.*', label: 'Endpoints that were disabled' },
];

const listOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))];

/** Body of the request for a draft. */
export function bodyOf(draft: EndpointDraft): Api['POST /v1/webhook-endpoints']['body'] {
  const { title, format, url, events, queues, symbols, everyOwner } = draft;
  const address = format === 'mail' && !url.startsWith('mailto:') ? `mailto:${url.trim()}` : url.trim();
  return {
    url: address,
    events: [...events],
    format,
    ...(title.trim() !== '' && { title: title.trim() }),
    ...(listOf(queues).length > 0 && { queues: listOf(queues) }),
    ...(listOf(symbols).length > 0 && { symbols: listOf(symbols.toUpperCase()) }),
    ...(everyOwner && { every_owner: true }),
  };
}
