import { expect, test } from 'vitest';
import { parseQuestion } from '#src/analytics/domain/oracle/question-parser.ts';
import { oracleTools } from '#src/analytics/domain/oracle/tools.ts';

test('a follow-up takes what it leaves out from the question before, and nothing where it names neither', () => {
  const before = { symbols: ['QQQ'], tools: ['levels'] } as const;
  const calls = (question: string) => {
    const plan = parseQuestion(question, oracleTools, '2026-11-21', { before });
    return plan.answerable ? plan.calls.map(({ tool, arguments: given }) => ({ tool, arguments: given })) : plan.reason;
  };
  const levels = (symbol: string) => [{ tool: 'levels', arguments: { symbol } }];
  expect(calls('and for SPY?')).toEqual(levels('SPY'));
  expect(calls('what about now?')).toEqual(levels('QQQ'));
  expect(calls('what is the net gamma?')).toEqual([{ tool: 'gex', arguments: { symbol: 'QQQ' } }]);
  expect(calls('if it drops 3%?')).toMatchObject([{ tool: 'portfolio_stress', arguments: { symbols: ['QQQ'] } }]);
  expect(calls('what is the weather?')).toBe('outside_domain');
  expect(calls('gex of SPX')).toEqual([{ tool: 'gex', arguments: { symbol: 'SPX' } }]);
});

test('what is held goes to the portfolio tools that take it, and to no other', () => {
  const portfolio = { symbols: ['SPX', 'IWM'], weights: [3, 1], lower: [0, 0.2] } as const;
  const calls = (question: string) => {
    const plan = parseQuestion(question, oracleTools, '2026-11-21', { portfolio });
    return plan.answerable ? plan.calls.map(({ tool, arguments: given }) => ({ tool, arguments: given })) : plan.reason;
  };
  const { symbols, weights, lower } = portfolio;
  expect(calls('rebalance my portfolio')).toEqual([{ tool: 'portfolio_optimize', arguments: { symbols, lower } }]);
  expect(calls('analyse my portfolio')).toEqual([{ tool: 'portfolio_analyze', arguments: { symbols, weights } }]);
  expect(calls('what if it drops 5%')).toEqual([
    { tool: 'portfolio_stress', arguments: { symbols, weights, scenarios: [{ spot_shock_pct: -5 }] } },
  ]);
  expect(calls('call wall of QQQ')).toEqual([{ tool: 'levels', arguments: { symbol: 'QQQ' } }]);
  expect(calls('call wall')).toEqual(symbols.map((symbol) => ({ tool: 'levels', arguments: { symbol } })));
});
