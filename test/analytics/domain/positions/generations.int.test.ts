import { expect, test } from 'vitest';
import { generationNames, generationOf } from '#src/analytics/domain/positions/dealer-positions.ts';
import { market } from '#test/analytics/market.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
interface Operation {
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
}

/** Routes that are followed, not read: asked for once with a generation they have not. */
const streams = new Set(['/v1/stream/{symbol}', '/v1/alerts']);

test('every route of the analytics serves the generation it is asked for, or refuses it with a sentence', {
  timeout: 240_000,
}, async () => {
  await using api = await market();
  await api.feed('SPX');
  const { headers } = await api.key();
  const { paths } = (await api.app.inject('/v1/openapi.json')).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  const routes = Object.entries(paths).filter(([, { get }]) => get?.tags?.includes('analytics'));
  expect(routes.length).toBeGreaterThan(35);
  const [served, refused]: [string[], string[]] = [[], []];
  for (const [path, { get }] of routes) {
    const wants = (get?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
    const query = wants.includes('symbol') ? '?symbol=SPX&' : '?';
    const address = `${path.replace('{symbol}', 'SPX')}${query}generation=`;
    if (streams.has(path)) {
      const answer = await api.call('GET', `${address}2`, headers);
      expect(answer, path).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      refused.push(path);
      continue;
    }
    const answers = [];
    for (const name of generationNames) answers.push(await api.call('GET', `${address}${name}`, headers));
    const [first, second, third, ensemble] = answers;
    if (second?.status === 400) {
      for (const answer of [second, third, ensemble])
        expect(answer, path).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(second.body.detail, path).toMatch(
        /^query(\.generation: expected "1", got|: expected (one of .+|no parameters), got "generation")/,
      );
      refused.push(path);
      continue;
    }
    expect(wants, path).toContain('generation');
    for (const [i, name] of generationNames.entries())
      expect(answers[i], `${path} ${name}`).toMatchObject({ status: 200, body: { generation: generationOf(name) } });
    // without a tape there is no inventory of trades, and the ensemble is the prior
    expect(third?.body, path).toMatchObject({ status: 'no_trade_tape', data: null });
    // an overlay without tapes measures nothing under any generation
    if (second?.body.status !== 'no_tapes') expect(second?.body.data, path).not.toEqual(first?.body.data);
    served.push(path);
  }
  expect(refused).toEqual(expect.arrayContaining(['/v1/signals/{symbol}', '/v1/surface', '/v1/history/levels']));
  expect(served).toEqual(expect.arrayContaining(['/v1/gex/{symbol}', '/v1/levels', '/v1/charm/{symbol}/schedule']));
});
