import { expect, test } from 'vitest';
import { readChat } from '#src/platform/chat/read-chat.ts';
import { readItems } from '#src/platform/responses/model/read-items.ts';
import { isOpenUrl, isPublic } from '#src/system/outside/outside.ts';

const hidden = [
  'http://example.com/a.png',
  'https://ada:secret@example.com/a.png',
  'https://127.0.0.1/a.png',
  'https://127.1/a.png',
  'https://2130706433/a.png',
  'https://10.1.2.3/a.png',
  'https://169.254.169.254/latest',
  'https://[::1]/a.png',
  'https://[::127.0.0.1]/a.png',
  'https://[::ffff:10.0.0.1]/a.png',
  'https://[fe80::1]/a.png',
  'https://[64:ff9b::a00:1]/a.png',
  'https://localhost/a.png',
  'https://api.localhost./a.png',
  'https://metadata.google.internal/a.png',
  'https://printer.local/a.png',
  'file:///etc/passwd',
  'nonsense',
];
const open = ['https://example.com/a.png', 'https://93.184.216.34/a.png', 'https://[2606:4700::1111]/a.png'];

const inChat = (url: string) =>
  readChat({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
const inResponse = (url: string) =>
  readItems([{ role: 'user', content: [{ type: 'input_image', image_url: url }] }], () => undefined);

test.each(hidden)('%s is not of the open internet: no provider is given it', (url) => {
  expect(isOpenUrl(url)).toBe(false);
  const refused = { code: 'invalid_request', message: expect.stringContaining('of the open internet') };
  expect(() => inChat(url)).toThrow(expect.objectContaining(refused));
  expect(() => inResponse(url)).toThrow(expect.objectContaining(refused));
});

test.each([...open, 'data:image/png;base64,AAAA'])('%s is', (url) => {
  expect(inChat(url).request.messages).toMatchObject([{ content: [{ type: 'image', url }] }]);
  expect(inResponse(url).items).toMatchObject([{ content: [{ image_url: url }] }]);
});

test('ways to IPv4 that are written as IPv6 are not public', () => {
  const addresses = ['::7f00:1', '::127.0.0.1', '::a00:1', '::2', '64:ff9b::7f00:1', '2002:7f00:1::', '100:0:0:1::1'];
  expect(addresses.filter(isPublic)).toEqual([]);
  expect(['2606:4700::1', '1.1.1.1'].every(isPublic)).toBe(true);
});
