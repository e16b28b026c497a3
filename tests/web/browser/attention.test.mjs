// How a game gets the attention of a player who looks elsewhere: the title, notifications and sounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WHOLE_CHROMIUM, eventually, prepareScene } from './harness.mjs';
import { command, findPlay, look, playByCommand, turn } from './player.mjs';
import { duel } from './tables.mjs';

const scene = prepareScene('', undefined, undefined, WHOLE_CHROMIUM);
/** The maker of the game begins. */
const FIRST = { first: 'owner' };

/** Keeps what the page really asks the browser for: notifications, and tones while the browser makes sound. */
function watchBrowser() {
  window.notes = [];
  window.tones = 0;
  const Real = window.Notification;
  window.Notification = class extends Real {
    constructor(text, options) {
      super(text, options);
      window.notes.push({ text, note: this });
    }
  };
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function counted(...args) {
    window.tones += 1;
    return start.apply(this, args);
  };
}

/** A game whose second page is watched. It has been loaded again since, so the watch is there from the start. */
async function watchedGame() {
  const game = await duel(scene, 'void', FIRST);
  const { second } = game;
  await second.context().grantPermissions(['notifications'], { origin: new URL(second.url()).origin });
  await second.addInitScript(watchBrowser);
  await second.reload();
  await second.locator('.rack .tile').first().waitFor();
  return game;
}

/** Makes a page look hidden or shown, as another tab in front of it does: a browser without a window knows no order. */
function setShown(page, isShown) {
  return page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isShown ? 'visible' : 'hidden');
}

/** Changes a setting of the player as a person does, and comes back to the game. */
async function set(page, act) {
  const game = page.url();
  await page.goto(new URL('/settings', game).href);
  await act();
  await page.goto(game);
  await page.locator('.rack .tile').first().waitFor();
}

/** Makes a turn: a play, or a pass with a rack without one. */
async function playOnce(page) {
  const seen = await turn(page);
  const play = findPlay(seen);
  await (play ? playByCommand(page, play) : command(page, 'pass'));
  await eventually(async () => (await look(page)).turns > seen.turns, 'the turn is made');
}

const notes = (page) => page.evaluate(() => window.notes.map(({ text }) => text));

test('the title says whose turn it is', async () => {
  const game = await duel(scene, 'void', FIRST);
  await eventually(async () => /your turn/i.test(await game.first.title()), 'the title of the player on turn');
  assert.doesNotMatch(await game.second.title(), /your turn/i);
  await playOnce(game.first);
  await eventually(async () => /your turn/i.test(await game.second.title()), 'the title follows the turn');
  assert.doesNotMatch(await game.first.title(), /your turn/i);
  await game.end();
});

test('a player who looks elsewhere is notified of the turn, once asked for', async () => {
  const game = await watchedGame();
  const { first, second } = game;
  await setShown(second, false);
  await playOnce(first);
  await turn(second);
  assert.deepEqual(await notes(second), [], 'nobody asked for notifications');

  await set(second, () => second.getByRole('button', { name: 'Allow' }).click());
  await playOnce(second);
  await playOnce(first);
  await turn(second);
  assert.deepEqual(await notes(second), [], 'the page is in front');

  await playOnce(second);
  await setShown(second, false);
  await playOnce(first);
  await eventually(async () => (await notes(second)).length === 1, 'the notification');
  const [text] = await notes(second);
  assert.match(text, /your turn/i);
  const rack = (await look(second)).rack.join('');
  assert.ok(!text.includes(rack), 'a notification shows no tiles');
  await setShown(second, true);
  await game.end();
});

test('plays sound, and never when sounds are off', async () => {
  const game = await watchedGame();
  const { first, second } = game;
  const tones = () => second.evaluate(() => window.tones);
  await playOnce(first);
  await playOnce(second);
  await eventually(async () => (await tones()) > 0, 'a play sounds');

  await set(second, () => second.getByRole('checkbox', { name: /sound/i }).uncheck());
  await playOnce(first);
  await playOnce(second);
  await playOnce(first);
  await turn(second);
  assert.equal(await tones(), 0);
  await game.end();
});

test('a turn in another game is told on every page', async () => {
  const game = await watchedGame();
  const { first, second } = game;
  const path = new URL(second.url()).pathname;
  await second.getByRole('link', { name: 'Tilewire' }).first().click();
  await playOnce(first);
  const toast = second.locator('.toast', { hasText: /your turn/i });
  await toast.waitFor();
  await toast.getByRole('button').first().click();
  await eventually(() => new URL(second.url()).pathname === path, 'the toast opens the game');
  await game.end();
});
