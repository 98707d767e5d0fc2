import { hash } from 'node:crypto';

const script = `
const [form, field, said] = ['form', 'code', 'said'].map((id) => document.getElementById(id));
if (location.hash.length > 1) {
  field.value = location.hash.slice(1);
  // not kept in the history of this browser
  history.replaceState(null, '', location.pathname);
}
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  said.textContent = 'One moment …';
  try {
    // who is signed in already must say so as every page does
    const visitor = await (await fetch('/auth/visitor')).json();
    const token = visitor.session ? { 'x-csrf-token': visitor.session.csrf_token } : {};
    const answer = await fetch('/auth/link', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...token },
      body: JSON.stringify({ code: field.value.trim() }),
    });
    if (answer.ok) return location.replace('/');
    said.textContent = (await answer.json()).detail ?? 'The service answered with ' + answer.status + '.';
  } catch {
    said.textContent = 'The service did not answer; try again.';
  }
});
`;

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto 0; padding: 0 1.25rem; color: #1c1e21; background: #fff; }
label, input, button { display: block; font: inherit; }
input { width: 100%; box-sizing: border-box; margin: .25rem 0 1rem; padding: .5rem; font-family: ui-monospace, monospace; }
button { padding: .5rem 1.25rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { overflow-x: auto; }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #16181b; } }
`;

/** The page where a one-time link leads: it signs the visitor in only when its button is pressed. */
export const linkPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in by a link · Proofline</title>
<style>${style}</style>
</head>
<body>
<h1>Sign in as an operator</h1>
<p>A one-time link signs you in without an identity provider. Print one where this service runs; it works once, for 15 minutes:</p>
<pre>docker compose -f deploy/compose.yaml run --rm api operator link
npm run -s proofline -- operator link</pre>
<form id="form">
<label for="code">Code of the link</label>
<input id="code" name="code" required minlength="20" maxlength="100" autocomplete="off" spellcheck="false">
<button>Sign in</button>
</form>
<p id="said" role="status"></p>
<script>${script}</script>
</body>
</html>
`;

const digest = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Content security policy of the page: it may run its own script, and call this service. */
export const linkPagePolicy = [
  "default-src 'none'",
  `script-src ${digest(script)}`,
  `style-src ${digest(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
