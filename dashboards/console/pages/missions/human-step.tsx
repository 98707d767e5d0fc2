import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'wouter';
import { callKey, useChange } from '#console/api/use-call.ts';
import type { Mission, Step } from '#console/pages/missions/parts/mission.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { CopyId } from '#console/ui/copy-id.tsx';
import { CodeBlock } from '#console/ui/data/code-block.tsx';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { Ago } from '#console/ui/time.tsx';
import { effectHash } from '#src/missions/plan/effect.ts';
import classes from './human-step.module.css';

/** A step that waits for its human: exactly what it will do, until when it can be answered, and how. */
export function HumanStep({ mission, step }: { readonly mission: Mission; readonly step: Step }) {
  const client = useQueryClient();
  const heading = useId();
  const path = { id: mission.missionId, step: step.id };
  const decline = useChange('POST /api/v1/missions/{id}/steps/{step}/decline', (after) => {
    client.setQueryData(callKey('GET /api/v1/missions/{id}', { path: { id: mission.missionId } }), after);
  });
  const { challenge, input } = step.at;
  if (!challenge) return null;
  // what is shown is what is agreed to, whatever the service says beside it
  const sha256 = effectHash(step.capability, input);
  const isThis = challenge.body['effectSha256'] === sha256;
  const presence = challenge.worldId ? ' --world-id result.json' : '';
  const command = `npm run -s proofline -- mission approve ${mission.missionId} ${step.id} \\\n  --url ${location.origin} --identity me.json${presence}`;
  return (
    <section className={classes['ask']} aria-labelledby={heading}>
      <div>
        <h2 id={heading}>
          {step.id} waits for you: {step.title}
        </h2>
        <p>
          Nothing has happened yet. Once you agree, <code>{step.capability}</code> does exactly this, once
          {step.costUsd > 0 && <>, for about ${step.costUsd}</>}:
        </p>
      </div>
      <div className={classes['effect']}>
        <JsonView value={input} what={`effect of ${step.id}`} />
      </div>
      {isThis ? (
        <div>
          <div className={classes['label']}>
            Agreeing takes a proof with your identity, which never leaves your machine. <code>PROOFLINE_KEY</code> is a
            key with <code>platform.mcp.execute</code> that you made since you are a verified human:{' '}
            <Link href="/developers">make one</Link>. This page follows.
          </div>
          <CodeBlock what="command that approves" wraps code={command} />
        </div>
      ) : (
        <p role="alert">
          The effect shown here is not the one that the proof would be over. Do not approve it; decline it, and tell an
          operator.
        </p>
      )}
      <div className={classes['act']}>
        <span className="quiet">
          Ends <Ago at={challenge.expiresAt} />, and is requested anew then. SHA-256 of the effect, computed here:{' '}
          <CopyId value={sha256} what="hash of the effect" shown={`${sha256.slice(0, 16)}…`} />
        </span>
        <ConfirmButton
          label="Decline"
          question={`Decline ${step.id}?`}
          grave
          act={() => decline.mutateAsync({ path, body: {} })}
        >
          It does not happen, and the mission fails here. What was done before stays, and the receipt says who declined.
        </ConfirmButton>
      </div>
    </section>
  );
}
