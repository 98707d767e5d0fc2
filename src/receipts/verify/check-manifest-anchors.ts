import { Value } from 'typebox/value';
import { checkManifest, type KeyManifest, type ManifestBody, versionRoot } from '#src/receipts/format/key-manifest.ts';
import { type Check, countOf } from './check.ts';
import { type AnchorTrust, checkAnchored } from './check-anchor.ts';
import { type ManifestAnchor, ManifestAnchors } from './manifest-anchors-schema.ts';

const name = 'manifest-anchor';

/**
 * Whether the chain has every version of the manifest, put there by an account of this service: then it is no manifest
 * that was made for one reader, or after the fact.
 *
 * @param anchors the document of the service; each root that it lists must be that of our own copy of the version, and of
 *   its anchors only those are believed to whose calldata that root folds
 */
export async function checkManifestAnchors(manifest: unknown, anchors: unknown, trust: AnchorTrust): Promise<Check> {
  if (manifest === null || checkManifest(manifest) !== null)
    return { name, verdict: 'not-checked', reason: 'No manifest that can be believed was given.' };
  const [wrong] = Value.Errors(ManifestAnchors, anchors);
  if (wrong) return { name, verdict: 'fail', reason: `manifest anchors${wrong.instancePath}: ${wrong.message}.` };
  const { versions } = anchors as ManifestAnchors;
  if (new Set(versions.map(({ version }) => version)).size !== versions.length)
    return { name, verdict: 'fail', reason: 'manifest anchors: expected every version once, got one twice.' };
  const checks: Check[] = [];
  for (const { body } of (manifest as KeyManifest).versions) {
    const listed = versions.find(({ version }) => version === body.version);
    // one after the other, so that a long manifest is no burst at an endpoint
    checks.push(await checkVersion(body, listed, trust));
  }
  const { verdict, reason } = countOf(checks, `The chain has every version of the manifest (${checks.length}).`);
  return { name, verdict, reason };
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
