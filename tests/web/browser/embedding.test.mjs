// A site whose page contains the page of the server, and says who the player is.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Visitor, eventually, prepareScene } from './harness.mjs';

const SECRET = 'the secret of an embedding site: long enough';
const FAR_S = 4_000_000_000;

/** Serves a page with a frame, which answers `tilewire-ready` with the token in its address. */
function startSite() {
  const html = `<!doctype html><title>Site</title><iframe width="1200" height="700"></iframe><script>
    const { server, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const frame = document.querySelector('iframe');
    window.ready = 0;
    window.send = (text) => frame.contentWindow.postMessage({ type: 'tilewire-token', token: text }, server);
    addEventListener('message', ({ origin, source, data }) => {
      if (origin !== server || source !== frame.contentWindow || data.type !== 'tilewire-ready') return;
      window.ready += 1;
      if (token) window.send(token);
    });
    frame.src = server;
  </script>`;
  return new Promise((resolve) => {
    const site = createServer((request, response) => {
      if (request.url === '/') response.setHeader('content-type', 'text/html');
      else response.statusCode = 204;
      response.end(request.url === '/' ? html : undefined);
    });
    site.listen(0, '127.0.0.1', () => resolve(site));
  });
}

const originOf = (site) => `http://127.0.0.1:${site.address().port}`;
const [site, other] = [await startSite(), await startSite()];
const folder = mkdtempSync(join(tmpdir(), 'tilewire-site-'));
const secretFile = join(folder, 'secret');
writeFileSync(secretFile, SECRET, { mode: 0o600 });
after(() => {
  site.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const scene = prepareScene(`
[site]
issuer = "https://site.example"
audience = "tilewire"
secret_file = "${secretFile}"
page_origins = ["${originOf(site)}"]
`);

/** A token by which the site vouches for a user. */
function tokenOf(name) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: 'https://site.example', aud: 'tilewire', sub: name, exp: FAR_S, name };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

/** Opens the page of a site; the frame in it. */
async function visit(visitor, around, token = '') {
  visitor.alsoAsks = originOf(around);
  await visitor.page.goto(`${originOf(around)}/#${new URLSearchParams({ server: scene.server.url, token })}`);
  return visitor.page.frameLocator('iframe');
}

const nameIn = (frame, name) => frame.locator('.bar').getByText(name).first().waitFor();
const keptBy = (page) => page.frames()[1].evaluate(() => localStorage.getItem('tilewire.identity'));

test('the player is the user of the site, and the token stays in memory', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const frame = await visit(visitor, site, tokenOf('Anna of the site'));
  await nameIn(frame, 'Anna of the site');
  assert.equal(await visitor.page.evaluate(() => window.ready), 1);
  assert.equal(await keptBy(visitor.page), null);
  await visitor.page.evaluate((token) => window.send(token), tokenOf('Ben of the site'));
  await nameIn(frame, 'Ben of the site');
  assert.equal(await keptBy(visitor.page), null);
  await visitor.leave();
});

test('without a token the player is a guest, as without a site', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const frame = await visit(visitor, site);
  await frame.getByRole('button', { name: 'Play a bot now' }).waitFor();
  await eventually(() => keptBy(visitor.page), 'the guest is kept');
  await visitor.leave();
});

test('a site that is not listed cannot contain the page', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  visitor.expectLoss(true);
  await visit(visitor, other, tokenOf('Anna of the site'));
  await eventually(() => visitor.page.frames()[1]?.url().startsWith('chrome-error:'), 'the browser refuses the frame');
  assert.equal(await visitor.page.evaluate(() => window.ready), 0);
  await visitor.leave();
});
