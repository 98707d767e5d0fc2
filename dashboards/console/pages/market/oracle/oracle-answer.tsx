import { Fragment, useId } from 'react';
import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { none, words } from '#src/lib/charts/figures.ts';
import classes from './oracle-panel.module.css';
import type { OracleAnswer } from './use-oracle.ts';

/** An answer of which every number leads to the figure it was read from. */
export function OracleReply({ answer }: { readonly answer: OracleAnswer }) {
  const id = useId();
  const { data } = answer;
  const sourceId = (n: number | string) => `${id}-source-${n}`;
  return (
    <div className={classes['reply']}>
      <p className={classes['answer']}>
        {data.answer.split(/(\[\d+\])/).map((part, i) => {
          const n = /^\[(\d+)\]$/.exec(part)?.[1];
          return n === undefined ? (
            <Fragment key={`${i} ${part}`}>{part}</Fragment>
          ) : (
            <sup key={`${i} ${part}`}>
              {/* the brackets keep the mark apart from the figure before it where an answer is copied */}
              <a href={`#${sourceId(n)}`} aria-label={`source ${n}`}>
                {part}
              </a>
            </sup>
          );
        })}
      </p>
      {data.citations.length > 0 && (
        <ol className={classes['sources']} aria-label="Sources">
          {data.citations.map(({ n, tool, call, path, value }) => (
            <li key={n} id={sourceId(n)} tabIndex={-1}>
              <span className="quiet">{n}</span>
              <span className="mono">{value.toLocaleString('en-US', { maximumSignificantDigits: 7 })}</span>
              <span>
                {words(tool)} of {subject(data.results[call]?.arguments)}: {words(path.replaceAll('.', ', '))}
              </span>
            </li>
          ))}
        </ol>
      )}
      {data.notes.map((note) => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
      {data.can.length > 0 && (
        <>
          <p className="quiet">What can be asked about:</p>
          <ul className={classes['can']}>
            {data.can.map(({ tool, description }) => (
              <li key={tool}>
                <strong>{words(tool)}</strong>: {description}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={classes['foot']}>
        {data.written_by === 'model' ? 'Written by a model, checked number by number.' : 'Written by rules.'}{' '}
        {data.why_rules && data.why_rules !== 'no_model_configured' && `Why: ${words(data.why_rules)}. `}
        <Freshness of={answer} />
      </p>
    </div>
  );
}

/** Subject of an analysis: its symbols, with the shocks where there are some. */
function subject(input: Readonly<Record<string, unknown>> | undefined): string {
  const { symbol, symbols, ...others } = input ?? {};
  const names = [symbol, symbols].flat().filter((name) => typeof name === 'string');
  const rest = Object.keys(others).length > 0 ? ` with ${JSON.stringify(others)}` : '';
  return `${names.join(', ') || none}${rest}`;
}
