import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that takes what it is sent, or refuses everything. */
export async function openMailServer() {
  const mails: { readonly from: string; readonly to: readonly string[]; readonly text: string }[] = [];
  const refusing = { now: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        if (refusing.now) return done(Object.assign(new Error('Try again later.'), { responseCode: 451 }));
        const mail = Buffer.concat(chunks).toString();
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), text: mail });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    refusing,
    [Symbol.asyncDispose]: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The link in the text of a mail. @throws where there is none */
export function linkIn(mail: string): URL {
  const text = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [, link] = /^[^<\n]*: (https?:\S+)\r?$/m.exec(text) ?? [];
  if (link === undefined) throw new Error(`expected a mail with a link, got ${text}`);
  return new URL(link);
}
