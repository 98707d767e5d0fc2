import type { Client, JobType } from '@proofline/client';
import { expect, expectTypeOf, test } from 'vitest';

declare module '@proofline/client' {
  interface Queues {
    'acme.typed': { payload: { url: string }; result: { bytes: number }; progress: unknown };
  }
}

const resize: JobType<{ width: number }, { url: string }, 'acme.resize'> = { name: 'acme.resize' };

// what the compiler says of these lines is the test: nothing is called
async function use(client: Client): Promise<void> {
  const job = await client.submit(resize, { width: 1 });
  expectTypeOf(await job.result()).toEqualTypeOf<{ url: string }>();
  // @ts-expect-error the payload of the definition has a width
  await client.submit(resize, { url: 'x' });

  const named = await client.submit('acme.typed', { url: 'x' });
  expectTypeOf(await named.result()).toEqualTypeOf<{ bytes: number }>();
  // @ts-expect-error the registered queue takes a url
  await client.submit('acme.typed', { width: 1 });

  const other = await client.submit('acme.other', [1, 2]);
  expectTypeOf(await other.result()).toEqualTypeOf<unknown>();

  client.bulk([{ queue: 'acme.typed', payload: { url: 'x' } }]);
  // @ts-expect-error the same holds in a bulk
  client.bulk([{ queue: 'acme.typed', payload: { width: 1 } }]);
  client.bulk([{ queue: 'acme.other', payload: 1, priority: 5 }]);
  expectTypeOf(await client.job<{ n: number }>('id').result()).toEqualTypeOf<{ n: number }>();
}

test('types follow the definition, or the queue by its name', () => {
  expect(use).toBeInstanceOf(Function);
});
