// A first visit: what it loads, how much that is, and a board after one tap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, Visitor, prepareScene } from './harness.mjs';

/** The most bytes of the page, compressed, and the most requests until it can be used. */
const TOTAL_BYTES = 125_000;
const REQUESTS = 6;

const scene = prepareScene();

test('a first visit loads little', async (t) => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const sizes = new Map();
  const cdp = await visitor.context.newCDPSession(visitor.page);
  await cdp.send('Network.enable');
  const paths = new Map();
  cdp.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, new URL(response.url).pathname));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(paths.get(requestId), encodedDataLength));
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'Play a bot now' }).waitFor();
  const http = visitor.requests.filter((url) => url.startsWith('http'));
  for (const [path, size] of sizes) t.diagnostic(`${path}: ${size} bytes`);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  t.diagnostic(`together: ${total} bytes in ${http.length} requests`);
  assert.ok(http.length <= REQUESTS, http.join(' '));
  assert.ok(total <= TOTAL_BYTES, `${total} bytes`);
  await visitor.leave();
});

test('one tap opens a board against a bot', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server, { size: PHONE, hasTouch: true });
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'Play a bot now' }).tap();
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  await page.locator('.rack .tile').nth(6).waitFor();
  assert.match(new URL(page.url()).pathname, /^\/games\/[a-z0-9]+$/);
  await visitor.leave();
});

test('every path of the page works after a reload', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  for (const [path, heading] of [['/rules', 'Rules'], ['/rules/classic', 'Classic'], ['/settings', 'Settings'], ['/finished', 'Finished games']]) {
    const page = await visitor.open(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }
  await visitor.leave();
});

test('a browser keeps the assets and asks for the page', async () => {
  const html = await fetch(`${scene.server.url}/`);
  const policy = html.headers.get('content-security-policy');
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(html.headers.get('cache-control'), 'no-cache');
  const again = await fetch(`${scene.server.url}/`, { headers: { 'if-none-match': html.headers.get('etag') } });
  assert.equal(again.status, 304);
  const [script] = /\/assets\/page-[0-9a-f]+\.js/.exec(await html.text());
  const asset = await fetch(`${scene.server.url}${script}`);
  assert.match(asset.headers.get('cache-control'), /immutable/);
  assert.equal((await fetch(`${scene.server.url}/assets/page-0.js`)).status, 404);
});
