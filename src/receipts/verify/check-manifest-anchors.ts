import { Value } from 'typebox/value';
import { checkManifest, type KeyManifest, type ManifestBody, versionRoot } from '#src/receipts/format/key-manifest.ts';
import { type Check, countOf } from './check.ts';
import { type AnchorTrust, checkAnchored } from './check-anchor.ts';
import { type ManifestAnchor, ManifestAnchors } from './manifest-anchors-schema.ts';

const name = 'manifest-anchor';

/**
 * Checks whether the chain has every version of the manifest, put there by an account of this service: then it is no
 * manifest that was made for one reader, or after the fact.
 *
 * @param anchors the document of the service; each root that it lists must be that of our own copy of the version, and
 *   of its anchors only those are believed to whose calldata that root folds. A version that it lists and our copy
 *   lacks makes the check `not-checked`: ours is out of date
 */
export async function checkManifestAnchors(manifest: unknown, anchors: unknown, trust: AnchorTrust): Promise<Check> {
  if (manifest === null || checkManifest(manifest) !== null)
    return { name, verdict: 'not-checked', reason: 'No manifest that can be believed was given.' };
  const [wrong] = Value.Errors(ManifestAnchors, anchors);
  if (wrong) return { name, verdict: 'fail', reason: `manifest anchors${wrong.instancePath}: ${wrong.message}.` };
  const { versions } = anchors as ManifestAnchors;
  if (new Set(versions.map(({ version }) => version)).size !== versions.length)
    return { name, verdict: 'fail', reason: 'manifest anchors: expected every version once, got one twice.' };
  const own = (manifest as KeyManifest).versions;
  const checks: Check[] = unknownVersions(own, versions);
  for (const { body } of own) {
    const listed = versions.find(({ version }) => version === body.version);
    // one after the other, so that a long manifest is no burst at an endpoint
    checks.push(await checkVersion(body, listed, trust));
  }
  const { verdict, reason } = countOf(checks, `The chain has every version of the manifest (${own.length}).`);
  return { name, verdict, reason };
}

/**
 * Finds versions that the service lists and our copy does not have. Our copy is no forgery for that, it may only be
 * older. But an old copy hides what came after it, such as the revocation of the key that sealed. So it does not pass.
 */
function unknownVersions(own: KeyManifest['versions'], listed: readonly ManifestAnchor[]): Check[] {
  const known = new Set(own.map(({ body }) => body.version));
  const unknown = listed.map(({ version }) => version).filter((version) => !known.has(version));
  if (unknown.length === 0) return [];
  const reason = `The manifest anchors list version ${unknown.join(', ')}, which the manifest being read does not have (its newest is ${Math.max(...known)}): it is out of date, and a key may have been revoked since. Read the manifest again.`;
  return [{ name, verdict: 'not-checked', reason }];
}

async function checkVersion(
  body: ManifestBody,
  listed: ManifestAnchor | undefined,
  trust: AnchorTrust,
): Promise<Check> {
  const what = `Version ${body.version} of the manifest`;
  const root = versionRoot(body);
  if (listed && listed.root !== root)
    return { name, verdict: 'fail', reason: `${what}: expected its root ${root} to be listed, got ${listed.root}.` };
  if (!listed?.anchor) return { name, verdict: 'pending', reason: `${what} is not anchored yet.` };
  const { verdict, reason } = await checkAnchored(root, listed.anchor, trust);
  return { name, verdict, reason: `${what}: ${reason}` };
}
