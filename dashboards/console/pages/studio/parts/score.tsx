import { Tooltip } from '@mantine/core';
import classes from './score.module.css';

interface Props {
  /** 0 to 1, higher is better. */
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** Score by which a provider was chosen, with its parts. */
export function Score({ score, parts }: Props) {
  const told = Object.entries(parts)
    .map(([name, part]) => `${name} ${part.toFixed(2)}`)
    .join(' · ');
  return (
    <Tooltip label={told}>
      <span className={classes['score']}>
        <span className={classes['bar']} aria-hidden="true">
          <span style={{ width: `${Math.round(score * 100)}%` }} />
        </span>
        {score.toFixed(2)}
        <span className="only-heard">: {told}</span>
      </span>
    </Tooltip>
  );
}
