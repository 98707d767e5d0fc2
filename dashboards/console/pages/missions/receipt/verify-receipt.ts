import { ApiError, apiError } from '#console/api/api-error.ts';
import { parseReceipt, parseStrict } from '#src/receipts/verify/parse-strict.ts';
import { accountsIn, trustPaths } from '#src/receipts/verify/read-trust.ts';
import { type Attestation, verifyReceipt } from '#src/receipts/verify/verify.ts';

/**
 * Checks a receipt of this service here, in the browser, as /verify does; the chain alone is not read, since this page
 * may call only the service.
 *
 * @throws ApiError where the service does not hand out what is needed.
 */
export async function verifyHere(id: string, signal: AbortSignal): Promise<Attestation> {
  const [receipt, jwks, manifest, anchors] = await Promise.all([
    textAt(`/api/v1/receipts/${id}`, signal),
    jsonAt(trustPaths.jwks, signal),
    jsonAt(trustPaths.manifest, signal),
    jsonAt(trustPaths.anchors, signal),
  ]);
  const trust = { jwks, manifest, anchors: accountsIn(anchors), rpc: [], requestedId: id };
  return await verifyReceipt(parseReceipt(receipt), trust);
}

async function textAt(path: string, signal: AbortSignal): Promise<string> {
  // an answer that is kept may say that it is not anchored yet
  const answer = await fetch(path, { signal, cache: 'no-cache' });
  if (answer.ok) return await answer.text();
  throw await apiError(answer);
}

async function jsonAt(path: string, signal: AbortSignal): Promise<unknown> {
  const text = await textAt(path, signal);
  try {
    return parseStrict(text);
  } catch (error) {
    throw new ApiError(0, { message: `${path}: expected JSON, got something else.` }, error);
  }
}
