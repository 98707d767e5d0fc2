import { type Static, Type } from 'typebox';
import { publicId } from '#src/platform/edge/list-query.ts';
import { filePurposes, type StoredFile } from './file-store.ts';

const Seconds = (description: string) => Type.Integer({ description: `${description}, in seconds since 1970` });

/** A file as clients of OpenAI's kind know it. */
export const FileView = Type.Object(
  {
    id: Type.String({ description: 'Names the file' }),
    object: Type.Enum(['file'], { type: 'string' }),
    bytes: Type.Integer({ minimum: 0, description: 'Size in bytes' }),
    created_at: Seconds('Time of the upload'),
    expires_at: Seconds('Time at which it is erased'),
    filename: Type.String({ description: 'Name that the client gave it' }),
    purpose: Type.Enum([...filePurposes], { type: 'string', description: 'Purpose of the file' }),
    status: Type.Enum(['processed'], { type: 'string', description: 'A file is ready once it is there' }),
  },
  { $id: 'PlatformFile', title: 'PlatformFile', description: 'A file of yours, without its bytes' },
);
export type FileView = Static<typeof FileView>;

export function fileView({ id, size, createdAt, expiresAt, name, purpose }: StoredFile): FileView {
  return {
    id: publicId('file', id),
    object: 'file',
    bytes: size,
    created_at: seconds(createdAt),
    expires_at: seconds(expiresAt),
    filename: name,
    purpose,
    status: 'processed',
  };
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
