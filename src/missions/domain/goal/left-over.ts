import { type Token, textOf } from '#src/lib/words/tokens.ts';
import { fillers, isWeighty, verbOf } from './goal-words.ts';

/** Words of a goal that no step does. */
export interface LeftOver {
  /** As the person wrote them. */
  readonly text: string;
  /** True where the remaining steps without them may not be what the goal means. */
  readonly isWeighty: boolean;
}

/**
 * The words of a clause that were not used and ask for something, adjacent ones as one.
 *
 * @param unread places of words that change what the step does, whatever they are
 */
export function leftOver(
  goal: string,
  tokens: readonly Token[],
  used: ReadonlySet<number>,
  unread: ReadonlySet<number> = new Set(),
): readonly LeftOver[] {
  const runs: Token[][] = [];
  const weighty = new Set<Token>();
  let open = false;
  let pending: Token[] = [];
  for (const [place, token] of tokens.entries()) {
    const isUnread = unread.has(place);
    if (isUnread) weighty.add(token);
    if (used.has(place) && !isUnread) {
      open = false;
      pending = [];
      continue;
    }
    if (isSilent(token, tokens[place - 1], tokens[place + 1])) {
      if (open) pending.push(token);
      continue;
    }
    if (open) runs.at(-1)!.push(...pending, token);
    else runs.push([token]);
    open = true;
    pending = [];
  }
  return runs.map((run) => ({
    text: textOf(goal, run),
    isWeighty: run.some((one, n) => weighty.has(one) || (isWeighty(one) && !isSilent(one, run[n - 1], run[n + 1]))),
  }));
}

const particles = new Set(['up', 'out']);

/** Marks that say something of the number beside them. */
const meaningful = /^(?:[+*$€£<>~=^×]|\.{2,})$/;

function isSilent({ kind, low }: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (kind === 'mark') {
    const isBeside = before?.kind === 'number' || after?.kind === 'number' || before?.low === '%';
    // "SPX/QQQ -2%/-3%": which belongs to which is a guess
    const parts = low === '/' && after?.kind === 'number' && (before?.low === '%' || before?.kind === 'number');
    return !(/[\p{L}\p{N}]/u.test(low) || parts || (isBeside && meaningful.test(low)) || /^\.{2,}$/.test(low));
  }
  // "find out" says no more than "find"; "vol up" does
  return (
    kind === 'word' && (fillers.has(low) || (particles.has(low) && before !== undefined && verbOf(before.low) !== null))
  );
}
