const style = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 22rem; margin: 4rem auto; padding: 0 1rem; color: #1b1f24; background: #fff }
  label { display: block; margin-top: 1rem }
  input { font: inherit; width: 100%; padding: .4rem; box-sizing: border-box }
  button { font: inherit; margin-top: 1.5rem; padding: .5rem 1.5rem }
  @media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117 } }`;

/** The page on which people sign in; without an interaction only the message. Neither holds what a caller wrote. */
export function loginPage(interaction: string | null, message: string): string {
  const said = message === '' ? '' : `<p role="alert">${message}</p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in</title>
<style>${style}
</style>
<h1>Sign in</h1>
<p>The private identity provider of this machine. <code>npm start</code> has printed who you are.</p>
${said}${interaction === null ? '' : form(interaction)}
</html>
`;
}

function form(interaction: string): string {
  return `<form method="post" action="/interaction/${encodeURIComponent(interaction)}">
<label>E-mail address <input name="email" type="email" autocomplete="username" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>`;
}
