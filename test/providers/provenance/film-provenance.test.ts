import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ValidationStatusCode } from '@trustnxt/c2pa-ts/manifest';
import { expect, test } from 'vitest';
import { checkFileManifest, embedManifest } from '#src/providers/provenance/c2pa.ts';
import { readMediaSigner } from '#src/providers/provenance/signer.ts';
import { picturesOf, smallFilm, smallJpeg } from '#test/helpers/small-film.ts';

const origin = { job: 'job', name: 'video', provider: null, capability: null, source: 'algorithmicMedia' } as const;

test.each([
  ['its tables behind the film', ''],
  ['its tables before the film', '+faststart'],
])('a film with %s is bound to its manifest and plays as before', async (_name, movflags) => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'film-'));
  const path = join(home.path, 'film.mp4');
  await smallFilm(path, 12, movflags);
  const film = await readFile(path);
  const signer = await readMediaSigner({ PROOFLINE_HOME: home.path, C2PA_CERTIFICATE_FILE: '', C2PA_KEY_FILE: '' });
  const signed = (await embedManifest(film, 'video/mp4', origin, signer))?.bytes ?? Buffer.alloc(0);

  const found = await checkFileManifest(signed, 'video/mp4');
  expect(found?.result.isValid).toBe(true);
  expect(found?.result.statusEntries.map(({ code }) => code)).toContain(ValidationStatusCode.AssertionBMFFHashMatch);
  // an independent look: the first box is as it was, the second one is C2PA's, and a decoder finds the same pictures
  const size = film.readUInt32BE(0);
  expect(Buffer.from(signed).subarray(0, size).equals(film.subarray(0, size))).toBe(true);
  expect(
    Buffer.from(signed)
      .subarray(size + 4, size + 24)
      .toString('hex'),
  ).toBe(`${Buffer.from('uuid').toString('hex')}d8fec3d61b0e483c92975828877ec481`);
  const pictures = await picturesOf(film);
  expect(pictures).toHaveLength(12);
  expect(await picturesOf(signed)).toEqual(pictures);

  const changed = Uint8Array.from(signed);
  changed[changed.length - 9] = (changed.at(-9) ?? 0) ^ 1;
  const other = await checkFileManifest(changed, 'video/mp4');
  expect(other?.result.isValid).toBe(false);
});

test('a photograph in JPEG is bound to its manifest and shows the same', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'film-'));
  const photo = await smallJpeg();
  const signer = await readMediaSigner({ PROOFLINE_HOME: home.path, C2PA_CERTIFICATE_FILE: '', C2PA_KEY_FILE: '' });
  const signed = (await embedManifest(photo, 'image/jpeg', origin, signer))?.bytes ?? Buffer.alloc(0);
  const found = await checkFileManifest(signed, 'image/jpeg');
  expect([found?.result.isValid, signed.length > photo.length]).toEqual([true, true]);
  // the segment that JPEG has for boxes (ISO/IEC 19566-5), and what a decoder sees
  expect(Buffer.from(signed).subarray(2, 4).toString('hex')).toBe('ffeb');
  expect(await picturesOf(signed)).toEqual(await picturesOf(photo));
});
