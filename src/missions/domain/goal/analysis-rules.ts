import type { Shock, Unread } from '#src/lib/words/shock.ts';
import {
  bpWords,
  downWords,
  multiples,
  percentWords,
  shockNouns,
  sigmaWords,
  spotWords,
  upWords,
  volWords,
} from '#src/lib/words/shock-words.ts';
import { defaultShocks, readShocks } from '#src/lib/words/shocks.ts';
import { type Token, textOf } from '#src/lib/words/tokens.ts';
import { conditions, fillers, metricWords, negations, ownWords, scheduleWords, verbOf } from './goal-words.ts';
import { leftOver } from './left-over.ts';
import {
  type Draft,
  hasWord,
  kindPlaces,
  placesOf,
  type Reading,
  type Rule,
  refusal,
  type Scene,
  wordSet,
} from './rule.ts';
import { shockConditions } from './shock-conditions.ts';

const stressWords = wordSet('stress stresses stressed stressing shock shocks scenario scenarios');
const stressBeside = wordSet(
  `run test tests simulate model what how happens happen happened does compute calculate see show tell me give dealers dealer their they
  hedging hedge gamma gex regime assume assuming suppose say look looks change changes affect affects mean means case analyze analyse estimate
  market markets effect effects impact react reacts do fares fare holds check which would spot vol imagine against`,
);
/** They ask for the shocks that are run where none is named. */
const usualWords = wordSet('usual normal default standard');
const surfaceWords = wordSet('surface surfaces smile smiles');
const surfaceBeside = wordSet(
  'fit show get give compute calculate volatility vol implied iv plot draw see take what load read looks look how',
);
const snapshotWords = wordSet(
  'snapshot snapshots overview everything summary summaries summarise summarize figures state',
);
const snapshotBeside = wordSet(
  'take show get give make compute calculate create see tell what how where fetch load read report market markets dealer dealers positioning gamma data numbers figures about full produce pull know find',
);
const askVerbs = wordSet(
  'show tell give get take compute calculate ask answer explain find check report list read look describe summarise summarize fetch pull',
);

/** The stress test of some symbols, with every shock as numbers: what cannot be run is refused with a reason. */
export const stressRule: Rule = (tokens, scene) => {
  const { groups, used, unread, notes } = readShocks(tokens);
  const shocked = groups.filter(({ scenarios }) => scenarios.length > 0);
  const isNamed = placesOf(tokens, stressWords).length > 0;
  const isSaid = tokens.some(({ low }) => isShockWord(low));
  const isShock =
    isNamed ||
    shocked.length > 0 ||
    (unread.length > 0 && isSaid) ||
    hasWord(tokens, shockNouns) ||
    isWhatIf(tokens) ||
    isStatement(tokens);
  if (!isShock) return null;
  const said = unread.map(
    ({ from, to, why }) => `“${textOf(scene.goal, tokens.slice(from, to + 1))}” cannot be run: ${why}`,
  );
  const beside = [
    ...placesOf(tokens, stressWords),
    ...placesOf(tokens, stressBeside),
    ...kindPlaces(tokens, 'symbol'),
    ...shockConditions(tokens, used),
  ];
  if (shocked.length === 0) {
    const isSized =
      unread.length > 0 ||
      tokens.some(
        ({ kind, low }) =>
          kind === 'number' || kind === 'shape' || downWords.has(low) || upWords.has(low) || multiples.has(low),
      );
    if (isSized || !isNamed)
      return scene.symbols.length === 0 && !isNamed && said.length === 0
        ? null
        : refusal(
            ...(said.length > 0
              ? said
              : [
                  'it names no shock that can be run: say by how many percent, points or vol points, and whether up or down',
                ]),
          );
    if (scene.symbols.length === 0) return refusal('a stress test needs a symbol');
    if (scene.hasShocks)
      return refusal('it names no shock, and another part of the goal does: name the shock of each stress test');
    return {
      drafts: [stressOf(scene.symbols)],
      used: new Set([...beside, ...placesOf(tokens, usualWords)]),
      notes: ['no shock was named: spot −5, −2, +2 and +5 % are run'],
    };
  }
  const drafts: Draft[] = [];
  for (const { symbols, scenarios } of shocked) {
    const of = symbols.length > 0 ? symbols : scene.symbols;
    if (of.length === 0) return refusal('a stress test needs a symbol');
    if (of.length > 1 && scenarios.some(({ spot_level }) => spot_level !== undefined))
      return refusal(`one level cannot be that of ${of.join(' and ')}: name the symbol that reaches it`);
    // points are another percentage for each symbol
    const isEach = scenarios.some((shock) => shock.spot_points !== undefined);
    drafts.push(...(isEach ? of.map((one) => stressOf([one], scenarios)) : [stressOf(of, scenarios)]));
  }
  return { drafts, used: new Set([...used, ...beside]), unread: placesIn(unread), notes: [...notes, ...said] };
};

const placesIn = (unread: readonly Unread[]) =>
  new Set(unread.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n)));

function isShockWord(low: string): boolean {
  return (
    downWords.has(low) ||
    upWords.has(low) ||
    multiples.has(low) ||
    percentWords.has(low) ||
    bpWords.has(low) ||
    sigmaWords.has(low)
  );
}

const askWords = wordSet(
  'what how where when which who why is are was were does do did will can should would could has have show tell explain give whether compare',
);

/** "SPX crashes and vol explodes" is no question: it is a shock without a size. */
function isStatement(tokens: readonly Token[]): boolean {
  const moves = tokens.some(({ low }, place) => {
    const before = tokens[place - 1];
    const isMove = downWords.has(low) || upWords.has(low) || multiples.has(low);
    return (
      isMove &&
      before !== undefined &&
      (before.kind === 'symbol' || spotWords.has(before.low) || volWords.has(before.low))
    );
  });
  return moves && !tokens.some(({ low }) => askWords.has(low));
}

function isWhatIf(tokens: readonly Token[]): boolean {
  return tokens.some(({ low }, place) => low === 'what' && tokens[place + 1]?.low === 'if');
}

/** Checks whether a step runs the shocks that are run where none is named. */
export function isUsualStress({ capability, input }: Draft): boolean {
  return capability === 'analytics.stress' && JSON.stringify(input['scenarios']) === usualScenarios;
}

const usualScenarios = JSON.stringify(defaultShocks);

function stressOf(symbols: readonly string[], scenarios: readonly Shock[] = defaultShocks): Draft {
  return {
    capability: 'analytics.stress',
    title: 'Stress the dealers',
    input: { symbols: [...symbols], scenarios: scenarios.map((shock) => ({ ...shock })) },
  };
}

export const surfaceRule: Rule = (tokens, { symbols }) => {
  if (symbols.length === 0 || !hasWord(tokens, surfaceWords)) return null;
  return each(symbols, 'analytics.surface', 'Fit the volatility surface', [
    ...placesOf(tokens, surfaceWords),
    ...placesOf(tokens, surfaceBeside),
    ...kindPlaces(tokens, 'symbol'),
  ]);
};

export const snapshotRule: Rule = (tokens, { symbols }) => {
  if (symbols.length === 0 || !hasWord(tokens, snapshotWords)) return null;
  return each(symbols, 'analytics.snapshot', 'Take a snapshot of a symbol', [
    ...placesOf(tokens, snapshotWords),
    ...placesOf(tokens, snapshotBeside),
    ...kindPlaces(tokens, 'symbol'),
    // a snapshot has every figure
    ...tokens.flatMap(({ low }, place) => (metricWords.test(low) ? [place] : [])),
  ]);
};

function each(symbols: readonly string[], capability: string, title: string, used: readonly number[]) {
  const drafts = symbols.map((symbol) => ({ capability, title, input: { symbol } }));
  return { drafts, used: new Set(used), notes: [] };
}

/** A question goes to the oracle in the person's words, without those that no answer can follow. */
export const questionRule: Rule = (tokens, { goal, symbols, known, readQuestion }) => {
  const [symbol] = symbols;
  if (symbol === undefined || !tokens.some(({ low }) => metricWords.test(low))) return null;
  const first = tokens.find(({ kind, low }) => kind === 'word' && !fillers.has(low));
  if (first && isDeed(first, tokens[tokens.indexOf(first) + 1])) return null;
  // "SPX gamma without 0DTE": without its "without" it is the opposite question
  if (tokens.some(({ kind, low }) => kind === 'word' && negations.has(low)))
    return refusal('it leaves something out, which no analysis does: ask for what is wanted');
  const askable = tokens.flatMap((token, place) => (isAskable(token, known) ? [place] : []));
  const named = tokens.flatMap((token) => token.symbol ?? []);
  const one = new Set(named).size > 1 ? {} : { symbol };
  const whole = readQuestion?.(questionOf(goal, tokens, new Set(askable)), one.symbol);
  const strange = new Set(whole?.notUnderstood);
  const used = askable.filter((place) => {
    const { low } = tokens[place]!;
    return !strange.has(low) || fillers.has(low) || askVerbs.has(verbOf(low) ?? '');
  });
  const question = questionOf(goal, tokens, new Set(used));
  const { refusal: why = null } = (strange.size > 0 ? readQuestion?.(question, one.symbol) : whole) ?? {};
  if (why !== null) return refusal(`it would not be answered: ${why}`);
  const drafts = [
    { capability: 'analytics.oracle', title: 'Answer a question about positioning', input: { question, ...one } },
  ];
  return { drafts, used: new Set(used), notes: [] };
};

/** "call wall" and "send me" ask; "call him" and "send it" are deeds. */
function isDeed({ low }: Token, next: Token | undefined): boolean {
  const verb = verbOf(low);
  if (verb === 'call' && metricWords.test(next?.low ?? '')) return false;
  if (verb === 'send' && (next?.low === 'me' || next?.low === 'us')) return false;
  return verb !== null && !askVerbs.has(verb) && !metricWords.test(low);
}

/** A question cannot take these along, wherever they are in it. */
const channelWords = wordSet(
  'email e-mail mail text sms slack whatsapp telegram tweet dm notify buy sell publish remind alert',
);

function isAskable(token: Token, known: readonly string[]): boolean {
  const { kind, low, symbol } = token;
  if (kind === 'symbol') return symbol !== null && known.includes(symbol);
  if (kind === 'number' || kind === 'date' || kind === 'mark') return true;
  if (kind !== 'word' || negations.has(low) || conditions.has(low) || scheduleWords.has(low) || ownWords.has(low))
    return false;
  return !channelWords.has(verbOf(low) ?? low);
}

/** The words of a clause that can be asked, as they were written; those that cannot are cut out. */
function questionOf(goal: string, tokens: readonly Token[], used: ReadonlySet<number>): string {
  const runs: Token[][] = [];
  for (const [place, token] of tokens.entries()) {
    if (!used.has(place) || token.text === '') runs.push([]);
    else if (runs.length > 0) runs.at(-1)!.push(token);
    else runs.push([token]);
  }
  return runs
    .filter((run) => run.some(({ kind }) => kind !== 'mark'))
    .map((run) => textOf(goal, run))
    .join(' ')
    .replace(/(?:\s+(?:to|at|from|with|and|or|via|on|in|for|me)|[\s,:—-])+$/i, '')
    .slice(0, 2_000);
}

/** The analyses that a clause names as what is sent or digested; null where words of it would be left over. */
export function innerSteps(tokens: readonly Token[], scene: Scene, beside: readonly number[] = []): Reading | null {
  for (const rule of [stressRule, surfaceRule, snapshotRule, questionRule]) {
    const read = rule(tokens, scene);
    if (
      read &&
      read.drafts.length > 0 &&
      leftOver(scene.goal, tokens, new Set([...beside, ...read.used]), read.unread).length === 0
    )
      return read;
  }
  return null;
}
