import { useState } from 'react';
import { type Answer, call } from '#console/api/client.ts';
import type { MarketSymbol } from '#console/pages/market/parts/symbols.ts';

export type OracleAnswer = Answer<'POST /v1/oracle/query'>;

/** A question, and what came of it; neither while it is being answered. */
export interface Turn {
  readonly key: number;
  readonly question: string;
  readonly answer: OracleAnswer | null;
  readonly error: Error | null;
}

export interface Oracle {
  readonly turns: readonly Turn[];
  readonly isAsking: boolean;
  readonly ask: (question: string) => void;
  readonly restart: () => void;
}

/** A conversation: a follow-up may leave out what the question before it named. */
export function useOracle(symbol: MarketSymbol): Oracle {
  const [session, setSession] = useState(newSession);
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const isAsking = turns.some(({ answer, error }) => !answer && !error);
  const ask = (question: string) => {
    const key = turns.length;
    const end = (part: Partial<Turn>) =>
      setTurns((before) => before.map((turn) => (turn.key === key ? { ...turn, ...part } : turn)));
    setTurns([...turns, { key, question, answer: null, error: null }]);
    call('POST /v1/oracle/query', { body: { question, symbol, session } }).then(
      (answer) => end({ answer }),
      (reason: unknown) => end({ error: reason instanceof Error ? reason : new Error(String(reason)) }),
    );
  };
  const restart = () => {
    setTurns([]);
    setSession(newSession());
  };
  return { turns, isAsking, ask, restart };
}

function newSession(): string {
  return `console-${crypto.randomUUID()}`;
}
