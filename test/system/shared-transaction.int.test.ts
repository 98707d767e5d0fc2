import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTransaction } from '#src/system/shared-transaction.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';

let system: QuietSystem;
beforeAll(async () => {
  system = await quietSystem();
  await system.context.db.query(sql.unsafe`create table kept (id int primary key, text jsonb)`);
});
afterAll(async () => await system[Symbol.asyncDispose]());

interface Item {
  readonly id: number;
  readonly text: string;
}

/** Keeps items, and notes which came together. */
function keeper() {
  const batches: (readonly number[])[] = [];
  const keep = sharedTransaction<Item, number, readonly number[]>(system.context, {
    size: 10,
    work: async (tx, items) => {
      batches.push(items.map(({ id }) => id));
      for (const { id, text } of items) {
        if (text === 'refused') throw new Error(`${id} is refused`);
        await tx.query(sql.unsafe`insert into kept (id, text) values (${id}, ${text}::jsonb)`);
      }
      return items.map(({ id }) => id);
    },
    answer: async (ids) => ids.map((id) => id * 2),
  });
  return { batches, keep };
}

const keptIds = async () =>
  (await system.context.db.anyFirst(sql.unsafe`select id from kept order by id`)) as readonly number[];

test('what is asked for at one moment is one transaction, and each gets its own answer', async () => {
  const { batches, keep } = keeper();
  expect(await Promise.all([1, 2, 3].map((id) => keep({ id, text: '{}' })))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test('one that is refused, by the work or by Postgres, does not fail the others, and leaves nothing', async () => {
  const { batches, keep } = keeper();
  const items = [
    { id: 11, text: '{}' },
    { id: 12, text: 'refused' },
    { id: 13, text: 'no JSON' },
    { id: 14, text: '{}' },
  ];
  const settled = await Promise.allSettled(items.map(keep));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(settled[1]).toMatchObject({ reason: { message: '12 is refused' } });
  expect(batches).toEqual([[11, 12, 13, 14], [11], [12], [13], [14]]);
  expect(await keptIds()).toEqual([1, 2, 3, 11, 14]);
});
