/** One message of a stream of server-sent events, as the HTML standard has them. */
export interface Message {
  readonly event: string;
  readonly data: string;
  /** Absent where the message had none of its own. */
  readonly id?: string;
}

export interface Parser {
  /** Takes the next piece of text, cut wherever it may be; gives the messages that it completes. */
  readonly push: (text: string) => readonly Message[];
  /** Milliseconds that the server wants between two connections, once it has said so. */
  readonly retryMs: () => number | undefined;
}

/** Reads server-sent events piece by piece. A message that its empty line does not end is dropped, as the standard wants. */
export function createParser(): Parser {
  let rest = '';
  let isFirst = true;
  let retry: number | undefined;
  let event = '';
  let data: string[] = [];
  let id: string | undefined;

  const take = (line: string, messages: Message[]): void => {
    if (line === '') {
      if (data.length > 0)
        messages.push({ event: event || 'message', data: data.join('\n'), ...(id !== undefined && { id }) });
      event = '';
      data = [];
      id = undefined;
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
    if (field === 'id' && !value.includes('\0')) id = value;
    if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  };

  return {
    push: (text) => {
      const messages: Message[] = [];
      rest += isFirst ? text.replace(/^\u{FEFF}/u, '') : text;
      if (text !== '') isFirst = false;
      // a carriage return at the end may be the first half of a line's end
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) take(line, messages);
      return messages;
    },
    retryMs: () => retry,
  };
}
