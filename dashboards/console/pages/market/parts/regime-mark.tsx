import { none, words } from '#src/lib/charts/figures.ts';
import classes from './regime-mark.module.css';

/** Effect of dealers on moves in each regime. */
const effects: Readonly<Record<string, string>> = {
  strong_positive: 'damps moves strongly',
  positive: 'damps moves',
  transition: 'between the two',
  negative: 'amplifies moves',
  strong_negative: 'amplifies moves strongly',
};

/** A regime, and what it means for moves. */
export function RegimeMark({
  state,
  brief = false,
}: {
  readonly state: string | null | undefined;
  readonly brief?: boolean;
}) {
  if (!state) return <>{none}</>;
  const side = state.endsWith('positive') ? 'plus' : state.endsWith('negative') ? 'minus' : 'between';
  return (
    <span className={classes['mark']} data-side={side}>
      {words(state)}
      {!brief && <span className="quiet">, {effects[state]}</span>}
    </span>
  );
}
