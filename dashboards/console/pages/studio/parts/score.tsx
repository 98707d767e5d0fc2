import { Tooltip } from '@mantine/core';
import classes from './score.module.css';

interface Props {
  /** 0 to 1, higher is better. */
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

/** Score by which a provider was chosen, with its parts. */
export function Score({ score, parts }: Props) {
  const breakdown = Object.entries(parts)
    .map(([name, part]) => `${name} ${part.toFixed(2)}`)
    .join(' · ');
  return (
    <Tooltip label={breakdown}>
      <span className={classes['score']}>
        <span className={classes['bar']} aria-hidden="true">
          <span style={{ width: `${Math.round(score * 100)}%` }} />
        </span>
        {score.toFixed(2)}
        <span className="only-heard">: {breakdown}</span>
      </span>
    </Tooltip>
  );
}
