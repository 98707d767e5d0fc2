import type { Job } from './use-job.ts';

interface Place {
  readonly label: string;
  readonly href: string;
}

/** Other pages of the console that show a job's work to its owner; others find nothing there. */
const places: Readonly<Record<string, (job: Job) => Place | null>> = {
  'studio.render': ({ id }) => ({ label: 'Open its render', href: `/studio/jobs/${id}` }),
  'studio.publish': ({ id }) => ({ label: 'Open its publication', href: `/studio/jobs/${id}` }),
  'flows.run': ({ id }) => ({ label: 'Open its flow', href: `/flows/${id}` }),
  'missions.execute': ({ payload }) => {
    const mission = idIn(payload, 'missionId');
    return mission === null ? null : { label: 'Open its mission', href: `/missions/${mission}` };
  },
};

export function placeOf(job: Job): Place | null {
  return places[job.queue]?.(job) ?? null;
}

function idIn(payload: unknown, name: string): string | null {
  if (typeof payload !== 'object' || payload === null || !(name in payload)) return null;
  const { [name]: id } = payload as Readonly<Record<string, unknown>>;
  return typeof id === 'string' ? id : null;
}
