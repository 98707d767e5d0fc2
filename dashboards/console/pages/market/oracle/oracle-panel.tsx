import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { Panel } from '#console/ui/panel.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { OracleReply } from './oracle-answer.tsx';
import classes from './oracle-panel.module.css';
import { useOracle } from './use-oracle.ts';

const MOST = 2_000;

const suggestions = (symbol: string, isFollowUp: boolean) =>
  isFollowUp
    ? ['And if it drops 3%?', 'How certain is that?', 'And QQQ?']
    : [
        `Where is the gamma flip of ${symbol}?`,
        `What happens to ${symbol} dealers if ${symbol} drops 3% and vol rises 10?`,
        `What will charm do to ${symbol} until the close?`,
      ];

/** Questions in words, answered from the analyses, with the source of each number. */
export function OraclePanel({ symbol }: ViewProps) {
  const [question, setQuestion] = useState('');
  const { turns, isAsking, ask, restart } = useOracle(symbol);
  const send = (text: string) => {
    const trimmed = text.trim();
    if (trimmed === '' || isAsking) return;
    ask(trimmed);
    setQuestion('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(question);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send(question);
  };
  return (
    <Panel
      title={`Ask about ${symbol}`}
      aside={
        turns.length > 0 && (
          <Button variant="default" onClick={restart} disabled={isAsking}>
            New conversation
          </Button>
        )
      }
    >
      <div role="log" aria-label="Conversation">
        {turns.map(({ key, question: heading, answer, error }) => (
          <article key={key} className={classes['turn']}>
            <h3 className={classes['question']}>{heading}</h3>
            {answer && <OracleReply answer={answer} />}
            {error && <Fault error={error} />}
            {!answer && !error && <Loading what="the answer" />}
          </article>
        ))}
      </div>
      <div className={classes['suggestions']}>
        {suggestions(symbol, turns.length > 0).map((text) => (
          <Button key={text} variant="default" radius="xl" disabled={isAsking} onClick={() => send(text)}>
            {text}
          </Button>
        ))}
      </div>
      <form onSubmit={submit} className={classes['form']}>
        <Textarea
          label={turns.length > 0 ? 'Follow up' : 'Question'}
          autosize
          minRows={2}
          maxLength={MOST}
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
          onKeyDown={press}
        />
        <p className={classes['foot']}>Every number of an answer names the figure it was read from. Enter asks.</p>
        <Button type="submit" disabled={question.trim() === ''} aria-disabled={isAsking}>
          Ask
        </Button>
      </form>
    </Panel>
  );
}
