import { join, resolve } from 'node:path';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import type { Blobs } from './blob-store.ts';
import { diskBlobs } from './disk-blobs.ts';
import { s3Blobs } from './s3-blobs.ts';

/** The storage of this process: a folder, or a bucket. */
export const blobsOf = perContext(({ config, onClose }: Context): Blobs => {
  const local = { folder: artefactsFolder(config), maxBytes: config.ARTEFACT_MAX_BYTES };
  if (config.ARTEFACTS_S3_BUCKET === '') return diskBlobs(local);
  const { close, ...blobs } = s3Blobs({
    ...local,
    bucket: config.ARTEFACTS_S3_BUCKET,
    endpoint: config.ARTEFACTS_S3_ENDPOINT,
    region: config.ARTEFACTS_S3_REGION,
    pathStyle: config.ARTEFACTS_S3_PATH_STYLE === 'yes',
  });
  onClose(close);
  return blobs;
});

function artefactsFolder({ ARTEFACTS_FOLDER: folder, PROOFLINE_HOME: home }: Config): string {
  return resolve(folder === '' ? join(home, 'artefacts') : folder);
}
