import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '#console/api/session.ts';
import { callKey, useChange } from '#console/api/use-call.ts';
import { CodeBlock } from '#console/ui/data/code-block.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Ago } from '#console/ui/time.tsx';
import classes from './become-human.module.css';

/** Steps by which a visitor enrols as a verified human. */
export function BecomeHuman() {
  const { email, operator } = useSession();
  const { origin } = location;
  return (
    <Panel title="Show that you are a verified human">
      <p className={classes['why']}>
        Missions act in the name of a verified human, and {email} is not known as one yet. It takes three commands,
        once. Your identity stays in a file on your machine; the service sees a proof, never the file.
      </p>
      <ol className={classes['steps']}>
        <li>
          <span>
            {operator
              ? 'As an operator, make an invite for yourself. It prints a code.'
              : 'Ask an operator for an invite. They run this and hand you the code it prints.'}
          </span>
          <CodeBlock what="command that invites" wraps code={`npm run -s proofline -- human invite --for "${email}"`} />
        </li>
        <li>
          <span>
            Enrol with the code. On a machine where <code>npm start</code> runs you are enrolled already: leave out
            these two steps, and write <code>.proofline/identity.json</code> for <code>me.json</code> in the next.
          </span>
          <CodeBlock
            what="command that enrols"
            wraps
            code={`npm run -s proofline -- human enrol \\\n  --url ${origin} --identity me.json --invite CODE`}
          />
        </li>
        <li>
          <LinkHuman />
        </li>
      </ol>
    </Panel>
  );
}

/** The last step: a challenge for this sign-in, and the command that answers it. */
function LinkHuman() {
  const client = useQueryClient();
  const [looked, setLooked] = useState(false);
  const ask = useChange('POST /auth/human/challenge', () => setLooked(false));
  const look = async () => {
    await client.invalidateQueries({ queryKey: callKey('GET /auth/visitor') });
    setLooked(true);
  };
  const challenge = ask.data;
  return (
    <>
      <span>Prove that you are that human. The command says what you agree to, and asks.</span>
      {challenge && (
        <>
          <CodeBlock
            what="command that proves"
            wraps
            code={`npm run -s proofline -- human prove \\\n  --url ${location.origin} --identity me.json \\\n  ${codeOf(challenge)}`}
          />
          <span className="quiet">
            It can be answered once; it ends <Ago at={challenge.expiresAt} />.
          </span>
        </>
      )}
      {looked && (
        <span role="status">
          There is no proof yet. Run the command, see that it says you are known now, and look again.
        </span>
      )}
      {ask.isError && <Fault error={ask.error} />}
      <span className={classes['act']}>
        <Button
          variant={challenge ? 'default' : 'filled'}
          loading={ask.isPending}
          onClick={() => ask.mutate({ body: {} })}
        >
          {challenge ? 'Make another' : 'Make the command'}
        </Button>
        {challenge && <Button onClick={() => void look()}>I have run it</Button>}
      </span>
    </>
  );
}

/** Encodes the parts of a challenge that the command needs as one word: JSON in base64url. */
function codeOf({ challengeId, body }: { readonly challengeId: string; readonly body: unknown }): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ challengeId, body }));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
