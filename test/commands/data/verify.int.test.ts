import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import {
  anchored,
  anchoredManifest,
  type ChainAnswers,
  manifestOf,
  onOneChain,
  sealedReceipt,
  testKey,
  trustIn,
} from '#test/receipts/sample.ts';

const root = join(import.meta.dirname, '../../..');

/** Files, and one server that is both the service's published documents and a chain's endpoint. */
async function scene() {
  const key = testKey(1);
  const sealed = await anchored(await sealedReceipt(key));
  const { receipt } = sealed;
  const keys = await manifestOf(key);
  const { jwks, manifest, anchors: accounts } = trustIn(keys);
  const ofKeys = await anchoredManifest(receipt, keys);
  const answers = onOneChain(sealed.answers, ofKeys.answers);
  const folder = mkdtempSync(join(tmpdir(), 'proofline-verify-'));
  const file = (name: string, value: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
    return path;
  };
  const documents: Record<string, unknown> = {
    '/.well-known/jwks.json': jwks,
    '/.well-known/seal-manifest.json': manifest,
    '/.well-known/anchor-accounts.json': { accounts },
    '/.well-known/seal-manifest-anchors.json': ofKeys.anchors,
  };
  const server = createServer((request, response) => {
    void textOf(request).then((body) =>
      response.end(JSON.stringify(documents[request.url ?? ''] ?? rpcAnswer(answers, body))),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pins = [
    '--jwks',
    file('jwks.json', jwks),
    '--manifest',
    file('m.json', manifest),
    '--anchors',
    file('a.json', { accounts }),
  ];
  return {
    receipt,
    file,
    url,
    pins,
    /** What the service says of the anchors of its manifest from now on. */
    publishAnchors: (anchors: unknown) => void (documents['/.well-known/seal-manifest-anchors.json'] = anchors),
    [Symbol.dispose]: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function rpcAnswer(answers: ChainAnswers, body: string) {
  const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
  return { jsonrpc: '2.0', id: 1, result: answers[[method, ...params].join(',')] ?? null };
}

async function proofline(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; out: string; err: string }>();
  const child = execFile(process.execPath, [join(root, 'src/cli.ts'), 'verify', ...args], (error, out, err) =>
    resolve({ code: error === null ? 0 : Number(error.code), out, err }),
  );
  child.stdin?.end(input);
  return await promise;
}

const timeout = 120_000;

test('a whole receipt: 0 with the chain asked, 2 without, from files, from the service and from standard input', {
  timeout,
}, async () => {
  using here = await scene();
  const path = here.file('receipt.json', { ...here.receipt, attestation: { integrity: {} } });
  const whole = await proofline([path, ...here.pins, '--rpc', here.url]);
  expect(whole).toMatchObject({ code: 0, err: '' });
  expect(whole.out).toMatch(/^integrity +pass /);
  expect(whole.out).toMatch(/^anchor +pass +The calldata of 0x/m);
  expect(await proofline(['-', '--url', here.url, '--rpc', here.url], JSON.stringify(here.receipt))).toMatchObject({
    code: 0,
  });
  expect(whole.out).not.toContain('manifest-anchor');
  const { id } = here.receipt;
  const requested = async (one: string) => await proofline([path, ...here.pins, '--rpc', here.url, '--id', one]);
  expect(await requested(id.toUpperCase())).toMatchObject({ code: 0 });
  const another = await requested('0198c0de-0000-7000-8000-000000000000');
  expect(another.code).toBe(1);
  expect(another.out).toMatch(
    new RegExp(
      `^  identity +fail +expected the receipt 0198c0de-\\S+, which was requested, got that of ${id}\\.$`,
      'm',
    ),
  );
  const offline = await proofline([path, ...here.pins, '--json']);
  expect(offline.code).toBe(2);
  expect(JSON.parse(offline.out)).toMatchObject({
    integrity: { verdict: 'pass' },
    authenticity: { verdict: 'pass' },
    // nothing was asked of the chain
    anchor: { verdict: 'not-checked', equalsRoot: null },
  });
});

test('a service that is named is asked where the chain has its manifest, wherever there is a chain to ask', {
  timeout,
}, async () => {
  using here = await scene();
  const args = [here.file('receipt.json', here.receipt), '--url', here.url];
  const checked = await proofline([...args, '--rpc', here.url]);
  expect(checked).toMatchObject({ code: 0, err: '' });
  expect(checked.out).toMatch(/^ +manifest-anchor +pass +The chain has every version of the manifest \(1\)/m);
  here.publishAnchors({ versions: [] });
  const waiting = await proofline([...args, '--rpc', here.url]);
  expect(waiting.code).toBe(2);
  expect(waiting.out).toMatch(/^authenticity +pending +Version 1 of the manifest is not anchored yet/m);
  expect((await proofline(args)).out).toMatch(/^authenticity +pass /m);
});

test('where the anchors of the manifest are given they count: 2 while a version waits, 1 for no such document', {
  timeout,
}, async () => {
  using here = await scene();
  const args = [here.file('receipt.json', here.receipt), ...here.pins, '--rpc', here.url, '--manifest-anchors'];
  const waiting = await proofline([...args, here.file('none.json', { versions: [] })]);
  expect(waiting.code).toBe(2);
  expect(waiting.out).toMatch(/^ +manifest-anchor +pending +Version 1 of the manifest is not anchored yet/m);
  expect(await proofline([...args, here.file('wrong.json', {})])).toMatchObject({ code: 1 });
});

test('a changed receipt: 1, and the reason', { timeout }, async () => {
  using here = await scene();
  const changed: Receipt = { ...here.receipt, statement: { ...here.receipt.statement, subject: [] } };
  const text = JSON.stringify(here.receipt).replace('"outcome":"succeeded"', '"outcome":"failed"');
  for (const [content, reason] of [
    [JSON.stringify(changed), 'must not have fewer than 1 items'],
    [text, 'expected the root 0x'],
  ] as const) {
    const { code, out } = await proofline([here.file('changed.json', content), ...here.pins, '--rpc', here.url]);
    expect(code).toBe(1);
    expect(out).toContain(reason);
  }
});

test('error: wrong use, or nothing to check: 2, and what was expected', { timeout }, async () => {
  using here = await scene();
  const path = here.file('receipt.json', here.receipt);
  const doubled = here.file('doubled.json', JSON.stringify(here.receipt).replace('{', '{"id":"other",'));
  const cases: readonly (readonly [args: readonly string[], message: string])[] = [
    [[doubled, ...here.pins], 'expected every name once in an object, got "id" again'],
    [[join(root, 'no-such-file.json')], 'expected a file that can be read'],
    [[path, '--rpc', 'chain'], '--rpc: expected an address that starts with'],
  ];
  for (const [args, message] of cases) {
    const { code, err } = await proofline(args);
    expect({ code, err: err.includes(message) ? message : err }).toEqual({ code: 2, err: message });
  }
});
