import { Link, useLocation } from 'wouter';
import { Icon } from '#console/ui/icon.tsx';
import classes from './navigation.module.css';
import { routes } from './routes.ts';

/** Links to the pages. The page that is open, and what is below it, is marked. */
export function Navigation({ onGo }: { readonly onGo: () => void }) {
  const [path] = useLocation();
  return (
    <nav aria-label="Pages">
      <ul className={classes['list']}>
        {routes.map(({ path: pattern, entry }) => {
          if (!entry) return null;
          const href = pattern.replace(/\/[:*].*$/, '');
          const isHere = href === '/' || href === '' ? path === '/' : path === href || path.startsWith(`${href}/`);
          return (
            <li key={pattern}>
              <Link href={href} onClick={onGo} className={classes['entry']} aria-current={isHere ? 'page' : undefined}>
                <Icon name={entry.icon} />
                {entry.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
