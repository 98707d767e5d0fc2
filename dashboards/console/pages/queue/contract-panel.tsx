import type { Answer } from '#console/api/client.ts';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { spell, Time } from '#console/ui/time.tsx';
import classes from './contract-panel.module.css';

type Contract = Answer<'GET /v1/queues/{name}'>['data'][number];

/** One version of a contract: its rules, and its schemas as they were registered. */
export function ContractPanel({ contract: stored }: { readonly contract: Contract }) {
  const { version, contract, digest, registered_by: by, registered_at: at, changed_at: changedAt } = stored;
  const { payload, result, progress, attempts, timeout_ms: timeoutMs, priority, retention } = contract;
  const schemas = { payload, result, ...(progress !== undefined && { progress }) };
  return (
    <Panel title={`Version ${version}`} flush>
      <div className={classes['facts']}>
        <KeyValue
          facts={{
            Title: contract.title,
            Registered: (
              <>
                <Time at={at} /> by {by}
              </>
            ),
            Changed: changedAt === at ? null : <Time at={changedAt} />,
            Attempts: attempts,
            'Longest run': timeoutMs === undefined ? null : spell(timeoutMs / 1_000),
            Priority: priority,
            Retention: retention && <code>{JSON.stringify(retention)}</code>,
            Digest: <code>{digest}</code>,
          }}
        />
      </div>
      <div className={classes['schemas']}>
        {Object.entries(schemas).map(([part, schema]) => (
          <section key={part} className={classes['schema']} aria-label={`Schema of the ${part}, version ${version}`}>
            <h3>Schema of the {part}</h3>
            <JsonView value={schema} what={`schema of the ${part}, version ${version}`} />
          </section>
        ))}
      </div>
    </Panel>
  );
}
