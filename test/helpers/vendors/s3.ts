import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An S3 storage on this machine, as much of it as we ask: one bucket in the path, signatures and sums checked. */
export interface S3Server extends AsyncDisposable {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** Each request: method, path and query. */
  readonly received: string[];
  /** Status that every write gets from now on; null takes them. */
  refuse: number | null;
}

interface ObjectRequest {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly key: string;
  readonly body: Buffer;
}

export const bucket = 'artefacts';
/** Credentials with which clients must sign. */
export const credentials = { accessKeyId: 'TESTKEY', secretAccessKey: 'a secret for tests' };

export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const received: string[] = [];
  const state: { refuse: number | null } = { refuse: null };
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://storage');
      const body = await buffer(request);
      received.push(`${request.method} ${url.pathname}${url.search}`);
      const wrong = whyWrong(request, url, body);
      if (wrong !== null) return fail(response, 403, wrong);
      if (!url.pathname.startsWith(`/${bucket}/`)) return fail(response, 404, 'NoSuchBucket');
      const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
      const isWrite = request.method === 'PUT' || request.method === 'POST';
      if (state.refuse !== null && isWrite) return fail(response, state.refuse, 'Refused');
      answer(response, { request, url, key, body }, objects, uploads);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    received,
    get refuse() {
      return state.refuse;
    },
    set refuse(status) {
      state.refuse = status;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  response: ServerResponse,
  { request, url, key, body }: ObjectRequest,
  objects: Map<string, Buffer>,
  uploads: Map<string, Map<number, Buffer>>,
): void {
  const upload = url.searchParams.get('uploadId');
  const tag = { etag: `"${createHash('md5').update(body).digest('hex')}"` };
  const known = objects.get(key);
  switch (request.method ?? '') {
    case 'PUT':
      if (upload === null) objects.set(key, body);
      else uploads.get(upload)?.set(Number(url.searchParams.get('partNumber')), body);
      response.writeHead(200, tag).end();
      return;
    case 'POST': {
      if (upload === null) {
        const id = `upload-${uploads.size + 1}`;
        uploads.set(id, new Map());
        response.end(
          `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
        return;
      }
      const parts = [...(uploads.get(upload) ?? [])].toSorted(([left], [right]) => left - right);
      objects.set(key, Buffer.concat(parts.map(([, part]) => part)));
      response.end(
        `<CompleteMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${key}</Key><ETag>"whole"</ETag></CompleteMultipartUploadResult>`,
      );
      return;
    }
    case 'DELETE':
      objects.delete(key);
      if (upload !== null) uploads.delete(upload);
      response.writeHead(204).end();
      return;
    default:
      if (known === undefined) fail(response, 404, 'NoSuchKey');
      else send(request, response, known);
  }
}

function send(request: IncomingMessage, response: ServerResponse, known: Buffer): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const [start, end] = range ? [Number(range[1]), Number(range[2])] : [0, known.length - 1];
  const part = known.subarray(start, end + 1);
  response.writeHead(range ? 206 : 200, {
    'content-length': part.length,
    ...(range && { 'content-range': `bytes ${start}-${end}/${known.length}` }),
  });
  response.end(request.method === 'HEAD' ? undefined : part);
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** Checks a signature of version 4 (AWS, "Create a signed request"), and the sums of the body that are sent with it. */
function whyWrong(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const authorization =
    /^AWS4-HMAC-SHA256 Credential=TESTKEY\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  if (authorization === null) return 'AccessDenied';
  const [, scope = '', names = '', signature = ''] = authorization;
  const digest = String(request.headers['x-amz-content-sha256']);
  if (digest !== sha256(body).toString('hex')) return 'XAmzContentSHA256Mismatch';
  const sum = request.headers['x-amz-checksum-sha256'];
  const isData = request.method === 'PUT';
  if (isData && sum !== sha256(body).toString('base64')) return 'BadDigest';
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .toSorted()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    names,
    digest,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical).toString('hex')].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer>((by, word) => hmac(by, word), Buffer.from(`AWS4${credentials.secretAccessKey}`));
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const hmac = (key: Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();
