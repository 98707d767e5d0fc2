import { randomUUIDv7 } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { uuidOf } from '#src/platform/edge/list-query.ts';
import { dropContent, lockContent } from '#src/providers/assets/asset-content.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Purposes that clients may upload a file for, in the words of OpenAI. */
export const uploadPurposes = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'] as const;
/** Purposes of files, those of the files that we write included. */
export const filePurposes = [...uploadPurposes, 'batch_output'] as const;
export type FilePurpose = (typeof filePurposes)[number];

const Row = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  name: Type.String(),
  purpose: Type.Unsafe<FilePurpose>({ enum: [...filePurposes] }),
  mediaType: Type.String(),
  /** Lower-case hexadecimal. */
  sha256: Type.String(),
  /** Bytes. */
  size: Type.Integer(),
  createdAt: Type.Unsafe<Date>({}),
  /** Time at which it is forgotten. */
  expiresAt: Type.Unsafe<Date>({}),
});
export type StoredFile = Static<typeof Row>;

const fileRow = row(Row);
const columns = sql.fragment`
  id, owner, name, purpose, media_type as "mediaType", encode(sha256, 'hex') as sha256, size, created_at as "createdAt",
  expires_at as "expiresAt"`;

/** A content that lies in the storage. */
export interface Content {
  readonly sha256: string;
  readonly size: number;
}

export interface NewFile {
  readonly owner: string;
  readonly name: string;
  readonly purpose: FilePurpose;
  readonly mediaType: string;
  /** Seconds until it is forgotten; never longer than FILE_RETENTION_DAYS. */
  readonly seconds?: number | undefined;
}

/**
 * Makes a content that was just put into the storage a file of its owner's, in the caller's transaction.
 *
 * @throws AppError `unavailable` where the same content was being forgotten meanwhile: it has to be put again.
 */
export async function recordFile(
  context: Context,
  tx: CommonQueryMethods,
  { sha256, size }: Content,
  { owner, name, purpose, mediaType, seconds = Infinity }: NewFile,
): Promise<StoredFile> {
  await lockContent(tx, sha256);
  if (!(await blobsOf(context).holds(sha256))) {
    const message = 'expected the bytes of a file that was just stored, got none: the same content was being erased.';
    throw new AppError('unavailable', `${message} Try again.`);
  }
  const life = Math.min(seconds, context.config.FILE_RETENTION_DAYS * 86_400);
  return await tx.one(sql.type(fileRow)`
    insert into files (id, owner, name, purpose, media_type, sha256, size, expires_at)
    values (${randomUUIDv7()}, ${owner}, ${name}, ${purpose}, ${mediaType}, decode(${sha256}, 'hex'), ${size},
      now() + ${life} * interval '1 second')
    returning ${columns}`);
}

/** Removes a content that no file uses any more, unless something else needs it. */
export async function abandonContent(context: Context, { sha256 }: Pick<Content, 'sha256'>): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockContent(tx, sha256);
    await dropContent(context, tx, sha256);
  });
}

/** A file by its public id (`file-…`); null where this owner has none, or it is past its time. */
export async function readFile(
  { db }: { readonly db: CommonQueryMethods },
  owner: string,
  id: string,
): Promise<StoredFile | null> {
  const uuid = uuidOf('file', id);
  if (uuid === null) return null;
  return await db.maybeOne(sql.type(fileRow)`
    select ${columns} from files where id = ${uuid} and owner = ${owner} and expires_at > now()`);
}

export interface FileFilter {
  readonly owner: string;
  readonly purpose?: string | undefined;
  /** Id within the table of the last file of the page before. */
  readonly after?: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** An owner's files, by the time at which they came. */
export async function listFiles(
  { db }: Pick<Context, 'db'>,
  { owner, purpose, after, order, limit }: FileFilter,
): Promise<readonly StoredFile[]> {
  const isUp = order === 'asc';
  const beyond = isUp ? sql.fragment`id > ${after ?? null}` : sql.fragment`id < ${after ?? null}`;
  return await db.any(sql.type(fileRow)`
    select ${columns} from files where owner = ${owner} and expires_at > now()
    and ${after === undefined ? sql.fragment`true` : beyond}
    and ${purpose === undefined ? sql.fragment`true` : sql.fragment`purpose = ${purpose}`}
    order by id ${isUp ? sql.fragment`asc` : sql.fragment`desc`} limit ${limit}`);
}

/** Forgets a file, and its bytes unless something else needs them. @returns whether there was one */
export async function deleteFile(
  context: Context,
  { id, sha256 }: Pick<StoredFile, 'id' | 'sha256'>,
): Promise<boolean> {
  return await context.db.transaction(async (tx) => {
    await lockContent(tx, sha256);
    const { rowCount } = await tx.query(sql.unsafe`delete from files where id = ${id}`);
    if (rowCount === 0) return false;
    await dropContent(context, tx, sha256);
    return true;
  });
}

/** Files that are past their time, oldest first. */
export async function listExpiredFiles({ db }: Pick<Context, 'db'>, limit: number): Promise<readonly StoredFile[]> {
  return await db.any(sql.type(fileRow)`
    select ${columns} from files where expires_at <= now() order by expires_at limit ${limit}`);
}

/**
 * The bytes of a file as a stream, to be read or destroyed.
 *
 * @throws AppError `internal` where the storage has lost them, `unavailable` where it does not answer.
 */
export async function openFile(context: Context, { id, sha256 }: Pick<StoredFile, 'id' | 'sha256'>): Promise<Readable> {
  const opened = await blobsOf(context).open(sha256);
  if (opened) return opened.stream;
  throw new AppError('internal', `expected the bytes of file ${id} in the artefact storage, got none.`);
}

/** All bytes of a file, in memory: look at its size first. @throws as {@link openFile} */
export async function fileBytes(context: Context, file: Pick<StoredFile, 'id' | 'sha256'>): Promise<Uint8Array> {
  return await buffer(await openFile(context, file));
}
