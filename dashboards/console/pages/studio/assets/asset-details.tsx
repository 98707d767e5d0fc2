import { Button } from '@mantine/core';
import type { Asset } from '#console/pages/studio/parts/studio-types.ts';
import { capabilityTitle, formatSize } from '#console/pages/studio/parts/words.ts';
import { CopyId } from '#console/ui/copy-id.tsx';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Time } from '#console/ui/time.tsx';
import classes from './asset-details.module.css';

const provenanceWords = {
  c2pa: 'a signed manifest (C2PA) is in the file',
  sidecar: 'a manifest lies beside it',
  none: 'none',
} as const;

/** Details of an asset: its kind, its maker, its digest, and its own statement of its origin. */
export function AssetDetails({ asset }: { readonly asset: Asset }) {
  const { mediaType, size, width, height, duration, provider, capability, sha256, provenance, createdAt, status } =
    asset;
  return (
    <div className={classes['details']}>
      <KeyValue
        facts={{
          Name: asset.name,
          Type: mediaType,
          Size: [
            width && height ? `${width} × ${height}` : null,
            duration === null ? null : `${Math.round(duration * 10) / 10} s`,
            formatSize(size),
          ]
            .filter(Boolean)
            .join(' · '),
          'Made by': provider && `${provider}${capability ? `, ${capabilityTitle(capability).toLowerCase()}` : ''}`,
          Made: <Time at={createdAt} />,
          'SHA-256': <CopyId value={sha256} shown={`${sha256.slice(0, 20)}…`} what="digest" />,
          Provenance: (
            <>
              {provenanceWords[provenance.kind]}
              {provenance.signer && (
                <div className="quiet">
                  signed by {provenance.signer.subject}
                  {provenance.signer.development && ', a certificate that only this installation trusts'}
                </div>
              )}
              {provenance.kind === 'none' && <div className="quiet">{provenance.note}</div>}
            </>
          ),
        }}
      />
      {status === 'kept' && (
        <Button
          component="a"
          href={asset.links.content}
          download
          variant="default"
          leftSection={<Icon name="download" size={14} />}
        >
          Download {asset.name}
        </Button>
      )}
    </div>
  );
}
