import { expect, test } from 'vitest';
import { marketDay } from '#src/analytics/history/history-bounds.ts';
import { csvOf, market } from '#test/analytics/market.ts';
import { questionsOn } from '#test/analytics/questions.ts';
import { remember } from '#test/analytics/snapshots.ts';

const at = (value: any, path: string) => path.split('.').reduce((member, key) => member?.[key], value) ?? null;
const patient = { timeout: 240_000 };

test(
  'each question of the table is answered by the field that a route gives, or refused with what is missing',
  patient,
  async () => {
    await using api = await market();
    const { headers } = await api.key();
    // of other chains than the history, so that a figure of today is never one of the past
    await Promise.all([api.feed('SPX', csvOf('SPX', 5)), api.feed('QQQ'), api.feed('RUT'), api.feed('SPY')]);
    const today = marketDay();
    await remember(
      api.context,
      [5, 3, 2, 1].map((days) => `${Temporal.PlainDate.from(today).subtract({ days }).toString()}T18:00:00Z`),
    );
    const rows = questionsOn(today);
    expect(rows.length).toBeGreaterThanOrEqual(60);
    const wrong: string[] = [];
    for (const [question, route, path, body] of rows) {
      const answer = await api.call('POST', '/v1/oracle/query', headers, { question });
      const { status, data } = answer.body;
      const told = `${question} → ${answer.status} ${status}: ${data?.answer ?? JSON.stringify(answer.body)}`;
      if (route instanceof RegExp) {
        if (answer.status !== 200 || status === 'ok' || !route.test(data.answer)) wrong.push(told);
        continue;
      }
      const truth =
        body === undefined ? await api.call('GET', route, headers) : await api.call('POST', route, headers, body);
      const value = typeof path === 'function' ? path(truth.body.data) : at(truth.body.data, path!);
      const cited = (data?.citations ?? []).map((one: { value: number }) => one.value);
      // a finite difference of a surface is near the derivative, all else is the same number
      const isNear = cited.some(
        (one: number) =>
          one === value || (typeof path === 'function' && Math.abs(one - value!) < 1e-3 * Math.abs(value)),
      );
      if (value === null ? status === 'ok' : !isNear || status !== truth.body.status)
        wrong.push(`${told} (expected ${value}, ${truth.body.status})`);
      if (data?.citations?.length > 0 && !/as of \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC, synthetic market/.test(data.answer))
        wrong.push(`no standing: ${told}`);
    }
    expect(wrong).toEqual([]);
  },
);
