// A first visit: what it loads, how much that is, and a board after one tap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, Visitor, eventually, prepareScene } from './harness.mjs';

/** The most bytes until the page can be used, compressed, and the most requests. */
const SCRIPT_BYTES = 50_000;
/** The most bytes of all scripts that the visit of a guest loads, with the English texts. */
const GUEST_SCRIPT_BYTES = 101_000;
const STYLE_BYTES = 15_000;
const TOTAL_BYTES = 75_000;
const REQUESTS = 6;

const scene = prepareScene();

/** Notes when a visitor can begin to play; runs in the page. */
function noteUsable() {
  const look = () => {
    const isThere = [...document.querySelectorAll('button')].some(({ textContent }) => textContent === 'Play a bot now');
    if (isThere) window.usableAt = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/** The files that a page has loaded: path, compressed size in bytes, and whether the page was usable before. */
const loadedBy = (page) => page.evaluate(() => ['navigation', 'resource']
  .flatMap((type) => performance.getEntriesByType(type))
  .map(({ name, startTime, encodedBodySize }) => (
    { path: new URL(name).pathname, size: encodedBodySize, isLate: startTime >= window.usableAt })));

test('a first visit loads little, and the rest soon after', async (t) => {
  // Behind a service worker, a browser does not know the sizes.
  const visitor = await Visitor.come(scene.browser, scene.server, { serviceWorkers: 'block' });
  await visitor.page.addInitScript(noteUsable);
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'Play a bot now' }).waitFor();
  const find = async (name) => (await loadedBy(page)).find(({ path, size }) => path.endsWith(`/${name}`) && size > 0);
  for (const name of ['pages.js', 'record.js']) {
    await eventually(() => find(name), `${name} is loaded`);
    assert.ok((await find(name)).isLate, `${name} is loaded after the page can be used`);
  }
  const { path: main } = await find('main.js');
  const guest = (await loadedBy(page)).filter(({ path }) => path.endsWith('.js')).reduce((all, { size }) => all + size, 0);
  assert.equal(await find('people.js'), undefined, 'a guest does not load the pages around players');
  assert.equal(await find('chat.js'), undefined, 'a guest does not load the chat before a game');
  for (const name of ['people.js', 'chat.js', 'german.js']) await page.evaluate((path) => import(path), main.replace('main.js', name));
  const loaded = await loadedBy(page);
  // The script of a game is asked for when the connection is open, perhaps a moment before the first frame.
  const isFirst = ({ path, isLate }) => !isLate && !path.endsWith('/game.js');
  const late = loaded.filter((entry) => !isFirst(entry)).map(({ path }) => path);
  const first = loaded.filter(isFirst);
  const sum = (entries, ending = '') => entries.filter(({ path }) => path.endsWith(ending))
    .reduce((all, { size }) => all + size, 0);
  const requests = visitor.requests.filter((url) => url.startsWith('http') && !late.includes(new URL(url).pathname));
  for (const { path, size } of loaded) t.diagnostic(`${path}: ${size} bytes${late.includes(path) ? ', later' : ''}`);
  const [scripts, styles, all] = [sum(first, '.js'), sum(first, '.css'), sum(first)];
  t.diagnostic(`until it can be used: ${all} bytes in ${requests.length} requests, ${scripts} bytes of scripts`);
  t.diagnostic(`everything, with the German texts: ${sum(loaded)} bytes, ${sum(loaded, '.js')} bytes of scripts`);
  assert.ok(requests.length <= REQUESTS, requests.join(' '));
  assert.ok(scripts <= SCRIPT_BYTES, `${scripts} bytes of scripts`);
  t.diagnostic(`all that a guest loads in English: ${guest} bytes of scripts`);
  assert.ok(guest <= GUEST_SCRIPT_BYTES, `${guest} bytes of all scripts of a guest in English`);
  assert.ok(styles <= STYLE_BYTES, `${styles} bytes of styles`);
  assert.ok(all <= TOTAL_BYTES, `${all} bytes`);
  await visitor.leave();
});

test('a page says that its script is missing, and tries again', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server, { serviceWorkers: 'block' });
  visitor.expectLoss(true);
  await visitor.context.route('**/pages.js', (route) => route.abort());
  const page = await visitor.open('/rules');
  await page.getByRole('heading', { level: 1, name: 'Part of the page could not be loaded.' }).waitFor();
  await visitor.context.unroute('**/pages.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
  await visitor.leave();
});

test('a dialog says that its script is missing, and tries again', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server, { serviceWorkers: 'block' });
  visitor.expectLoss(true);
  await visitor.context.route('**/pages.js', (route) => route.abort());
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByText('Part of the page could not be loaded.').waitFor();
  await visitor.context.unroute('**/pages.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Part of the page could not be loaded.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('dialog', { name: 'Options' }).waitFor();
  await visitor.leave();
});

test('a browser in German loads the German texts', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server, { locale: 'de-DE' });
  const page = await visitor.open('/rules');
  await page.getByRole('heading', { level: 1, name: 'Regeln' }).waitFor();
  await visitor.leave();
});

test('one tap opens a board against a bot', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server, { size: PHONE, hasTouch: true });
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'Play a bot now' }).tap();
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  await page.locator('.rack .tile').nth(6).waitFor();
  await eventually(async () => (await loadedBy(page)).some(({ path }) => path.endsWith('/chat.js')), 'the chat comes with the game');
  assert.match(new URL(page.url()).pathname, /^\/games\/[a-z0-9]+$/);
  await visitor.leave();
});

test('every path of the page works after a reload', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  for (const [path, heading] of [['/rules', 'Rules'], ['/rules/classic', 'Classic'], ['/settings', 'Settings'], ['/finished', 'My finished games'], ['/archive', 'Finished games'], ['/leaderboards', 'Leaderboards']]) {
    const page = await visitor.open(path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }
  await visitor.leave();
});

test('an address that leads nowhere has a page with ways on', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  visitor.expectLoss(true);
  for (const path of ['/nope', '/games/', '/games/a/b', '/rules/a/b']) {
    const answer = await visitor.page.goto(`${scene.server.url}${path}`);
    assert.equal(answer.status(), 404, path);
    await visitor.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  }
  await visitor.page.getByRole('main').getByRole('link', { name: 'Watch' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'Live games' }).waitFor();
  await (await visitor.open('/watch')).getByRole('heading', { level: 1, name: 'Live games' }).waitFor();
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
  const [script] = /\/assets\/[0-9a-f]+\/main\.js/.exec(await html.text());
  const asset = await fetch(`${scene.server.url}${script}`);
  assert.match(asset.headers.get('cache-control'), /immutable/);
  assert.equal((await fetch(`${scene.server.url}/assets/0/main.js`)).status, 404);
});
