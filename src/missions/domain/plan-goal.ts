import { readMedia } from './read-media.ts';

/** A step as a planner proposes it. */
export interface ProposedStep {
  readonly id: string;
  readonly capability: string;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly dependsOn?: string[];
}

export interface GoalPlan {
  readonly steps: readonly ProposedStep[];
  /** Parts of the goal that no rule understands. */
  readonly unmapped: readonly string[];
  readonly notes: readonly string[];
}

export interface PlanInputs {
  /** Symbol of the clauses that name none. */
  readonly symbol?: string | undefined;
  /** Every symbol there is. */
  readonly symbols: readonly string[];
}

interface Clause {
  readonly text: string;
  readonly lower: string;
  readonly symbols: readonly string[];
  readonly url: string | undefined;
  readonly id: string | undefined;
  /** Steps that stand already. */
  readonly before: readonly ProposedStep[];
}

interface Rule {
  readonly capability: string;
  readonly title: string;
  /** The input of the step, where the rule understands the clause. */
  readonly read: (clause: Clause) => Readonly<Record<string, unknown>> | null;
}

/** Up to the punctuation that ends the sentence around it. */
const URL_PATTERN = /https?:\/\/[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?]/;
/** What stands in quotes that open after a space and close at the end of a word: an inch mark does not. */
const QUOTED = /(?<=^|[\s:(])["“][^"“”\n]{1,5000}["”](?=$|[\s.,;:!?)])/;
const ID_PATTERN = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
const VERBS =
  'fetch|get|download|read|load|stress|shock|snapshot|take|show|compute|calculate|hash|digest|fingerprint|verify|check|notify|post|send|tell|deliver|ask|answer|explain|what|how|where|when|is|are|fit|surface|summari[sz]e|report|make|create|generate|produce|render|draw|paint|compose|record';
/** Where a goal falls into clauses; an `and` only before a verb, so that "drops 3% and vol rises 10" stays one. */
const BREAKS = new RegExp(
  String.raw`((?:[.;!?](?=\s|$)|\n|,?\s+(?:and\s+)?then\s+|,?\s+and\s+(?=(?:${VERBS})\b))+)`,
  'i',
);
const METRICS =
  /\b(?:gex|gamma|vanna|vex|charm|cex|dsi|regime|flips?|walls?|levels?|signals?|skew|vcm|hedg\w+|dark ?pool|dix|flow|positioning|gtbr|dealers?|pin\w*|volatility|squeeze)\b/;
const SHOCKS = /\b(?:stress\w*|shocks?|scenarios?|what if|crash\w*|drops?|falls?|rises?|rall(?:y|ies)|sell-?off)\b/;

/** In this order: the first rule that understands a clause makes its step. */
const rules: readonly Rule[] = [
  {
    capability: 'receipt.verify',
    title: 'Verify a receipt',
    read: ({ lower, id }) => (id !== undefined && /\breceipt\b/.test(lower) ? { receiptId: id } : null),
  },
  {
    capability: 'job.status',
    title: 'Look at a job',
    read: ({ lower, id }) => (id !== undefined && /\bjob\b/.test(lower) ? { jobId: id } : null),
  },
  {
    capability: 'notify.webhook',
    title: 'Tell an address what came of it',
    read: ({ lower, url, before }) =>
      url !== undefined && /\b(?:notify|post|send|tell|deliver|webhook|call)\b/.test(lower)
        ? { url, body: { results: Object.fromEntries(before.map(({ id }) => [id, { $from: id }])) } }
        : null,
  },
  {
    capability: 'http.fetch',
    title: 'Read an address',
    read: ({ url }) => (url === undefined ? null : { url }),
  },
  {
    capability: 'media.generate',
    title: 'Have something made',
    read: ({ text }) => {
      const wish = readMedia(text);
      return wish && { ...wish };
    },
  },
  {
    capability: 'content.digest',
    title: 'Digest a result',
    read: ({ text, lower, before }) => {
      if (!/\b(?:digest|hash|checksum|sha-?256|fingerprint)\b/.test(lower)) return null;
      const quoted = /["“](.+?)["”]/.exec(text)?.[1];
      const last = before.at(-1);
      if (quoted !== undefined) return { value: quoted };
      return last ? { value: { $from: last.id } } : null;
    },
  },
  {
    capability: 'analytics.stress',
    title: 'Stress the dealers',
    read: ({ lower, symbols }) => {
      if (symbols.length === 0 || !SHOCKS.test(lower)) return null;
      return /\d/.test(lower) ? { symbols, shocks: lower } : { symbols };
    },
  },
  {
    capability: 'analytics.surface',
    title: 'Fit the volatility surface',
    read: ({ lower, symbols: [symbol] }) =>
      symbol !== undefined && /\b(?:surface|smiles?)\b/.test(lower) ? { symbol } : null,
  },
  {
    capability: 'analytics.snapshot',
    title: 'Take a snapshot of a symbol',
    read: ({ lower, symbols: [symbol] }) =>
      symbol !== undefined && /\b(?:snapshot|overview|everything|summary|summari[sz]e|figures|state)\b/.test(lower)
        ? { symbol }
        : null,
  },
  {
    capability: 'analytics.oracle',
    title: 'Answer a question about positioning',
    read: ({ text, lower, symbols: [symbol] }) =>
      symbol !== undefined && METRICS.test(lower) ? { question: text, symbol } : null,
  },
];

/**
 * The steps that a goal in plain English asks for, by rules: each clause becomes one step of the first rule that
 * understands it. What none understands is named, never guessed.
 */
export function planGoal(goal: string, { symbol, symbols }: PlanInputs): GoalPlan {
  const steps: ProposedStep[] = [];
  const unmapped: string[] = [];
  const notes: string[] = [];
  let current = symbol === undefined ? [] : [symbol];
  for (const { text, isNext } of clausesOf(goal)) {
    const named = symbolsIn(text, symbols);
    if (named.length > 0) current = [...named];
    const clause: Clause = {
      text,
      lower: text.toLowerCase(),
      symbols: current,
      url: URL_PATTERN.exec(text)?.[0],
      id: ID_PATTERN.exec(text)?.[0].toLowerCase(),
      before: steps,
    };
    const step = stepOf(clause, `s${steps.length + 1}`, isNext);
    if (!step) {
      unmapped.push(text);
      continue;
    }
    if (named.length === 0 && clause.symbols.length > 0 && step.capability.startsWith('analytics.'))
      notes.push(
        `${step.id}: ${clause.symbols.join(', ')} taken from ${steps.length > 0 ? 'the clause before' : 'the inputs'}`,
      );
    steps.push(step);
  }
  return { steps, unmapped, notes };
}

function stepOf(clause: Clause, id: string, isNext: boolean): ProposedStep | null {
  const before = clause.before.map((step) => step.id);
  for (const { capability, title, read } of rules) {
    const input = read(clause);
    // a message waits for everything, and what comes "then" for what came last
    const waits = capability === 'notify.webhook' ? before : before.slice(isNext ? -1 : before.length);
    if (input) return { id, capability, title, input, ...(waits.length > 0 && { dependsOn: waits }) };
  }
  return null;
}

/** Addresses and quotations keep their dots: they are taken out before the goal is cut, and put back. */
function clausesOf(goal: string): readonly { readonly text: string; readonly isNext: boolean }[] {
  const kept: string[] = [];
  // a run of white space would be tried from each of its places
  const safe = goal
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/(?: ?\n ?)+/g, '\n')
    .replaceAll(new RegExp(`${URL_PATTERN.source}|${QUOTED.source}`, 'g'), (found) => {
      kept.push(found);
      return `\u{E000}${kept.length - 1}\u{E001}`;
    });
  const back = (part: string) =>
    part.replaceAll(/\u{E000}(\d+)\u{E001}/gu, (_, index: string) => kept[Number(index)] ?? '').trim();
  // clauses and the breaks between them take turns
  const parts = safe.split(BREAKS);
  return parts
    .filter((_, index) => index % 2 === 0)
    .map((part, index) => ({ text: back(part), isNext: /\bthen\b/i.test(parts[index * 2 - 1] ?? '') }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function symbolsIn(text: string, symbols: readonly string[]): readonly string[] {
  const words = new Set(text.toUpperCase().match(/\b[A-Z]{2,5}\b/g));
  return symbols.filter((symbol) => words.has(symbol));
}
