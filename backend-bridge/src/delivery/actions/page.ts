/**
 * The page of a link in a message. It asks before it acts, since mail scanners open links. The token is the fragment of its address: no
 * server, proxy or `Referer` has it.
 */
import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { ACTION_LABELS } from '../../../contract/messageAction.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 32rem; margin: 10vh auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; line-height: 1.3; }
button { font: inherit; padding: .5rem 1rem; cursor: pointer; }
`;

const SCRIPT = `
const LABELS = ${JSON.stringify(ACTION_LABELS)};
const token = location.hash.slice(1);
const title = document.querySelector('h1');
const text = document.querySelector('p');
const button = document.querySelector('button');
async function call(path) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    referrerPolicy: 'no-referrer',
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.detail || 'The bridge responds with ' + response.status + '.');
  }
  return answer;
}
async function show() {
  const { action, title: name, channel } = await call('api/v1/actions/show');
  title.textContent = name;
  text.textContent = 'In the name of the channel ' + channel + '.';
  button.textContent = LABELS[action];
  button.hidden = false;
  button.focus();
}
async function act() {
  button.disabled = true;
  text.textContent = (await call('api/v1/actions')).done;
  button.hidden = true;
}
const run = (what) => what().catch((error) => {
  text.textContent = error instanceof TypeError ? 'The bridge did not respond. Try again.' : error.message;
  button.disabled = false;
});
button.addEventListener('click', () => run(act));
run(show);
`;

const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Nodebell</title>
<style>${STYLE}</style>
<main>
<h1>Nodebell</h1>
<p role="status">Loading…</p>
<button hidden></button>
<noscript>This page needs JavaScript.</noscript>
</main>
<script>${SCRIPT}</script>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function sendActionPage(res: Response): void {
  res
    .set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store', 'Content-Type': 'text/html; charset=utf-8' })
    .send(HTML);
}
