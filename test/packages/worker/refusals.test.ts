import { defineJob, serve } from '@proofline/worker';
import { expect, test } from 'vitest';
import { type Fault, protocolServer } from './protocol-server.ts';
import { serving } from './serving.ts';

const job = defineJob({ name: 'acme.echo', payload: true, run: ({ payload }) => payload });

test('error: a contract that does not fit the one before is refused with the sentence of the server', async () => {
  const detail =
    'expected a contract that every payload of before fits, got one that lacks /width: register it as version 2.';
  await using server = await protocolServer(({ kind }): Fault | undefined =>
    kind === 'contract'
      ? { status: 409, code: 'incompatible_contract', detail, details: { path: '/width', version: 1, next: 2 } }
      : undefined,
  );
  await expect(serving(server, [job]).ended).rejects.toMatchObject({
    code: 'incompatible_contract',
    message: detail,
    details: { path: '/width', version: 1, next: 2 },
  });
  expect(server.callsOf('register')).toEqual([]);
});

test.each(['register', 'poll', 'report'] as const)(
  'error: a key that may not %s ends the worker with the reason',
  async (kind) => {
    await using server = await protocolServer((call): Fault | undefined =>
      call.kind === kind
        ? { status: 403, code: 'forbidden', detail: 'expected a key with scope jobs.work' }
        : undefined,
    );
    server.submit('acme.echo');
    await expect(serving(server, [job]).ended).rejects.toMatchObject({
      code: 'forbidden',
      message: 'expected a key with scope jobs.work',
    });
  },
);

test('a key that registers no contracts serves where they are registered', async () => {
  await using server = await protocolServer(({ kind }): Fault | undefined =>
    kind === 'contract' ? { status: 403, code: 'forbidden' } : undefined,
  );
  const one = server.submit('acme.echo', 'x');
  await using _worker = serving(server, [job], { register: false });
  expect(await server.ended(one)).toMatchObject({ result: 'x' });
});

test('error: wrong options are refused before anything is sent', async () => {
  const access = { url: 'http://127.0.0.1:1', key: 'k', stopOn: [] };
  const newer = defineJob({
    ...job,
    version: 2,
    payload: true,
    upcasts: [{ from: 1, upcast: (n: number) => n }],
    run: () => 1,
  } as never);
  await expect(serve([], access)).rejects.toThrow('expected at least one job to serve, got none.');
  await expect(serve([job, newer], access)).rejects.toThrow('expected each version of acme.echo once, got 1, 2, 1.');
  const gap = defineJob({
    name: 'acme.gap',
    version: 3,
    payload: true,
    upcasts: [{ from: 1, upcast: (n: number) => n }],
    run: () => 1,
  });
  await expect(serve([gap], access)).rejects.toThrow('upcasts of acme.gap: expected one from each of 2, got 1.');
  await expect(serve([job], { ...access, drain: 'soon' as never })).rejects.toThrow(/expected a length of time/);
  await expect(serve([job], { ...access, url: '' })).rejects.toThrow(/^url: expected the address of the API/);
  await expect(serve([job], { ...access, key: '' })).rejects.toThrow(/^key: expected a key of the API/);
});
