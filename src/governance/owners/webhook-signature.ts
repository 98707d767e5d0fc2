import { createHmac } from 'node:crypto';

/**
 * Headers by which the receiver recognises a message of ours, and a repeated one (Standard Webhooks 1.0).
 *
 * @param secrets the message is signed with each: its receiver may still have the one before
 */
export function signWebhook(
  secrets: readonly string[],
  id: string,
  body: string,
  at: Date = new Date(),
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
