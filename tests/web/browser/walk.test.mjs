// Every page and a game at every size, upright and on the side, in both languages, with the longest names: nothing reaches over
// the sides, no text is cut, no control is covered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor, prepareScene } from './harness.mjs';
import { settle } from './access.mjs';
import { registered, tokenOf } from './people.mjs';
import { findPlay, look, playByCommand } from './player.mjs';
import { leaveAll, withWords } from './tables.mjs';

const SIZES = [
  [320, 568], [360, 640], [390, 844], [768, 1024], [820, 1180], [1024, 1366],
  [640, 360], [844, 390], [1024, 768], [1180, 820], [1280, 720], [1440, 900],
];
const PATHS = [
  '/', '/watch', '/rules', '/rules/classic', '/settings', '/archive', '/leaderboards', '/join', '/players/nobody', '/register',
  '/login', '/recover',
];
/** Of 24 characters, as long as names can be. */
const NAMES = ['WWWWWWWWWWWWWWWWWWWWWWWW', 'Maximilian-Alexandrovich', 'Wilhelmina Brandenburger', 'mmmmmmmmmmmmmmmmmmmmmmmm'];
/** Of 20 characters, as long as usernames can be. */
const HANDLES = ['WWWWWWWWWWWWWWWWWWWW', 'mmmmmmmmmmmmmmmmmmmm'];
const WINDOW = { 'challenge.kind': 'double', 'challenge.window_ms': 60, first: 'owner' };

const scene = prepareScene();

/** Describes what is wrong with the page as it is. A name may end with an ellipsis; other texts and all controls may not. */
function faultsOf() {
  // Letters may reach over their line.
  const LINE_SLACK_PX = 4;
  const { clientWidth, scrollWidth } = document.documentElement;
  const faults = new Set(scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : []);
  const isClipped = (node) => node && node !== document.body
    && (getComputedStyle(node).overflowX !== 'visible' || isClipped(node.parentElement));
  const named = (node) => `${node.tagName.toLowerCase()}.${[...node.classList].join('.')} "${node.textContent.slice(0, 40)}"`;
  const isShown = (node) => node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    && !node.closest('svg, .hide, .cut, bdi, [popover]:not(:popover-open)');
  for (const node of [...document.body.querySelectorAll('*')].filter(isShown)) {
    const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
    if (!width || !height) continue;
    if ((left < -1 || right > clientWidth + 1) && !isClipped(node.parentElement)) faults.add(`over the side: ${named(node)}`);
    const hasText = [...node.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
    const hasName = node.querySelector('bdi') || node.matches('.name, .title, .num');
    if (hasText && !hasName && node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX !== 'visible') {
      faults.add(`cut, ${node.clientWidth} of ${node.scrollWidth}: ${named(node)}`);
    }
    const isCutBelow = getComputedStyle(node).overflowY === 'hidden' && node.scrollHeight > node.clientHeight + LINE_SLACK_PX;
    if (hasText && isCutBelow) faults.add(`cut, ${node.clientHeight} of ${node.scrollHeight} high: ${named(node)}`);
    const box = hasText && node.closest('.strip, .card > header, .seat, .btn')?.getBoundingClientRect();
    if (box && (top < box.top - 1 || bottom > box.bottom + 1)) faults.add(`out of its box: ${named(node)}`);
    const isControl = node.matches('button:not([disabled]), a[href], input, select, summary') && !node.closest('.board');
    if (!isControl || top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) continue;
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (above && !node.contains(above) && !above.contains(node) && !node.closest('label')?.contains(above)) {
      faults.add(`covered: ${named(node)} by ${named(above)}`);
    }
  }
  return [...faults];
}

/** Looks at a page at every size. */
async function walk(page, what) {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await settle(page);
    assert.deepEqual(await page.evaluate(faultsOf), [], `${what} at ${width}x${height}`);
  }
}

for (const locale of ['en-GB', 'de-DE']) {
  test(`pages fit, ${locale}`, async () => {
    const visitor = await Visitor.come(scene.browser, scene.server, { locale });
    for (const path of PATHS) {
      const page = await visitor.open(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await walk(page, path);
    }
    await visitor.leave();
  });
}

for (const locale of ['en-GB', 'de-DE']) {
  test(`pages of a moderator fit, ${locale}`, async () => {
    const suffix = locale.slice(0, 2);
    const [mona, ben] = await Promise.all(HANDLES.map((handle) => registered(scene, handle.slice(2) + suffix)));
    const [handle, other] = HANDLES.map((name) => name.slice(2) + suffix);
    scene.server.operate('roles', 'grant', handle, 'moderator');
    const { page } = mona;
    const player = await ben.page.evaluate(() => JSON.parse(localStorage.getItem('tilewire.identity')).identity);
    const status = await page.evaluate(async ([token, report]) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await fetch('/api/v1/reports', { method: 'POST', headers, body: JSON.stringify(report) })).status;
    }, [await tokenOf(page), { player, reason: 'abuse', words: 'W'.repeat(400) }]);
    assert.equal(status, 201);
    await page.evaluate((language) => localStorage.setItem('tilewire.settings', JSON.stringify({ language })), locale.slice(0, 2));
    for (const path of ['/account', '/friends', `/players/${handle}`, `/players/${other}`, '/moderation']) {
      await mona.open(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; }));
      await walk(page, path);
    }
    await page.locator('.report + .btn').first().click();
    await page.locator('form select').first().waitFor();
    await walk(page, 'a report');
    await leaveAll([mona, ben]);
  });
}

for (const count of [2, 4]) {
  test(`a game of ${count} fits`, async () => {
    const visitors = await withWords(scene, 'classic', { count, options: WINDOW, names: NAMES });
    const [first, second] = visitors.map(({ page }) => page);
    const watcher = await Visitor.come(scene.browser, scene.server, { locale: 'de-DE' });
    const watched = await watcher.open(new URL(first.url()).pathname + new URL(first.url()).hash);
    await watched.getByRole('grid').waitFor();
    const everywhere = async (what) => {
      for (const [who, page] of Object.entries({ first, second, watched })) await walk(page, `${what}, ${who}`);
    };
    await everywhere('the first turn');
    await first.setViewportSize({ width: 1280, height: 720 });
    await playByCommand(first, findPlay(await look(first)));
    await second.locator('.strip.window').waitFor();
    await watched.locator('.sheet .turn-row').first().waitFor();
    await everywhere('a challenge window');
    await leaveAll([...visitors, watcher]);
  });
}
