import { Icon } from '#console/ui/icon.tsx';
import classes from './warnings.module.css';

/** Remarks of the service on what it did. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className={classes['warnings']}>
      {warnings.map((warning) => (
        <li key={warning}>
          <Icon name="alert" size={15} />
          <span>{warning}</span>
        </li>
      ))}
    </ul>
  );
}
