import classes from './step-chain.module.css';
import type { PlanStep } from './studio-types.ts';
import { capabilityTitle } from './words.ts';

type Step = Pick<PlanStep, 'step' | 'capability' | 'after' | 'request'>;

/** Steps in their order, each with what it makes and from what. */
export function StepChain({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className={classes['steps']}>
      {steps.map(({ step, capability, after, request }) => (
        <li key={step}>
          <span className={classes['what']}>{capabilityTitle(capability)}</span>
          <span className={classes['more']}>{shapeOf(request)}</span>
          {after.length > 0 && <span className={classes['more']}>from {after.join(', ')}</span>}
        </li>
      ))}
    </ol>
  );
}

/** `9:16 · 720p · 6 s`, as far as it is requested. */
export function shapeOf({ aspect, resolution, seconds, count }: Step['request']): string {
  return [
    count !== undefined && count > 1 ? `${count} ×` : null,
    aspect,
    resolution === undefined ? null : `${resolution}p`,
    seconds === undefined ? null : `${seconds} s`,
  ]
    .filter((part) => part !== null && part !== undefined)
    .join(' · ');
}
