/** A line of a file, without its end. */
export interface BatchLine {
  /** From 1; blank ones count, as they do in an editor. */
  readonly number: number;
  /** Null for one that is longer than it may be; its bytes were passed by. */
  readonly text: string | null;
}

const NEWLINE = 0x0a;

/**
 * The lines of a text in UTF-8 that are not blank, one after the other: no more than one line and one chunk of it are
 * in memory. Bytes that are no UTF-8 become U+FFFD.
 */
export async function* readBatchLines(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<BatchLine, void, undefined> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    size += part.byteLength;
    // of a line that is too long only that fact is kept
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  const end = (): BatchLine | null => {
    number++;
    const text =
      size > maxBytes
        ? null
        : Buffer.concat(parts)
            .toString()
            .replace(/^\uFEFF/, '')
            .trim();
    parts = [];
    size = 0;
    return text === '' ? null : { number, text };
  };
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      const line = end();
      if (line) yield line;
    }
    add(chunk.subarray(from));
  }
  const last = end();
  if (last) yield last;
}
