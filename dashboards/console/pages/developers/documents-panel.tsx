import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import classes from './documents-panel.module.css';
import { documents } from './surfaces.ts';

/** Links to the descriptions of the APIs. */
export function DocumentsPanel() {
  return (
    <Panel title="Descriptions">
      <ul className={classes['list']}>
        {documents.map(({ title, path, about }) => (
          <li key={path}>
            <a href={path} target="_blank" rel="noreferrer">
              <span className={classes['title']}>{title}</span>
              <span className={classes['about']}>{about}</span>
              <Icon name="external" size={14} />
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
