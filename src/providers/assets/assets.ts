import { hash, randomUUIDv7 } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import type { MediaSurface } from '#queues/providers.ts';
import { publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Produced } from '#src/providers/catalogue/adapter.ts';
import { attribute, Provenance } from '#src/providers/provenance/provenance.ts';
import { type SourceType, sourceOf } from '#src/providers/provenance/source-of.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { dropContent, lockContent } from './asset-content.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Kinds of assets. */
export const assetKinds = ['image', 'video', 'audio', 'text', 'package', 'data'] as const;

/** Something that was made, without its bytes. */
const Row = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  /** The job that made it, and what it is within that job. */
  job: Type.String(),
  name: Type.String(),
  kind: Type.Enum([...assetKinds]),
  /** SHA-256 of its bytes, lower-case hexadecimal. */
  sha256: Type.String(),
  size: Type.Integer(),
  mediaType: Type.String(),
  /** Pixels. */
  width: Type.Union([Type.Integer(), Type.Null()]),
  height: Type.Union([Type.Integer(), Type.Null()]),
  /** Seconds. */
  duration: Type.Union([Type.Number(), Type.Null()]),
  /** The asset that shows this one at a glance. */
  thumbnail: Type.Union([Type.String(), Type.Null()]),
  capability: Type.Union([Type.String(), Type.Null()]),
  provider: Type.Union([Type.String(), Type.Null()]),
  provenance: Provenance,
  createdAt: Type.Unsafe<Date>({}),
  /** Time at which its bytes were erased. */
  erasedAt: Type.Unsafe<Date | null>({}),
});

const assetRow = row(Row);
export type Asset = Static<typeof Row>;

const assetColumns = sql.fragment`
  id, owner, job, name, kind, encode(sha256, 'hex') as sha256, size, media_type as "mediaType", width, height, duration,
  thumbnail, capability, provider, provenance, created_at as "createdAt", erased_at as "erasedAt"`;

/** A product to be stored; its bytes may come as a stream. */
interface Keepable extends Omit<Produced, 'kind' | 'bytes' | 'name' | 'thumbnail'> {
  readonly kind: Asset['kind'];
  readonly bytes: Uint8Array | Readable;
}

export interface AssetOrigin {
  readonly owner: string;
  readonly job: string;
  readonly capability: string | null;
  readonly provider: string | null;
  readonly surface: MediaSurface;
}

export interface AssetRequest extends AssetOrigin {
  /** Name within its job: the same job and name again is the same asset, whatever the bytes are. */
  readonly name: string;
  readonly produced: Keepable;
  /** The asset that shows it at a glance. */
  readonly thumbnailId?: string | null;
  /** Ids of the owner's assets that it was made from. */
  readonly madeFrom?: readonly string[];
}

/** Stored facts of an asset. */
interface StoredContent {
  readonly sha256: string;
  readonly size: number;
  readonly provenance: Provenance;
}

/**
 * Stores a product as an asset: its bytes with a manifest of their origin where the format allows one, its facts, and
 * `asset.created` for its owner.
 *
 * @throws AppError `storage_full`, `payload_too_large`, `unavailable`, or `invalid_configuration` for a certificate
 *   that cannot be used; nothing is stored then, and trying again is safe.
 */
export async function keepAsset(context: Context, request: AssetRequest): Promise<Asset> {
  const { db, metrics } = context;
  const known = await db.maybeOne(sql.type(assetRow)`
    select ${assetColumns} from assets where job = ${request.job} and name = ${request.name}`);
  if (known) {
    if (!(request.produced.bytes instanceof Uint8Array)) request.produced.bytes.destroy();
    return known;
  }
  const { job, name, provider, capability, produced } = request;
  const { source, provenance } = await attribute(context, produced.bytes, produced.mediaType, {
    job,
    name,
    provider,
    capability,
    source: sourceOf({ provider, capability, from: await sourcesOf(context, request) }),
  });
  const stored = { ...(await blobsOf(context).put(source)), provenance };
  const { asset, event } = await db.transaction(async (tx) => {
    await lockContent(tx, stored.sha256);
    await stillThere(context, source, stored.sha256);
    const made = await insert(tx, request, stored);
    if (made)
      return { asset: made, event: await tellOwner(tx, request.owner, 'asset.created', eventOf(made, request)) };
    // another request was first with this name
    await dropContent(context, tx, stored.sha256);
    const first = await tx.one(sql.type(assetRow)`
      select ${assetColumns} from assets where job = ${job} and name = ${name}`);
    return { asset: first, event: null };
  });
  if (event === null) return asset;
  metrics.proofline_artefacts_kept_total.inc({ kind: asset.kind, provenance: asset.provenance.kind });
  metrics.proofline_artefact_bytes_total.inc({ direction: 'in' }, asset.size);
  await publishOwnerEvents(context, request.owner, [event]);
  return asset;
}

/** The kinds of source of what an asset was made from. */
async function sourcesOf(context: Context, { madeFrom = [], owner }: AssetRequest): Promise<readonly SourceType[]> {
  const parts = await Promise.all(madeFrom.map(async (id) => await readAsset(context, id, owner)));
  return parts.flatMap((part) => (part ? [part.provenance.digitalSourceType ?? sourceOf({ ...part, from: [] })] : []));
}

/** Reads an asset; null where this owner has none of that id, or `id` is no id. @param owner null: any owner's */
export async function readAsset({ db }: Pick<Context, 'db'>, id: string, owner: string | null): Promise<Asset | null> {
  if (!uuid.test(id.toLowerCase())) return null;
  const asset = await db.maybeOne(sql.type(assetRow)`select ${assetColumns} from assets where id = ${id}`);
  return asset && (owner === null || asset.owner === owner) ? asset : null;
}

export interface AssetFilter {
  readonly owner: string;
  readonly kind?: Asset['kind'];
  /** Only what these have made. */
  readonly jobs?: readonly string[];
  /** Id of an asset: only older ones. */
  readonly before?: string;
  /** 1 to 100. */
  readonly limit: number;
}

/** An owner's assets, newest first. */
export async function listAssets(
  { db }: Pick<Context, 'db'>,
  { owner, kind, jobs, before, limit }: AssetFilter,
): Promise<readonly Asset[]> {
  return await db.any(sql.type(assetRow)`
    select ${assetColumns} from assets where owner = ${owner}
    and ${before === undefined ? sql.fragment`true` : sql.fragment`id < ${before}`}
    and ${kind === undefined ? sql.fragment`true` : sql.fragment`kind = ${kind}`}
    and ${jobs === undefined ? sql.fragment`true` : sql.fragment`job = any(${sql.array([...jobs], 'uuid')})`}
    order by id desc limit ${limit}`);
}

/** Lists the assets of these jobs, in the order in which they were made. */
export async function listAssetsOfJobs(
  { db }: { readonly db: CommonQueryMethods },
  jobs: readonly string[],
): Promise<readonly Asset[]> {
  return await db.any(sql.type(assetRow)`
    select ${assetColumns} from assets where job = any(${sql.array([...jobs], 'uuid')}) order by id`);
}

/**
 * All bytes of an asset, in memory, checked against its digest.
 *
 * @throws AppError `not_found` when they were erased; `internal` when the storage has lost or changed them.
 */
export async function assetBytes(context: Context, asset: Asset): Promise<Uint8Array> {
  const opened = asset.erasedAt ? null : await blobsOf(context).open(asset.sha256);
  if (!opened) throw missing(asset);
  const bytes = await buffer(opened.stream);
  if (hash('sha256', bytes, 'hex') === asset.sha256) return bytes;
  throw new AppError(
    'internal',
    `expected the bytes of asset ${asset.id} as they were stored, got others: the storage is damaged.`,
  );
}

/** The sweep may have removed the same content of an old asset just now. */
async function stillThere(context: Context, source: Uint8Array | Readable, sha256: string): Promise<void> {
  const blobs = blobsOf(context);
  if (await blobs.holds(sha256)) return;
  if (source instanceof Uint8Array) {
    await blobs.put(source);
    return;
  }
  const message = 'expected the content that was just stored to be there, got nothing: it was being erased. Try again.';
  throw new AppError('unavailable', message);
}

async function insert(tx: CommonQueryMethods, request: AssetRequest, stored: StoredContent): Promise<Asset | null> {
  const { owner, job, name, capability, provider, thumbnailId = null, produced } = request;
  const { kind, mediaType, width = null, height = null, duration = null } = produced;
  return await tx.maybeOne(sql.type(assetRow)`
    insert into assets (
      id, owner, job, name, kind, sha256, size, media_type, width, height, duration, thumbnail, capability, provider, provenance
    ) values (
      ${randomUUIDv7()}, ${owner}, ${job}, ${name}, ${kind}, decode(${stored.sha256}, 'hex'), ${stored.size}, ${mediaType},
      ${width}, ${height}, ${duration}, ${thumbnailId}, ${capability}, ${provider}, ${JSON.stringify(stored.provenance)}::jsonb
    ) on conflict (job, name) do nothing returning ${assetColumns}`);
}

/** Builds the event for the owner's subscribers. */
function eventOf(asset: Asset, { surface }: AssetOrigin): Readonly<Record<string, unknown>> {
  const { id, job, name, kind, sha256, size, mediaType, width, height, duration, thumbnail, provenance } = asset;
  const shape = { sha256, size, mediaType, width, height, duration, thumbnail, provenance: provenance.kind };
  return { id, job, name, kind, ...shape, surface };
}

function missing({ id, erasedAt }: Asset): AppError {
  if (!erasedAt)
    return new AppError('internal', `expected the bytes of asset ${id} in the artefact storage, got none.`);
  const at = erasedAt.toISOString();
  return new AppError(
    'not_found',
    `expected an asset that is still stored, got ${id}, whose bytes were erased ${at} by retention.`,
    {
      erased_at: at,
    },
  );
}
