import classes from './scope-list.module.css';
import { scopeGroups } from './scopes.ts';

const every = scopeGroups.flatMap(({ scopes }) => scopes).length;

/** Scopes of a key, short. */
export function ScopeList({ scopes }: { readonly scopes: readonly string[] }) {
  const shown = scopes.length === every ? ['everything'] : scopes;
  return (
    <div className={classes['list']}>
      {shown.map((scope) => (
        <span key={scope} className={classes['scope']}>
          {scope}
        </span>
      ))}
    </div>
  );
}
