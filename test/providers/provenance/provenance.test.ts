import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { checkFileManifest, embedManifest } from '#src/providers/provenance/c2pa.ts';
import { issueCertificate, nameOf } from '#src/providers/provenance/certificate.ts';
import { makeDevelopmentChain, signerExtensions } from '#src/providers/provenance/development-chain.ts';
import { shiftChunks } from '#src/providers/provenance/film-space.ts';
import { attribute } from '#src/providers/provenance/provenance.ts';
import { developmentPath, type MediaSigner, mediaSignerOf, readMediaSigner } from '#src/providers/provenance/signer.ts';
import type { Context } from '#src/system/context.ts';
import { picture, testHome } from '#test/providers/asset-world.ts';

const origin = {
  job: '01a1fc5b-0711-78a0-9bec-a19fe873a55a',
  name: 'video',
  provider: 'local-animatic',
  capability: 'video.generate',
  source: 'algorithmicMedia',
} as const;
const settings = (home: string) => ({ PROOFLINE_HOME: home, C2PA_CERTIFICATE_FILE: '', C2PA_KEY_FILE: '' });
const codesOf = (found: Awaited<ReturnType<typeof checkFileManifest>>) =>
  found?.result.statusEntries.map(({ code }): string => code) ?? [];

/** A file with a manifest, checked by the library that reads it anew. */
async function signed(bytes: Uint8Array, mediaType: string, by: MediaSigner) {
  const embedded = await embedManifest(bytes, mediaType, origin, by);
  if (embedded === null) throw new Error('no manifest');
  return { ...embedded, found: await checkFileManifest(embedded.bytes, mediaType) };
}

test('the development chain: an authority and a signer that it issued, by OpenSSL’s own checks', async () => {
  const { certificates, key } = await makeDevelopmentChain(new Date('2026-11-23T12:00:00.123Z'));
  const [leaf, root] = (certificates.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  );
  expect(leaf?.verify(root?.publicKey as never)).toBe(true);
  expect(root?.verify(root.publicKey)).toBe(true);
  expect([leaf?.checkIssued(root as X509Certificate), leaf?.ca, root?.ca]).toEqual([true, false, true]);
  expect(leaf?.subject).toContain('not trusted');
  expect(leaf?.keyUsage).toEqual(['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36']);
  expect(key).toContain('PRIVATE KEY');
  // 16 bytes whose first is a one, so positive and never shortened
  for (const one of [leaf, root]) expect(one?.serialNumber).toMatch(/^01[0-9A-F]{30}$/);
  expect(leaf?.serialNumber).not.toBe(root?.serialNumber);
  // an hour before, for clocks that differ; nine and ten years of 365 days after
  expect([leaf?.validFrom, leaf?.validTo]).toEqual(['Nov 23 11:00:00 2026 GMT', 'Nov 21 12:00:00 2035 GMT']);
  expect([root?.validFrom, root?.validTo]).toEqual(['Nov 23 11:00:00 2026 GMT', 'Nov 20 12:00:00 2036 GMT']);
  // extensions as they are encoded, in hexadecimal: constraints and usages critical, an authority of signers alone
  const has = (der: Buffer | undefined, hex: string) => der?.includes(Buffer.from(hex, 'hex'));
  expect(has(leaf?.raw, '300c0603551d130101ff04023000')).toBe(true);
  expect(has(leaf?.raw, '300e0603551d0f0101ff040403020780')).toBe(true);
  expect(has(root?.raw, '30120603551d130101ff040830060101ff020100')).toBe(true);
  expect(has(root?.raw, '300e0603551d0f0101ff040403020106')).toBe(true);
});

test('processes that begin at once share one development chain', async () => {
  await using home = await testHome();
  const all = await Promise.all(Array.from({ length: 4 }, async () => await readMediaSigner(settings(home.path))));
  expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test('the signer of a process is read once, and one that cannot be used again by the next who asks', async () => {
  await using home = await testHome();
  const context = { config: settings(home.path) } as unknown as Context;
  const signer = await mediaSignerOf(context);
  expect(await mediaSignerOf(context)).toBe(signer);
  const path = developmentPath(settings(home.path));
  chmodSync(path, 0o644);
  const later = { config: settings(home.path) } as unknown as Context;
  await expect(mediaSignerOf(later)).rejects.toThrow('mode 600');
  chmodSync(path, 0o600);
  expect((await mediaSignerOf(later)).fingerprint).toBe(signer.fingerprint);
});

test('the development signer is made once for a home, readable by its owner alone', async () => {
  await using home = await testHome();
  const [first, second] = [await readMediaSigner(settings(home.path)), await readMediaSigner(settings(home.path))];
  expect(second.fingerprint).toBe(first.fingerprint);
  expect([first.development, first.certificates.length]).toEqual([true, 1]);
  chmodSync(developmentPath(settings(home.path)), 0o644);
  await expect(readMediaSigner(settings(home.path))).rejects.toThrow('mode 600');
});

test('a picture says which job made it, is bound to its bytes, and is the same picture', async () => {
  await using home = await testHome();
  const before = picture('teal');
  const { bytes, label, found } = await signed(before, 'image/png', await readMediaSigner(settings(home.path)));
  expect(found?.result.isValid).toBe(true);
  expect(codesOf(found)).toEqual(expect.arrayContaining(['claimSignature.validated', 'assertion.dataHash.match']));
  const manifest = found?.store.getActiveManifest();
  expect([manifest?.label, manifest?.claim?.claimGeneratorName]).toEqual([label, 'Proofline']);
  expect(manifest?.assertions?.getActionAssertions()[0]?.actions).toMatchObject([
    {
      action: 'c2pa.created',
      digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia',
      parameters: { 'dev.proofline.job': origin.job },
    },
  ]);
  // two numbers of 32 bytes, as COSE has them; the library alone would take DER as well
  expect(manifest?.signature?.signatureData.signature).toHaveLength(64);
  // an independent look: the chunk of PNG that C2PA names, a JUMBF box in it, and what a decoder sees
  expect(Buffer.from(bytes).subarray(8).includes('caBX')).toBe(true);
  expect(Buffer.from(bytes).includes('jumb')).toBe(true);
  expect(pixels(bytes).equals(pixels(before))).toBe(true);
});

test('error: a picture that was changed afterwards is found out', async () => {
  await using home = await testHome();
  const { bytes } = await signed(picture('teal'), 'image/png', await readMediaSigner(settings(home.path)));
  const changed = Uint8Array.from(bytes);
  const at = Buffer.from(changed).indexOf('IDAT') + 8;
  changed[at] = (changed[at] ?? 0) ^ 1;
  const found = await checkFileManifest(changed, 'image/png');
  expect([found?.result.isValid, codesOf(found)]).toEqual([
    false,
    expect.arrayContaining(['assertion.dataHash.mismatch']),
  ]);
});

test.each([
  ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }), 96],
  ['Ed25519', generateKeyPairSync('ed25519'), 64],
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 2_048 }), 256],
])('an operator’s own certificate signs: %s', async (_name, pair, length) => {
  await using home = await testHome();
  const own = await ownCertificate(home.path, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const signer = await readMediaSigner({ PROOFLINE_HOME: home.path, ...own });
  expect([signer.development, signer.subject]).toEqual([false, 'O=Studio, CN=Signer']);
  const { found } = await signed(picture('teal'), 'image/png', signer);
  expect(codesOf(found)).toContain('claimSignature.validated');
  expect(found?.store.getActiveManifest()?.signature?.signatureData.signature).toHaveLength(length);
  expect(existsSync(developmentPath({ PROOFLINE_HOME: home.path }))).toBe(false);
});

test('error: a key of another certificate, of no kind that signs, or that others may read is refused', async () => {
  await using home = await testHome();
  const key = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const own = await ownCertificate(home.path, key());
  const read = async () => await readMediaSigner({ PROOFLINE_HOME: home.path, ...own });
  writeFileSync(own.C2PA_KEY_FILE, key());
  await expect(read()).rejects.toThrow('another key’s');
  writeFileSync(own.C2PA_KEY_FILE, 'no key');
  await expect(read()).rejects.toThrow('no PEM');
  chmodSync(own.C2PA_KEY_FILE, 0o644);
  await expect(read()).rejects.toThrow('mode 600');
});

test('error: a film in fragments or one that is cut off takes no manifest', () => {
  const box = (type: string, ...parts: Buffer[]) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + Buffer.concat(parts).length);
    head.write(type, 4);
    return Buffer.concat([head, ...parts]);
  };
  const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0'));
  const table = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9]);
  const film = Buffer.concat([
    ftyp,
    box('moov', box('trak', box('mdia', box('minf', box('stbl', box('stco', table)))))),
  ]);
  expect(Buffer.from(shiftChunks(film, 256) ?? []).subarray(-4)).toEqual(Buffer.from([0, 0, 1, 9]));
  expect(shiftChunks(film, 0xffff_fff7)).toBeNull();
  expect(shiftChunks(film.subarray(0, -3), 256)).toBeNull();
  expect(shiftChunks(Buffer.concat([film, box('moof')]), 256)).toBeNull();
  expect(shiftChunks(film.subarray(ftyp.length), 256)).toBeNull();
});

test('what a provider has signed stays as it is; what carries none says why', async () => {
  await using home = await testHome();
  const warned: unknown[] = [];
  const config = { ...settings(home.path), C2PA_MAX_BYTES: 4_000 };
  const context = { config, log: { warn: (about: unknown) => warned.push(about) } } as unknown as Context;
  const theirs = await signed(picture('teal'), 'image/png', await readMediaSigner(settings(home.path)));
  const kept = await attribute(context, theirs.bytes, 'image/png', origin);
  expect(kept.source).toBe(theirs.bytes);
  expect(kept.provenance).toEqual({ kind: 'c2pa', note: expect.stringContaining('provider') });

  const ours = await attribute(context, Readable.from([picture('red')]), 'image/PNG; x=y', origin);
  expect(ours.provenance).toMatchObject({
    kind: 'c2pa',
    signer: { development: true },
    note: expect.stringContaining('no verifier trusts'),
  });
  const wav = await attribute(context, Buffer.from('RIFF'), 'audio/wav', origin);
  expect(wav.provenance).toEqual({
    kind: 'none',
    note: expect.stringContaining('audio/wav'),
    digitalSourceType: 'algorithmicMedia',
  });
  const text = await attribute(context, Buffer.from('WEBVTT'), 'text/vtt', origin);
  expect(text.provenance).toEqual({ kind: 'none', note: expect.stringContaining('text/vtt') });
  const rubbish = await attribute(context, Buffer.from('no picture'), 'image/png', origin);
  expect([rubbish.provenance.kind, warned.length]).toEqual(['none', 1]);

  const chunks = Array.from({ length: 5 }, (_, n) => Buffer.alloc(1_000, n));
  const long = await attribute(context, Readable.from(chunks), 'image/png', origin);
  expect(long.provenance).toMatchObject({ kind: 'none', note: expect.stringContaining('C2PA_MAX_BYTES') });
  expect((await buffer(long.source as Readable)).equals(Buffer.concat(chunks))).toBe(true);
});

/** The files of an operator whose authority has certified a key (PEM). */
async function ownCertificate(home: string, key: string) {
  const now = new Date();
  const issuerKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = await issueCertificate({
    issuer: nameOf('Studio', 'Authority'),
    issuerKey,
    subject: nameOf('Studio', 'Signer'),
    publicKey: createPublicKey(key),
    now,
    years: 1,
    extensions: signerExtensions,
  });
  const files = { C2PA_CERTIFICATE_FILE: join(home, 'chain.pem'), C2PA_KEY_FILE: join(home, 'key.pem') };
  writeFileSync(files.C2PA_CERTIFICATE_FILE, certificate);
  writeFileSync(files.C2PA_KEY_FILE, key, { mode: 0o600 });
  return files;
}

/** Pixels of a picture as a decoder sees them, drawn anew. */
function pixels(png: Uint8Array): Buffer {
  const data = Buffer.from(png).toString('base64');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><image width="32" height="32" href="data:image/png;base64,${data}"/></svg>`;
  return Buffer.from(new Resvg(svg).render().pixels);
}
