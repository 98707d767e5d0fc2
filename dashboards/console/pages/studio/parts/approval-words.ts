import type { Approval } from './studio-types.ts';

/** Words for each kind of approval: its page, the question before a grant, and the page of its job. */
export const approvalWords: Readonly<
  Record<Approval['kind'], { readonly title: string; readonly question: string; readonly jobs: string }>
> = {
  render: { title: 'Approval of a render', question: 'Allow this render?', jobs: '/studio/jobs' },
  publish: { title: 'Approval of a publication', question: 'Allow this publication?', jobs: '/studio/jobs' },
  job: { title: 'Approval of a job', question: 'Allow this job?', jobs: '/jobs' },
};
