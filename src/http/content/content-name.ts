/** Endings of what we make; anything else has none. */
const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'image/svg+xml': '.svg',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'audio/mp4': '.m4a',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/ogg': '.ogg',
  'audio/aac': '.aac',
  'audio/flac': '.flac',
  'audio/pcm': '.pcm',
  'text/vtt': '.vtt',
  'text/plain': '.txt',
  'application/json': '.json',
  'application/zip': '.zip',
};

/**
 * Media types that a browser may show; all others it stores. No SVG among them, which is a document that can hold
 * scripts.
 */
const shown = /^(image\/(png|jpeg|webp|gif)|(video|audio)\/[\w.+-]+)$/;

/** A media type that is one, in lower case and without parameters but a charset; else bytes of no known kind. */
export function safeType(mediaType: string): string {
  const type = mediaType.toLowerCase();
  return /^[a-z]+\/[\w.+-]{1,100}(; ?charset=[\w-]{1,40})?$/.test(type) ? type : 'application/octet-stream';
}

/** A `Content-Disposition` (RFC 6266) whose file name is plain letters, and cannot begin with a dot. */
export function dispositionOf(name: string, mediaType: string): string {
  const [type = ''] = mediaType.split(';', 1);
  const stem = name
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, 100);
  const file = `${stem === '' ? 'artefact' : stem}${endings[type] ?? ''}`;
  return `${shown.test(type) ? 'inline' : 'attachment'}; filename="${file}"`;
}
