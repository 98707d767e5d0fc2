import type { Asset } from '#src/providers/assets/assets.ts';
import { type ChannelFormat, channelFormats } from '#src/studio/domain/channel-formats.ts';
import { type Counting, countingOf } from '#src/studio/domain/count-characters.ts';
import { altTextOf, captionFor, headlineFor } from '#src/studio/domain/fit-text.ts';
import { type Schedule, suggestSchedule } from '#src/studio/domain/suggest-schedule.ts';
import type { Channel } from '#src/studio/domain/words.ts';
import type { PackageFile } from './package-files.ts';

/** Facts of a publication that each of its packages states. */
export interface Publication {
  readonly jobId: string;
  readonly planId: string | null;
  readonly title: string | null;
  /** The text that was approved. */
  readonly caption: string;
  readonly approval: {
    readonly id: string;
    /** SHA-256 of the approved effect, lower-case hexadecimal. */
    readonly effectSha256: string;
    readonly usedAt: Date;
  };
  /** Address at which anybody can read and check the receipt, once the job has ended. */
  readonly receiptUrl: string;
  readonly assets: readonly Asset[];
}

/** A file as a manifest lists it. */
interface Listed {
  readonly path: string;
  readonly role: PackageFile['role'];
  readonly mediaType: string;
  readonly sha256: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly altText: string | null;
  /** The asset whose bytes it is; null for a text that was written for the package. */
  readonly assetId: string | null;
  /** The approved asset that it was re-framed from. */
  readonly reframedFrom: string | null;
  /** Form in which it states its own origin: `c2pa`, `sidecar` or `none`. */
  readonly provenance: Asset['provenance']['kind'] | null;
}

/** All that there is to say of a package: its `manifest.json`. */
export interface PackageManifest {
  readonly type: 'package';
  readonly version: 1;
  readonly channel: Channel;
  /** The limits that it was made for. */
  readonly madeFor: ChannelFormat & { readonly counts: Counting };
  readonly jobId: string;
  readonly planId: string | null;
  readonly receipt: { readonly id: string; readonly url: string };
  readonly approval: { readonly id: string; readonly effectSha256: string; readonly usedAt: string };
  readonly caption: string;
  readonly title: string | null;
  readonly schedule: Schedule & { readonly isSuggestion: true };
  readonly files: readonly Listed[];
  /** Approved assets, whether they are in here or not. */
  readonly assets: readonly { readonly id: string; readonly name: string; readonly sha256: string }[];
  readonly leftOut: readonly { readonly assetId: string; readonly why: string }[];
  /** Points that a person has to check before this goes out. */
  readonly warnings: readonly string[];
}

export interface Packed {
  /** Media and captions, before the texts that are written for the package. */
  readonly files: readonly PackageFile[];
  readonly leftOut: readonly { readonly asset: Asset; readonly why: string }[];
  readonly warnings: readonly string[];
}

/** The manifest of a channel's package: the same for the same publication, whenever it is made. */
export function manifestOf(publication: Publication, channel: Channel, packed: Packed): PackageManifest {
  const { jobId, planId, title, approval, receiptUrl, assets } = publication;
  const caption = captionFor(channel, publication.caption);
  return {
    type: 'package',
    version: 1,
    channel,
    madeFor: { ...channelFormats[channel], counts: countingOf(channel) },
    jobId,
    planId,
    receipt: { id: jobId, url: receiptUrl },
    approval: { id: approval.id, effectSha256: approval.effectSha256, usedAt: approval.usedAt.toISOString() },
    caption: caption.text,
    title: headlineFor(channel, title, publication.caption),
    schedule: { ...suggestSchedule(channel, approval.usedAt), isSuggestion: true },
    files: packed.files.map((file) => listed(file, altText(publication, file))),
    assets: assets.map(({ id, name, sha256 }) => ({ id, name, sha256 })),
    leftOut: packed.leftOut.map(({ asset, why }) => ({ assetId: asset.id, why })),
    warnings: [...caption.warnings, ...packed.warnings],
  };
}

function listed({ path, role, mediaType, sha256, size, asset, source }: PackageFile, alt: string | null): Listed {
  return {
    path,
    role,
    mediaType,
    sha256,
    size,
    width: asset?.width ?? null,
    height: asset?.height ?? null,
    duration: asset?.duration ?? null,
    altText: alt,
    assetId: asset?.id ?? null,
    reframedFrom: source?.id ?? null,
    provenance: asset?.provenance.kind ?? null,
  };
}

function altText({ title, caption }: Publication, { role, path, asset }: PackageFile): string | null {
  if (role === 'picture') return altTextOf(`Picture ${/(\d+)\.\w+$/.exec(path)?.[1] ?? ''}`.trim(), title, caption);
  if (role !== 'film') return null;
  const seconds = Math.round(asset?.duration ?? 0);
  return altTextOf(seconds > 0 ? `Film of ${seconds} s` : 'Film', title, caption);
}
