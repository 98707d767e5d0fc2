import { createTransport } from 'nodemailer';
import type { Context } from '#src/system/context.ts';
import { type Message, sentenceOf } from './sentence.ts';

const TIMEOUT_MS = 10_000;

const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Sends an event by mail, over the server of SMTP_URL.
 *
 * @param id names the message: at every attempt it has the same Message-ID
 * @returns the server’s answer
 * @throws Error where the server cannot be reached, or refuses it
 */
export async function sendMail(
  { config }: Pick<Context, 'config'>,
  { id, to, body }: { readonly id: string; readonly to: string; readonly body: string },
): Promise<string> {
  const { title, text, url, action } = sentenceOf(JSON.parse(body) as Message);
  const transport = createTransport({
    url: config.SMTP_URL,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    // a body of ours names no file and no address to fetch
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const domain = config.MAIL_FROM.split('@').at(-1)?.replace(/>$/, '') ?? 'proofline';
    const { response } = await transport.sendMail({
      from: config.MAIL_FROM,
      to: { name: '', address: to },
      subject: title,
      messageId: `<${id}@${domain}>`,
      headers: { 'auto-submitted': 'auto-generated' },
      text: [title, text, url && `${action}: ${url}`].filter(Boolean).join('\n\n'),
      html: `<p><strong>${html(title)}</strong></p>${text && `<p>${html(text)}</p>`}${
        url ? `<p><a href="${html(url)}">${html(action)}</a></p>` : ''
      }`,
    });
    return response;
  } finally {
    transport.close();
  }
}
