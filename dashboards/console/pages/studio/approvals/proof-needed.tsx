import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from '#console/ui/icon.tsx';
import classes from './proof-needed.module.css';

/** Explains a decision that takes a proof of personhood: a browser has no prover, the command line has. */
export function ProofNeeded({ id }: { readonly id: string }) {
  const command = `npm run -s proofline -- approval grant ${id} --identity me.json`;
  return (
    <div className={classes['needed']}>
      <p>
        <strong>A yes takes a proof of personhood</strong>, made with the identity that you enrolled with. The identity
        never leaves your machine, so this command makes the proof there, over exactly this effect:
      </p>
      <div className={classes['command']}>
        <code>{command}</code>
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy the command'}>
              <ActionIcon size="sm" onClick={copy} aria-label={copied ? 'Copied' : 'Copy the command'}>
                <Icon name={copied ? 'check' : 'copy'} size={14} />
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </div>
      <p className={classes['quiet']}>
        <code>me.json</code> is the file of your identity; the one that <code>npm start</code> enrols on this machine is{' '}
        <code>.proofline/identity.json</code>.
      </p>
      <p className={classes['follows']}>
        <span className={classes['dot']} aria-hidden="true" />
        This page follows, and goes on as soon as it is granted.
      </p>
    </div>
  );
}
