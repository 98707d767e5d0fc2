import type { Approval } from '#console/pages/studio/parts/studio-types.ts';
import { Icon } from '#console/ui/icon.tsx';
import { canonicalDigest } from './canonical-digest.ts';
import classes from './effect-digest.module.css';

/** Checks that the shown effect is the one that the decision is bound to: computed here, whatever the service says. */
export function isAsShown({ effect, effectSha256 }: Pick<Approval, 'effect' | 'effectSha256'>): boolean {
  return canonicalDigest(effect) === effectSha256;
}

/** The effect as it is hashed, and whether its digest is right. */
export function EffectDigest({ approval }: { readonly approval: Approval }) {
  const isRight = isAsShown(approval);
  return (
    <details className={classes['digest']}>
      <summary>
        <span className={classes['verdict']} data-right={isRight}>
          <Icon name={isRight ? 'check' : 'alert'} size={14} />
          {isRight
            ? 'Its digest was checked in this browser'
            : 'Its digest is not that of what is shown: do not grant it'}
        </span>
      </summary>
      <p className="mono">{approval.effectSha256}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} role="region" aria-label="effect as it is hashed">
        {JSON.stringify(approval.effect, null, 2)}
      </pre>
    </details>
  );
}
