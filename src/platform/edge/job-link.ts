import { type Static, Type } from 'typebox';
import { missionStates } from '#src/governance/missions/mission-states.ts';
import { jobPath } from '#src/jobs/model/job-view.ts';
import { type State, states } from '#src/jobs/model/states.ts';

/** State of a job or a mission. */
const WorkState = (description: string) =>
  Type.Enum([...new Set([...states, ...missionStates])], { title: 'WorkState', type: 'string', description });

/** Members of every `job` of an answer, whatever work it names; media add the rest of a job, missions their times. */
export const JobLink = Type.Object(
  {
    id: Type.String({ description: 'Names the work, for ever' }),
    kind: Type.Enum(['job', 'mission'], { type: 'string', description: 'Says which of the two it is' }),
    state: WorkState('Status of the work'),
    status: WorkState('The same as `state`'),
    url: Type.String({ pattern: '^/', description: 'Path at which it can be read' }),
  },
  { title: 'JobLink', description: 'The work that an answer came of' },
);
export type JobLink = Static<typeof JobLink>;

export function jobLink(id: string, state: State): JobLink {
  return { id, kind: 'job', state, status: state, url: jobPath(id) };
}

export function missionLink<S extends (typeof missionStates)[number]>(id: string, state: S) {
  return { id, kind: 'mission' as const, state, status: state, url: `/api/v1/missions/${id}` };
}
