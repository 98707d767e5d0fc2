import { Button } from '@mantine/core';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import type { ShownPayload } from './use-payload.ts';
import classes from './whole-payload.module.css';

interface Props {
  readonly payload: ShownPayload;
  /** Digest that the decision is bound to. */
  readonly sha256: string;
  readonly bytes: number;
}

/** All of a payload, to be read to its end and to be taken along. */
export function WholePayload({ payload, sha256, bytes }: Props) {
  const size = `${bytes.toLocaleString('en')} bytes`;
  if (payload.state === 'loading')
    return (
      <p data-loading className="quiet">
        The payload is loaded: {size}. It can be granted then.
      </p>
    );
  if (payload.state === 'failed')
    return (
      <>
        <p>The payload of {size} could not be loaded. It cannot be granted before it can be read.</p>
        <Fault error={payload.error} />
        <Button variant="default" mt="xs" onClick={payload.again}>
          Load it again
        </Button>
      </>
    );
  if (payload.state === 'other')
    return <p role="alert">The payload of the job is not the one that this decision is bound to: do not grant it.</p>;
  return (
    <>
      <JsonView value={payload.value} what="payload" />
      <div className={classes['take']}>
        <Button variant="default" onClick={() => download(payload.value, sha256)}>
          Download the payload
        </Button>
        <span className="quiet">{size}; the SHA-256 of the file is the one above</span>
      </div>
    </>
  );
}

/** Hands the payload over as the bytes that were hashed: `sha256sum` of the file gives the digest of the effect. */
function download(value: unknown, sha256: string): void {
  const href = URL.createObjectURL(new Blob([canonicalText(value ?? null)], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href, download: `payload-${sha256.slice(0, 12)}.json` });
  link.click();
  // the browser has its own hold of the bytes once the download has begun
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
