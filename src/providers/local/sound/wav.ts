/** Samples a second of everything that is made here. */
export const SAMPLE_RATE = 48_000;

/**
 * A WAV file of 16-bit PCM at 48 kHz (RIFF, format 1).
 *
 * @param channels samples from -1 to 1, all of one length; louder ones are cut off
 */
export function wavOf(channels: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const frames = channels[0]?.length ?? 0;
  const step = channels.length * 2;
  const file = Buffer.alloc(44 + frames * step);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(channels.length, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE * step, 28);
  file.writeUInt16LE(step, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(frames * step, 40);
  const samples = new Int16Array(file.buffer, file.byteOffset + 44, frames * channels.length);
  for (const [index, channel] of channels.entries()) {
    for (let i = 0; i < frames; i++) {
      samples[i * channels.length + index] = Math.round(Math.max(-1, Math.min(1, channel[i]!)) * 32_767);
    }
  }
  return file;
}
