import { constants, type KeyObject, sign } from 'node:crypto';
import { type Asset, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { Signature, type Signer } from '@trustnxt/c2pa-ts/cose';
import { CBORBox, SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import {
  ActionAssertion,
  ActionType,
  BMFFHashAssertion,
  ClaimVersion,
  DataHashAssertion,
  DigitalSourceType,
  ManifestStore,
  type ValidationResult,
} from '@trustnxt/c2pa-ts/manifest';
import { version } from '#src/system/config/version.ts';
import { brandOf, setBrand, shiftChunks } from './film-space.ts';
import type { CoseAlgorithm, MediaSigner } from './signer.ts';
import type { SourceType } from './source-of.ts';

/** Origin of a file, as its manifest states it. */
export interface FileOrigin {
  /** The job that made it, and what it is within that job. */
  readonly job: string;
  readonly name: string;
  readonly provider: string | null;
  readonly capability: string | null;
  readonly source: SourceType;
}

/** Terms of IPTC's list of digital source types. */
const sources = {
  algorithmicMedia: DigitalSourceType.AlgorithmicMedia,
  trainedAlgorithmicMedia: DigitalSourceType.TrainedAlgorithmicMedia,
  compositeWithTrainedAlgorithmicMedia: DigitalSourceType.CompositeWithTrainedAlgorithmicMedia,
} as const satisfies Readonly<Record<SourceType, DigitalSourceType>>;

/**
 * Box of a film around its manifest: size, type, user type, version and flags, `manifest` and a zero, place of a tree.
 */
const FILM_BOX_BYTES = 4 + 4 + 16 + 4 + 9 + 8;
/** The library reads the brands of pictures alone. `ftyp` is no part of what a film's hash covers (C2PA 2.1 §18.7). */
const READABLE_BRAND = 'mif1';

/** Checks whether a file has a manifest, or the place of one. @throws where the bytes are not of that format. */
export function hasManifest(bytes: Uint8Array, mediaType: string): boolean {
  return openAsset(Uint8Array.from(bytes), mediaType).getManifestJUMBF() !== undefined;
}

/**
 * The file with a C2PA manifest in it: made here (`c2pa.created`), by which job, from what kind of source. Without a
 * time stamp of an authority, so it counts for as long as the certificate does.
 *
 * @returns null for a film whose tables cannot be moved.
 * @throws where the bytes are not of that format.
 */
export async function embedManifest(
  bytes: Uint8Array,
  mediaType: string,
  origin: FileOrigin,
  by: MediaSigner,
): Promise<{ readonly bytes: Uint8Array; readonly label: string } | null> {
  const signer = signerOf(by);
  const store = new ManifestStore();
  const manifest = store.createManifest({
    claimVersion: ClaimVersion.V2,
    assetFormat: mediaType,
    instanceID: `urn:proofline:job:${origin.job}:${origin.name}`,
    defaultHashAlgorithm: 'SHA-256',
    signer,
  });
  if (!manifest.claim || !manifest.signature || manifest.label === undefined)
    throw new TypeError('a manifest without parts');
  manifest.claim.claimGeneratorName = 'Proofline';
  manifest.claim.claimGeneratorVersion = version;
  // as long as it will be: the library's padding is for time stamps, and loses count where its own length takes a byte
  // less
  manifest.signature.signatureData.signature = new Uint8Array(signatureLength(by.key));
  manifest.signature.signatureData.paddingLength = 0;
  manifest.addAssertion(createdBy(origin));
  const isFilm = mediaType === 'video/mp4';
  const binding = isFilm
    ? BMFFHashAssertion.createV2('jumbf manifest', 'SHA-256')
    : DataHashAssertion.create('SHA-256');
  manifest.addAssertion(binding);

  const size = store.measureSize();
  const brand = isFilm ? brandOf(bytes) : null;
  const source = isFilm ? shiftChunks(bytes, FILM_BOX_BYTES + size) : Uint8Array.from(bytes);
  if (source === null) return null;
  const asset = openAsset(source, mediaType);
  await asset.ensureManifestSpace(size);
  await binding.updateWithAsset(asset);
  await manifest.sign(signer);
  await asset.writeManifestJUMBF(store.getBytes());
  const signed = await asset.getDataRange();
  if (brand !== null) setBrand(signed, brand);
  return { bytes: signed, label: manifest.label };
}

/**
 * Checks a file's manifest by the library: whether it belongs to the file and its signature is right, never whom to
 * trust.
 */
export async function checkFileManifest(
  bytes: Uint8Array,
  mediaType: string,
): Promise<{ readonly result: ValidationResult; readonly store: ManifestStore } | null> {
  const asset = openAsset(Uint8Array.from(bytes), mediaType);
  const box = asset.getManifestJUMBF();
  if (box === undefined) return null;
  const store = ManifestStore.read(SuperBox.fromBuffer(Uint8Array.from(box)));
  return { result: await store.validate(asset), store };
}

function createdBy({ job, name, provider, capability, source }: FileOrigin): ActionAssertion {
  const assertion = new ActionAssertion();
  assertion.actions.push({
    action: ActionType.C2paCreated,
    digitalSourceType: sources[source],
    softwareAgent: { name: 'Proofline', version },
    parameters: {
      'dev.proofline.job': job,
      'dev.proofline.name': name,
      ...(provider !== null && { 'dev.proofline.provider': provider }),
      ...(capability !== null && { 'dev.proofline.capability': capability }),
    },
  });
  return assertion;
}

/** Opens the bytes as an asset of the library. @param bytes are changed in place */
function openAsset(bytes: Uint8Array<ArrayBuffer>, mediaType: string): Asset {
  if (mediaType === 'image/png') return new PNG(bytes);
  if (mediaType === 'image/jpeg') return new JPEG(bytes);
  setBrand(bytes, READABLE_BRAND);
  return new BMFF(bytes);
}

/** The library has its own kind of certificates; it makes them where it reads a signature. */
function signerOf({ certificates, key, algorithm }: MediaSigner): Signer {
  const head = CBORBox.encoder.encode({ '1': algorithm, '33': certificates.map((one) => Uint8Array.from(one)) });
  const { certificate, chainCertificates } = Signature.readFromJUMBFData([head, {}, null, new Uint8Array()]);
  if (certificate === undefined) throw new TypeError('a signer without a certificate');
  return {
    certificate,
    chainCertificates,
    algorithm,
    sign: async (payload) => Uint8Array.from(signatureOf(payload, key, algorithm)),
  };
}

/**
 * As COSE has them (RFC 9053 §2.1): of an elliptic curve the two numbers, where the library's own signer writes DER.
 */
function signatureOf(payload: Uint8Array, key: KeyObject, algorithm: CoseAlgorithm): Buffer {
  if (algorithm === -8) return sign(null, payload, key);
  if (algorithm === -37) {
    return sign('sha256', payload, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });
  }
  return sign(algorithm === -35 ? 'sha384' : 'sha256', payload, { key, dsaEncoding: 'ieee-p1363' });
}

/** Bytes of a signature: of a curve its two numbers, of RSA one as long as the modulus. */
function signatureLength({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): number {
  if (asymmetricKeyType === 'rsa') return Math.ceil((asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  return asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 96 : 64;
}
