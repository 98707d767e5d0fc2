import type { Channel } from './words.ts';

/** Media and texts that a channel takes. */
export interface ChannelFormat {
  readonly title: string;
  readonly aspect: '16:9' | '9:16' | '1:1' | '4:5';
  /** Longest film it takes, in seconds; null for any. */
  readonly seconds: number | null;
  /** Longest caption, in characters. */
  readonly caption: number;
  /** Longest title, in characters; null where it has none. */
  readonly headline: number | null;
  /** Most hashtags that count. */
  readonly hashtags: number;
}

/**
 * Formats of the channels, as their own publishing pages gave them in 2026: limits move, so they stand in one table and
 * each package says which it was made for.
 */
export const channelFormats: Readonly<Record<Channel, ChannelFormat>> = {
  tiktok: { title: 'TikTok', aspect: '9:16', seconds: 600, caption: 2_200, headline: null, hashtags: 5 },
  instagram: { title: 'Instagram', aspect: '4:5', seconds: 90, caption: 2_200, headline: null, hashtags: 30 },
  youtube_shorts: {
    title: 'YouTube Shorts',
    aspect: '9:16',
    seconds: 180,
    caption: 5_000,
    headline: 100,
    hashtags: 15,
  },
  linkedin: { title: 'LinkedIn', aspect: '1:1', seconds: 600, caption: 3_000, headline: null, hashtags: 5 },
  x_twitter: { title: 'X', aspect: '16:9', seconds: 140, caption: 280, headline: null, hashtags: 3 },
  pinterest: { title: 'Pinterest', aspect: '9:16', seconds: 300, caption: 500, headline: 100, hashtags: 20 },
  shopify: { title: 'Shopify', aspect: '1:1', seconds: 600, caption: 5_000, headline: 70, hashtags: 0 },
  gumroad: { title: 'Gumroad', aspect: '16:9', seconds: null, caption: 5_000, headline: 100, hashtags: 0 },
  manual_export: { title: 'Manual export', aspect: '16:9', seconds: null, caption: 5_000, headline: 140, hashtags: 30 },
};

export type Aspect = ChannelFormat['aspect'];
