import { answer, ask, backfill, fit, stress, study, take, tick } from './analytics.ts';
import type { QueueContract } from './define.ts';
import { flowQueue } from './flows.ts';
import { act } from './jobs.ts';
import { anchor, missionExecute } from './missions.ts';
import { batch, deliver, notify, respond } from './platform.ts';
import { generate } from './providers.ts';
import { publish, render } from './studio.ts';

const all: readonly QueueContract[] = [
  render,
  publish,
  generate,
  respond,
  batch,
  missionExecute,
  anchor,
  fit,
  ask,
  stress,
  study,
  take,
  tick,
  backfill,
  answer,
  notify,
  act,
  deliver,
  flowQueue,
];

/** Every queue by its name. A queue that is not listed here does not exist. */
export const queues: ReadonlyMap<string, QueueContract> = new Map(all.map((queue) => [queue.name, queue]));
