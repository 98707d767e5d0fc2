import { pino } from 'pino';
import { expect, test } from 'vitest';
import { watchPostgres } from '#src/system/postgres/postgres-watch.ts';
import { testDatabase } from '#test/helpers/database.ts';
import { until } from '#test/helpers/processes.ts';
import { silentProxy } from '#test/helpers/servers/silent-proxy.ts';

test('one question of the watch that stays without an answer ends no statement; two in a row end all', async () => {
  await using database = await testDatabase();
  await using line = await silentProxy(database.url);
  const log = pino({ level: 'silent' });
  using watch = watchPostgres(log, line.url);
  const ended: Error[] = [];
  const cut = Promise.withResolvers<Error>();
  const unfollow = watch.follow({
    pid: null,
    cut: (error) => {
      ended.push(error);
      cut.resolve(error);
    },
  });
  line.silenceNext();
  // the first is lost; the second has its answer, since a third follows it only then
  await until(() => line.opened() >= 3);
  expect(ended).toEqual([]);
  expect(() => watch.assertAnswers()).not.toThrow();
  line.silence();
  expect((await cut.promise).message).toMatch(/was given up: no answer comes$/);
  expect(() => watch.assertAnswers()).toThrow('no answer comes');
  unfollow();
  line.resume();
  await until(() => {
    try {
      watch.assertAnswers();
      return true;
    } catch {
      return false;
    }
  });
});
