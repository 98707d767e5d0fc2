import { threadTask } from '#src/lib/async/thread-task.ts';
import { AppError } from '#src/lib/errors.ts';

interface Task {
  readonly do: 'sum' | 'spin' | 'refuse' | 'throw' | 'exit' | 'grow';
  readonly numbers?: Float64Array;
  readonly busy?: Int32Array;
}

const kept: number[][] = [];

const tasks: Record<Task['do'], (task: Task) => unknown> = {
  sum: ({ numbers = new Float64Array() }) => {
    const sum = numbers.reduce((total, number) => total + number, 0);
    numbers[0] = -1;
    return sum;
  },
  spin: ({ busy = new Int32Array(1) }) => {
    for (;;) Atomics.add(busy, 0, 1);
  },
  refuse: () => {
    throw new AppError('invalid_chain', 'told to refuse', { field: 'spot' });
  },
  throw: () => {
    throw new RangeError('a bug');
  },
  exit: () => process.exit(7),
  grow: () => {
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => index));
  },
};

export default threadTask((task: Task) => tasks[task.do](task));
