import { httpRpc } from '#src/lib/json-rpc.ts';
import type { Count } from '#src/receipts/verify/check.ts';
import { parseReceipt, parseStrict } from '#src/receipts/verify/parse-strict.ts';
import { accountsIn, trustPaths } from '#src/receipts/verify/read-trust.ts';
import { type Trust, verifyReceipt } from '#src/receipts/verify/verify.ts';

/* The page at /verify. Everything is computed here, with the modules that the server and the command line use. */

const element = <K extends keyof HTMLElementTagNameMap>(id: string, tag: K): HTMLElementTagNameMap[K] => {
  const found = document.querySelector<HTMLElementTagNameMap[K]>(`${tag}#${id}`);
  if (found) return found;
  throw new Error(`page: expected a ${tag} with the id ${id}, got none.`);
};

const form = element('form', 'form');
const file = element('file', 'input');
const drop = element('drop', 'label');
const text = element('text', 'textarea');
const rpc = element('rpc', 'textarea');
const result = element('result', 'section');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void check();
});
file.addEventListener('change', () => void take(file.files));
for (const kind of ['dragover', 'dragleave', 'drop']) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', kind === 'dragover');
  });
}
drop.addEventListener('drop', ({ dataTransfer }) => void take(dataTransfer?.files ?? null));
/** A receipt that was fetched by its id, as text: what is typed over it may be of any id. */
let fetched: { readonly id: string; readonly content: string } | null = null;

const named = new URL(location.href).searchParams.get('receipt');
if (named !== null) void takeNamed(named);

/** A receipt of this service that the address names: fetched like any other, and believed no more. */
async function takeNamed(id: string): Promise<void> {
  try {
    const response = await fetch(`/api/v1/receipts/${encodeURIComponent(id)}`);
    if (response.status === 404 || response.status === 400) {
      show('No such receipt', 'fail', `This service has no receipt ${id}: the address may be mistyped.`);
      return;
    }
    if (!response.ok) throw new Error(`The receipt could not be fetched: the service answered ${response.status}.`);
    text.value = await response.text();
    // a text field has its own line ends
    fetched = { id: id.toLowerCase(), content: text.value };
  } catch (error) {
    show('Not checked', 'not-checked', wordsOf(error));
    return;
  }
  await check();
}

async function take(files: FileList | null): Promise<void> {
  const [first] = files ?? [];
  if (!first) return;
  text.value = await first.text();
  await check();
}

async function check(): Promise<void> {
  result.setAttribute('aria-busy', 'true');
  await checkGiven();
  result.setAttribute('aria-busy', 'false');
  result.focus();
}

async function checkGiven(): Promise<void> {
  let receipt: ReturnType<typeof parseReceipt>;
  try {
    receipt = parseReceipt(text.value);
  } catch (error) {
    show('Not a receipt', 'fail', `The input cannot be read. ${wordsOf(error)}`);
    return;
  }
  try {
    const { integrity, authenticity, anchor } = await verifyReceipt(receipt, {
      ...(await trust()),
      ...(fetched?.content === text.value && { requestedId: fetched.id }),
    });
    result.replaceChildren(
      ...countView('Integrity', 'Is it whole?', integrity),
      ...countView('Authenticity', 'Who sealed it?', authenticity),
      ...countView('Anchor', 'Does the chain hold it?', anchor),
    );
  } catch (error) {
    // says nothing of the receipt: the keys to check it with did not come
    show('Not checked', 'not-checked', wordsOf(error));
  }
}

function show(title: string, verdict: Count['verdict'], reason: string): void {
  result.replaceChildren(...countView(title, '', { verdict, reason, checks: [] }));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function trust(): Promise<Trust> {
  const [jwks, manifest, anchors] = await Promise.all([
    published(trustPaths.jwks),
    published(trustPaths.manifest),
    published(trustPaths.anchors),
  ]);
  const urls = rpc.value.split(/\s+/).filter((url) => url !== '');
  const known = { jwks, manifest, anchors: accountsIn(anchors), rpc: urls.map((url) => httpRpc(url)) };
  // without a chain to ask they could only be called not checked
  return urls.length === 0 ? known : { ...known, manifestAnchors: await published(trustPaths.manifestAnchors) };
}

async function published(path: string): Promise<unknown> {
  const response = await fetch(path);
  // as the command line reads it: no member twice
  if (response.ok) return parseStrict(await response.text());
  throw new Error(`${path}: expected status 200, got ${response.status}.`);
}

function countView(title: string, question: string, { verdict, reason, checks }: Count): Node[] {
  const heading = made('h2', `${title} `);
  heading.append(made('span', verdict, `verdict ${verdict}`));
  const list = document.createElement('ul');
  for (const { name, verdict: one, reason: why } of checks) {
    const item = made('li', `${name}: `);
    item.append(made('span', one, `verdict ${one}`), made('div', why, 'reason'));
    list.append(item);
  }
  return [heading, made('p', `${question} ${reason}`.trim()), list];
}

function made(tag: string, content: string, className = ''): HTMLElement {
  const node = document.createElement(tag);
  node.textContent = content;
  if (className !== '') node.className = className;
  return node;
}
