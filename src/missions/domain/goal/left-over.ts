import { type Token, textOf } from '#src/lib/words/tokens.ts';
import { fillers, isWeighty } from './goal-words.ts';

/** Words of a goal that no step does. */
export interface LeftOver {
  /** As the person wrote them. */
  readonly text: string;
  /** Whether doing the rest without them may not be what was asked for. */
  readonly isWeighty: boolean;
}

/** The words of a clause that were not used and ask for something, those that stand together as one. */
export function leftOver(goal: string, tokens: readonly Token[], used: ReadonlySet<number>): readonly LeftOver[] {
  const runs: Token[][] = [];
  let open = false;
  let pending: Token[] = [];
  for (const [place, token] of tokens.entries()) {
    if (used.has(place)) {
      open = false;
      pending = [];
      continue;
    }
    if (isSilent(token)) {
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
    isWeighty: run.some((one) => isWeighty(one) && !isSilent(one)),
  }));
}

function isSilent({ kind, low }: Token): boolean {
  return kind === 'mark' ? !/[\p{L}\p{N}]/u.test(low) : kind === 'word' && fillers.has(low);
}
