/** `00:01.500` or `01:02:03.500`. */
const TIME = String.raw`(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}`;
const CUE = new RegExp(String.raw`(${TIME})([ \t]+-->[ \t]+)(${TIME})`, 'u');

/**
 * A WebVTT file for a film that ends after so many seconds: cues that begin later go, one that is open then ends with
 * it.
 */
export function cutCaptions(vtt: string, seconds: number): string {
  const blocks = vtt
    .replace(/\r\n?/gu, '\n')
    .trimEnd()
    .split(/\n{2,}/u);
  const remaining = blocks.flatMap((block) => {
    const cue = CUE.exec(block);
    if (!cue) return [block];
    const [, from = '', arrow = '', to = ''] = cue;
    if (secondsOf(from) >= seconds) return [];
    return [secondsOf(to) <= seconds ? block : block.replace(CUE, `${from}${arrow}${stamp(seconds)}`)];
  });
  return `${remaining.join('\n\n')}\n`;
}

function secondsOf(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

function stamp(seconds: number): string {
  const ms = Math.floor(seconds * 1_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}.${String(ms % 1_000).padStart(3, '0')}`;
}
