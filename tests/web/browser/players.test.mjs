// Registered players: a rated game between two pages, and then the profile, the leaderboards and the finished games.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, PHONE, Visitor, eventually, prepareScene, reloadUntil } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { playShortGames, registered } from './people.mjs';
import { leaveAll, passEach, resign } from './tables.mjs';

const scene = prepareScene();
const heading = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const says = (page, text) => page.getByText(text).first().waitFor();
const rows = (page) => page.locator('.past li');
const POOL = 'classic/wordnik/rapid';

/** Chooses that games are rated, in the dialog of all options. */
async function chooseRated(page) {
  await page.getByRole('button', { name: 'More options' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Rated' }).check();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

test('two registered players play a rated game, and see their ratings after it', async () => {
  const [anna, bob] = [await registered(scene, 'anna'), await registered(scene, 'bob', { size: PHONE, hasTouch: true })];
  const guest = await Visitor.come(scene.browser, scene.server);
  const [first, second, other] = [await anna.open('/'), await bob.open('/'), await guest.open('/')];
  await chooseRated(first);
  await first.locator('.card.new .custom').getByText(/rated/).waitFor();
  await first.getByRole('button', { name: 'Find a game' }).click();
  await first.locator('.waiting li').waitFor();

  // A guest hears why, and can register.
  const offer = other.locator('.rows-list li', { hasText: 'anna (1500?)' });
  await offer.getByText('Rated – registered players only.').waitFor();
  assert.equal(await offer.getByRole('button').count(), 0);
  assert.equal(await offer.getByRole('link', { name: 'Register' }).getAttribute('href'), '/register');
  await other.getByRole('button', { name: 'More options' }).click();
  const option = other.getByRole('dialog').getByRole('checkbox', { name: 'Rated' });
  assert.equal(await option.isDisabled(), true);
  await other.getByRole('dialog').getByText('Only registered players can play rated games.').waitFor();
  await guest.leave();

  await second.locator('.rows-list li', { hasText: 'anna (1500?)' }).getByRole('button', { name: 'Join anna' }).tap();
  for (const page of [first, second]) await page.locator('.rack .tile').first().waitFor();
  const seat = (page) => page.locator('.seats > .seat:last-child small').textContent();
  assert.match(await seat(first), /1500\?/);
  await passEach([first, second]);
  await resign(second);
  await first.getByText('Your rating: 1662? (+162).').first().waitFor();
  await second.getByText('Your rating: 1338? (−162).').first().waitFor();
  assert.equal(await first.getByText('Last player remaining wins.').count(), 0, 'that says the reason of the end');
  await eventually(async () => (await first.locator('.seats small').allTextContents()).join().includes('1338? (−162)'), 'both ratings');
  // The result shows it later, too, and the player's other page is told.
  await first.reload();
  await first.getByText('Your rating: 1662? (+162).').first().waitFor();
  await leaveAll([anna, bob]);
});

test('a profile has ratings, statistics, head to head and recent games', async () => {
  const [cleo, dora] = [await registered(scene, 'cleo'), await registered(scene, 'dora')];
  await playShortGames([cleo.page, dora.page], 6, { options: { rated: true }, resigned: 3 });
  const page = await cleo.open('/players/dora');
  await heading(page, 'dora');
  await reloadUntil(page, async () => await page.locator('.at-ratings tbody tr').count() === 6, 'the ratings of six games');
  const slider = page.getByRole('slider', { name: /Rating: Classic, wordnik, rapid/ });
  await slider.focus();
  const last = await slider.getAttribute('aria-valuetext');
  await page.keyboard.press('Home');
  await eventually(async () => await slider.getAttribute('aria-valuetext') !== last, 'the keyboard goes along the curve');
  assert.match(await slider.getAttribute('aria-valuetext'), /: \d{4} ± \d{2,3}, provisional$/);
  await page.getByText('As a table').click();
  assert.equal(await page.locator('details table tbody tr').first().locator('th').count(), 1);
  await says(page, /\d won, \d lost.*Completed games/);
  await page.getByRole('row', { name: /^Games 6$/ }).waitFor();
  assert.equal(await rows(page).count(), 5);
  await checkEverywhere(page, 'a profile', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await page.locator('.at-versus').getByRole('link', { name: 'All games' }).click();
  await heading(page, 'My finished games');
  await says(page, 'Opponent: dora');
  await eventually(async () => await rows(page).count() === 6, 'the games against dora');
  // The viewer's own page has no head to head.
  await cleo.open('/players/cleo');
  await page.getByRole('row', { name: /^Games 6$/ }).waitFor();
  assert.equal(await page.locator('.at-versus').count(), 0);
  await leaveAll([cleo, dora]);
});

test('leaderboards are by pool, and mark the own row', async () => {
  const [emil, frida] = [await registered(scene, 'emil'), await registered(scene, 'frida')];
  await playShortGames([emil.page, frida.page], 5, { options: { rated: true } });
  const page = await emil.open('/leaderboards');
  await heading(page, 'Leaderboards');
  // The pool is that of the last game.
  const rated = page.getByText(/^You: 1\d{3}\?? ± \d+ after 5 rated games\.$/);
  await reloadUntil(page, async () => await rated.count() > 0, 'the rating after five games');
  await page.getByRole('radio', { name: '7 days' }).check({ force: true });
  const own = page.locator('tr.own');
  await reloadUntil(page, async () => {
    const named = await page.locator('table').getByRole('link').allInnerTexts();
    return ['emil', 'frida'].every((name) => named.includes(name));
  }, 'the board has the last game');
  assert.equal(await own.getByRole('link', { name: 'emil' }).count(), 1);
  assert.match(await own.textContent(), /\(you\)/);
  assert.equal(await own.count(), 1);
  assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('pool'), POOL);
  const search = page.getByRole('search');
  await search.getByLabel('Find a player').fill('FRI');
  await search.getByRole('link', { name: 'frida' }).waitFor();
  await says(search, '1 player found');
  await checkEverywhere(page, 'a leaderboard', { sizes: [DESKTOP] });
  await search.getByLabel('Find a player').fill('nobody');
  await says(search, 'No player found.');
  await page.reload();
  await own.waitFor();
  await page.getByLabel('Speed').selectOption('blitz');
  await says(page, 'Nobody is on this leaderboard yet.');
  await page.getByLabel('Speed').selectOption('rapid');
  await page.getByRole('link', { name: 'frida' }).click();
  await heading(page, 'frida');
  await leaveAll([emil, frida]);
});

test('finished games are filtered, go on page by page, lead to the replay, and are downloaded', async () => {
  const [gina, hugo] = [await registered(scene, 'gina'), await registered(scene, 'hugo')];
  const games = await playShortGames([gina.page, hugo.page], 53, { resigned: 10 });
  const page = await gina.open('/');
  await page.locator('.bar').getByRole('link', { name: 'Archive' }).click();
  await heading(page, 'My finished games');
  const newest = page.locator(`.past li[data-game="${games.at(-1)}"]`);
  await reloadUntil(page, async () => await newest.count() > 0 && await rows(page).count() === 50, 'the newest games');
  await page.getByRole('button', { name: 'Older games' }).click();
  await eventually(async () => await rows(page).count() === 53, 'all games');
  const ids = await rows(page).evaluateAll((nodes) => nodes.map((node) => node.dataset.game));
  assert.deepEqual(ids, games.toReversed());
  await page.getByText('53 games', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Older games' }).count(), 0);

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download your games' }).click()]);
  assert.equal(download.suggestedFilename(), 'tilewire-games.zip');
  assert.equal((await readFile(await download.path())).subarray(0, 4).toString('latin1'), 'PK\x03\x04');
  await says(page, 'Your games have been downloaded.');

  const filter = page.locator('summary', { hasText: 'Filter' });
  await filter.click();
  await page.getByRole('combobox', { name: 'Ended by', exact: true }).selectOption('resignation');
  await page.getByLabel('Opponent').fill('hugo');
  await checkEverywhere(page, 'finished games and their filter', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await eventually(async () => await rows(page).count() === 5, 'the games that were resigned');
  assert.match(await filter.textContent(), /Opponent: hugo.*Ended by: resignation/);
  assert.deepEqual(await rows(page).locator('b').allTextContents(), Array(5).fill('Won'));
  await page.goBack();
  await eventually(async () => await rows(page).count() === 50, 'back to all games');
  await page.goForward();
  await eventually(async () => await rows(page).count() === 5, 'and forward');

  await page.goBack();
  await eventually(async () => await rows(page).count() === 50, 'all games again');
  await rows(page).nth(1).getByRole('link').click();
  await page.getByRole('button', { name: 'Replay' }).click();
  assert.equal(new URL(page.url()).pathname, `/games/${games[51]}`);
  await says(page, /Fair draw verified/);
  await leaveAll([gina, hugo]);
});

test('a guest has finished games, too, and sees those of others', async () => {
  const guest = await Visitor.come(scene.browser, scene.server, { size: PHONE, hasTouch: true });
  const page = await guest.open('/archive');
  await says(page, 'You haven’t finished a game yet.');
  await page.locator('summary', { hasText: 'Filter' }).tap();
  await page.getByLabel('Games of').selectOption('all');
  assert.equal(await page.getByLabel('Opponent').isVisible(), false);
  await page.getByRole('button', { name: 'Show', exact: true }).tap();
  await heading(page, 'All finished games');
  await rows(page).first().waitFor();
  await guest.leave();
});
