import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { tool } from '#src/mcp/model/tool.ts';

const strict = { additionalProperties: false };

/** Waits for ever, and tells the test when it began and when it was stopped. */
export function waitingTool() {
  const began = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const waiting = tool({
    name: 'trial_wait',
    title: 'Wait',
    description: 'Waits until it is stopped.',
    surface: 'missions',
    scope: null,
    input: Type.Object({}, strict),
    output: Type.Object({ stopped: Type.Boolean() }, strict),
    hints: { readOnlyHint: true },
    run: async ({ context }, { signal, progress }) => {
      progress('waiting');
      began.resolve();
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      stopped.resolve();
      // what is asked once more before the answer takes its time
      await context.redis.ping();
      return { output: { stopped: true } };
    },
  });
  return { waiting, began: began.promise, stopped: stopped.promise };
}

/** Counts with progress, answers with a link, and says who called. */
export const counting = tool({
  name: 'trial_count',
  title: 'Count',
  description: 'Counts to a number.',
  surface: 'missions',
  scope: 'platform.mcp.read',
  input: Type.Object({ to: Type.Integer({ minimum: 0, maximum: 10, default: 3 }) }, strict),
  output: Type.Object({ counted: Type.Integer(), owner: Type.String(), base: Type.String() }, strict),
  hints: { readOnlyHint: true },
  run: async (_on, { input: { to }, principal, base, progress }) => {
    for (let n = 1; n <= to; n++) progress(`${n} of ${to}`);
    const link = { uri: 'receipt://1', name: 'one', description: 'A receipt' };
    return { output: { counted: to, owner: principal.owner, base: base('missions') }, links: [link] };
  },
});

export const failing = tool({
  name: 'trial_fail',
  title: 'Fail',
  description: 'Fails, in one of three ways.',
  surface: 'missions',
  scope: 'platform.mcp.execute',
  input: Type.Object({ how: Type.Enum(['ours', 'bug', 'shape'], { type: 'string' }) }, strict),
  output: Type.Object({ fine: Type.Boolean() }, strict),
  hints: {},
  run: async (_on, { input: { how } }) => {
    if (how === 'ours')
      throw new AppError('state_conflict', 'expected a planned mission, got one that is sealed.', { state: 'sealed' });
    if (how === 'bug') throw new Error('secret: /etc/passwd');
    return { output: { fine: 'no' as never } };
  },
});
