import { expect, test } from 'vitest';
import { jobText, type TimelineAnswer } from '#src/commands/jobs/jobs-text.ts';
import { fence } from '#test/http/workers/remote.ts';
import { count, double, type FlowApi, flowApi, usual } from './flow-api.ts';

const timelineOf = async (api: FlowApi, id: string) => (await api.call('GET', `/v1/jobs/${id}/timeline`)).json();

test('a job of a flow says which job of which node of which flow it is, and the timeline of the flow which each of its jobs is', async () => {
  await using api = await flowApi();
  const id = await api.flow([count, double], { name: 'doubles' });
  {
    await using _worker = await api.work({ 'acme.count-up': usual['acme.count-up']! });
    await expect.poll(async () => (await api.read(id)).nodes[1].total).toBe(5);
  }
  await expect.poll(async () => (await timelineOf(api, id)).children).toHaveLength(6);
  const { children: found, parent } = await timelineOf(api, id);
  // those of one moment have no order
  const children = found.toSorted(
    (one: any, other: any) => one.node.localeCompare(other.node) || one.item - other.item,
  );
  expect(parent).toBeNull();
  const places = children.map(({ node, item, step }: any) => [node, item, step]);
  expect(places).toEqual([['count', 0, null], ...[0, 1, 2, 3, 4].map((item) => ['double', item, null])]);

  const third = children[3].id;
  const told = {
    id,
    queue: 'flows.run',
    state: 'waiting',
    name: 'doubles',
    node: 'double',
    item: 2,
    jobs: 5,
    step: null,
  };
  const [job, timeline] = [await api.job(third), await timelineOf(api, third)];
  expect([job.parent, timeline.parent]).toEqual([told, told]);
  expect((await api.job(id)).parent).toBeUndefined();
  expect(jobText(job, timeline as TimelineAnswer)).toMatch(
    new RegExp(`^parent +${id} \\(flow doubles, node double\\[2\\], one of 5\\)$`, 'm'),
  );
  expect(jobText(await api.job(id), (await timelineOf(api, id)) as TimelineAnswer)).toMatch(
    new RegExp(`^ +${third} +acme.double-number +queued +node double\\[2\\]$`, 'm'),
  );
});

test('a child of a job with steps says the name that its parent gave it', async () => {
  await using api = await flowApi(false);
  const worker = await api.worker();
  const id = await api.submit(1);
  const [parent] = await worker.take();
  const child = { name: 'small', after: 0, queue: 'acme.resize-image', payload: { width: 2 } };
  const [made] = (await worker.report({ ...fence(parent!), type: 'submit', ...child })) as unknown as {
    child: string;
  }[];
  const told = { id, queue: 'acme.resize-image', state: 'running', name: null, node: null, item: null, jobs: null };
  expect((await api.job(made!.child)).parent).toEqual({ ...told, step: 'small' });
  expect((await timelineOf(api, id)).children).toMatchObject([{ id: made!.child, step: 'small', node: null }]);
});
