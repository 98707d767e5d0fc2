import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './queue.ts';
import { seeded } from './random.ts';
import { withholdAdds } from './withhold.ts';

/** A worker process of the chaos test: 2 % of its broker adds are lost. */
const [seed = '1'] = process.argv.slice(2);
const chaos = { name: 'chaos', handlers, module: new URL('./queue.ts', import.meta.url) };
await runFleetProcess(chaos, (context) => void withholdAdds(context, seeded(Number(seed)), 0.02));
