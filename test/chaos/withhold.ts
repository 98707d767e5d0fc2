import { openBroker } from '#src/jobs/broker/broker.ts';
import type { Context } from '#src/system/context.ts';
import type { Random } from './random.ts';

/** Loses a share of this process' broker adds, as a crash between commit and add would. The audit's own are not touched. */
export function withholdAdds(context: Context, random: Random, share: number): { readonly withheld: () => number } {
  const broker = openBroker(context);
  const { add } = broker;
  let withheld = 0;
  // every caller asks for the broker of its context at each use, so what is put here is what they call
  Object.assign(broker, {
    add: (entry: Parameters<typeof add>[0]) => {
      if (random.chance(share)) withheld++;
      else add(entry);
    },
  });
  return { withheld: () => withheld };
}
