import classes from './loading.module.css';

/** Something is on its way. It shows only after a moment: most things are faster. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <output className={classes['loading']} data-loading>
      <span className={classes['bar']} aria-hidden="true" />
      <span className="only-heard">Loading {what}</span>
    </output>
  );
}
