/** One film that is planned for the product itself, before anything is spent on it. */
export interface PlannedMedia {
  readonly id: string;
  readonly title: string;
  readonly productSurface: string;
  readonly duration: string;
  readonly aspectRatios: readonly string[];
  readonly primaryRoute: string;
  readonly backupRoute: string;
  /** Kinds of provider; which ones they are is decided by a plan. */
  readonly providers: readonly string[];
  readonly capabilities: readonly string[];
  readonly seoOutputs: readonly string[];
  readonly status: 'planned_pre_spend';
}

const status = 'planned_pre_spend';

/** The five of section 1 of the studio document. */
export const flagshipMediaRoadmap: readonly PlannedMedia[] = [
  {
    id: 'hero-command-room',
    title: 'The command room',
    productSurface: 'studio landing page',
    duration: '12-15s seamless loop',
    aspectRatios: ['16:9', '9:16', '1:1'],
    primaryRoute: 'still to film on a cinematic video provider, uploaded and measured',
    backupRoute: 'local animatic of the same stills',
    providers: ['image-provider', 'video-provider', 'storage-provider'],
    capabilities: ['video.from-image', 'video.cinematic-shot', 'storage.upload', 'video.analytics'],
    seoOutputs: ['video sitemap entry', 'poster image with alt text', 'structured data (VideoObject)'],
    status,
  },
  {
    id: 'avatar-operators',
    title: 'The operators',
    productSurface: 'developer console',
    duration: '6-8s per operator',
    aspectRatios: ['9:16', '1:1'],
    primaryRoute: 'synthesised speech on a real-time avatar provider',
    backupRoute: 'portrait with lip-sync from recorded speech',
    providers: ['avatar-provider', 'voice-provider'],
    capabilities: ['avatar.realtime', 'avatar.lipsync', 'tts.synthesize', 'video.lipsync'],
    seoOutputs: ['transcript', 'captions (WebVTT)', 'structured data (VideoObject)'],
    status,
  },
  {
    id: 'commercial-transformation',
    title: 'From brief to broadcast',
    productSurface: 'product page',
    duration: '10-12s',
    aspectRatios: ['16:9', '9:16', '4:5'],
    primaryRoute: 'product stills to cinematic shots, cut together',
    backupRoute: 'pan and zoom over the same stills',
    providers: ['image-provider', 'video-provider', 'storage-provider'],
    capabilities: ['video.from-image', 'video.cinematic-shot', 'video.edit', 'storage.upload'],
    seoOutputs: ['poster image with alt text', 'key moments (Clip)', 'structured data (VideoObject)'],
    status,
  },
  {
    id: 'social-content-engine',
    title: 'One story, every channel',
    productSurface: 'campaign workspace',
    duration: '8-10s',
    aspectRatios: ['9:16', '16:9', '1:1'],
    primaryRoute: 'one cut, framed and captioned for each channel',
    backupRoute: 'export packages for a person to post',
    providers: ['video-provider', 'channel-provider', 'analytics-provider'],
    capabilities: ['video.edit', 'social.publish', 'social.analytics', 'analytics.events'],
    seoOutputs: ['caption and hashtags for each channel', 'link preview image', 'transcript'],
    status,
  },
  {
    id: 'cinematic-showcase',
    title: 'Five films',
    productSurface: 'showcase gallery',
    duration: 'five clips, 6-15s each',
    aspectRatios: ['16:9', '9:16', '1:1'],
    primaryRoute: 'text to film and still to film, narrated and cut',
    backupRoute: 'local animatic with narration',
    providers: ['video-provider', 'image-provider', 'voice-provider', 'storage-provider'],
    capabilities: ['video.generate', 'video.from-image', 'tts.synthesize', 'video.edit', 'storage.upload'],
    seoOutputs: ['video sitemap entries', 'transcripts', 'structured data (ItemList of VideoObject)'],
    status,
  },
];
