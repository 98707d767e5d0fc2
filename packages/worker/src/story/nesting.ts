import { AsyncLocalStorage } from 'node:async_hooks';
import { JobError } from '../errors/job-error.ts';

/** The function of a step or an effect that runs. */
interface Open {
  /** The story that it belongs to. */
  readonly story: symbol;
  readonly name: string;
  isOpen: boolean;
}

/** Function around a call, in whichever of several branches it is made. */
const around = new AsyncLocalStorage<Open>();

/** Knows which calls of one story are made inside the function of one of its steps or effects. */
export interface Nesting {
  /** Runs the function of a step or an effect. */
  readonly within: <T>(name: string, run: () => T | Promise<T>) => Promise<T>;
  /** @throws JobError `step_nested` inside a function that still runs */
  readonly assertOutside: (name: string) => void;
}

export function openNesting(): Nesting {
  const story = Symbol('story');
  return {
    within: async (name, run) => {
      const open: Open = { story, name, isOpen: true };
      try {
        return await around.run(open, run);
      } finally {
        open.isOpen = false;
      }
    },
    assertOutside: (name) => {
      const open = around.getStore();
      if (open?.isOpen === true && open.story === story) throw nested(name, open.name);
    },
  };
}

function nested(name: string, outer: string): JobError {
  return new JobError(
    'step_nested',
    `The step ${name} was asked for inside ${outer}: no step holds another one, so ask for it before or behind.`,
    { retryable: false, details: { name, inside: outer } },
  );
}
