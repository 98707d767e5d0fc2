import { hash } from 'node:crypto';
import type { Asset } from '#src/providers/assets/assets.ts';
import type { Publication } from '#src/studio/packages/package-manifest.ts';

/** An asset that nobody has made, for what only looks at it. */
export function someAsset(n: number, more: Partial<Asset> = {}): Asset {
  return {
    id: `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    owner: 'ada',
    job: '01990000-0000-7000-8000-00000000aaaa',
    name: `asset-${n}`,
    kind: 'image',
    sha256: hash('sha256', `${n}`, 'hex'),
    size: 1,
    mediaType: 'image/png',
    width: 1_280,
    height: 720,
    duration: null,
    thumbnail: null,
    capability: null,
    provider: null,
    provenance: { kind: 'none', note: '' },
    createdAt: new Date(0),
    erasedAt: null,
    ...more,
  };
}

export function someFilm(n: number, more: Partial<Asset> = {}): Asset {
  return someAsset(n, { kind: 'video', mediaType: 'video/mp4', duration: 6, ...more });
}

export function somePublication(more: Partial<Publication> = {}): Publication {
  return {
    jobId: '01990000-0000-7000-8000-00000000bbbb',
    planId: null,
    title: 'Shoes that run',
    caption: 'Shoes that run by themselves.',
    approval: {
      id: '01990000-0000-7000-8000-00000000cccc',
      effectSha256: 'ab'.repeat(32),
      usedAt: new Date('2026-11-22T10:00:00Z'),
    },
    receiptUrl: 'http://127.0.0.1:3000/api/v1/receipts/01990000-0000-7000-8000-00000000bbbb',
    assets: [],
    ...more,
  };
}
