import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { allowedUrl } from '#src/system/outside/outside.ts';
import type { Format } from './event-types.ts';

type Settings = Pick<Config, 'PLATFORM_WEBHOOK_ORIGINS' | 'MAIL_RECIPIENTS' | 'SMTP_URL'>;
const ADDRESS = /^[!#-'*+/-9=?A-Z^-~-]+(\.[!#-'*+/-9=?A-Z^-~-]+)*@[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

/**
 * Checks an address that an endpoint is to have, and answers it as it is stored. What a name leads to is checked at
 * each message.
 *
 * @throws AppError `invalid_request` for one to which nothing could ever be sent, `forbidden` for a mail address that
 *   is neither the caller’s own nor among MAIL_RECIPIENTS
 */
export function assertAddress(
  config: Settings,
  principal: Pick<Principal, 'session'>,
  format: Format,
  url: string,
  field = 'body.url',
): string {
  if (format === 'mail') return mailAddress(config, principal, url, field);
  try {
    return allowedUrl(url, config.PLATFORM_WEBHOOK_ORIGINS, true).href;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid_request', `${field}: ${error.message}`, { field }, error);
  }
}

function mailAddress(config: Settings, { session }: Pick<Principal, 'session'>, url: string, field: string): string {
  if (config.SMTP_URL === '')
    throw new AppError(
      'invalid_request',
      `${field}: expected another format: this service sends no mail (SMTP_URL is not set).`,
      {
        field,
      },
    );
  const address = url.replace(/^mailto:/, '').toLowerCase();
  if (!ADDRESS.test(address))
    throw new AppError(
      'invalid_request',
      `${field}: expected a mail address such as mailto:ada@example.com, got ${JSON.stringify(url.slice(0, 200))}.`,
      {
        field,
      },
    );
  if (address !== session?.email && !mayReceive(config, address))
    throw new AppError(
      'forbidden',
      `${field}: expected your own address, or one to which this service may send mail (MAIL_RECIPIENTS), got ${address}.`,
      { field, reason: 'address' },
    );
  return `mailto:${address}`;
}

/** Checks whether the settings allow mail to an address: by itself, or by its domain. */
export function mayReceive({ MAIL_RECIPIENTS }: Pick<Config, 'MAIL_RECIPIENTS'>, address: string): boolean {
  return MAIL_RECIPIENTS.some((one) => one === address || (one.startsWith('@') && address.endsWith(one)));
}
