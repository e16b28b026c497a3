// Friends and blocks: following on a profile, the list of friends with what they do, and a block with its end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, Visitor, eventually, prepareScene } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { registered } from './people.mjs';
import { botGame, leaveAll } from './tables.mjs';

const scene = prepareScene();
const heading = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const says = (page, text) => page.getByText(text).first().waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const rows = (page, list) => page.locator(`.at-${list} li`);

/** Presses a button on the page of another player, and waits for what it says. */
async function onProfile(visitor, handle, act, said) {
  const page = await visitor.open(`/players/${handle}`);
  await heading(page, handle);
  await button(page, act).click();
  await says(page, said);
  return page;
}

test('two players follow each other, and see each other as friends', async () => {
  const [anna, ben] = [await registered(scene, 'anna'), await registered(scene, 'ben', { size: PHONE, hasTouch: true })];
  const page = await anna.open('/friends');
  await heading(page, 'Friends');
  await says(page, 'You have no friends yet.');
  const search = page.getByRole('search');
  await search.getByLabel('Find a player').fill('ben');
  await search.getByRole('link', { name: 'ben' }).click();
  await heading(page, 'ben');
  await button(page, 'Follow').click();
  await says(page, 'You become friends when ben follows you back.');
  await onProfile(ben, 'anna', 'Follow', 'You are friends: you follow each other.');
  await checkEverywhere(ben.page, 'a profile of a friend', { sizes: [DESKTOP] });

  // The list is in the menu of the own name.
  await page.locator('.bar').getByRole('button', { name: 'anna' }).click();
  await page.locator('#me-menu').getByText('Friends', { exact: true }).click();
  await heading(page, 'Friends');
  await rows(page, 'friends').getByText('online', { exact: true }).waitFor();
  await ben.page.setViewportSize(PHONE);
  await ben.open('/');
  await botGame(ben.page);
  const game = new URL(ben.page.url()).pathname;
  await page.reload();
  await rows(page, 'friends').getByText('online, in a game').waitFor();
  await checkEverywhere(page, 'the friends', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await page.getByRole('link', { name: 'Watch ben’s game' }).click();
  await page.locator('.board').first().waitFor();
  assert.equal(new URL(page.url()).pathname, game);

  // The own page has no buttons, and a guest sees none.
  await anna.open('/players/anna');
  await heading(page, 'anna');
  assert.equal(await button(page, 'Follow').count(), 0);
  const guest = await Visitor.come(scene.browser, scene.server);
  await guest.open('/players/anna');
  await heading(guest.page, 'anna');
  assert.equal(await button(guest.page, 'Block').count(), 0);
  await guest.open('/friends');
  await says(guest.page, 'Register to follow other players');
  await leaveAll([anna, ben, guest]);
});

test('a block keeps two players apart until it ends', async () => {
  const [cleo, dora] = [await registered(scene, 'cleo'), await registered(scene, 'dora')];
  await onProfile(cleo, 'dora', 'Follow', 'You are following dora.');
  await onProfile(dora, 'cleo', 'Follow', 'You are friends: you follow each other.');
  const page = cleo.page;
  await button(page, 'Block').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('dora won’t be told.').waitFor();
  await button(dialog, 'Cancel').click();
  await button(page, 'Block').click();
  await button(dialog, 'Block').click();
  await says(page, 'You have blocked dora: you won’t be paired or see each other’s offers.');
  assert.equal(await button(page, 'Follow').isVisible(), false);
  await checkEverywhere(page, 'a profile of a blocked player', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);

  // To Dora it looks as if Cleo had unfollowed her.
  await dora.open('/players/cleo');
  await says(dora.page, 'You become friends when cleo follows you back.');
  await cleo.open('/');
  await button(page, 'Find a game').click();
  await page.locator('.waiting li').waitFor();
  await dora.open('/');
  const offer = dora.page.locator('.rows-list li', { hasText: 'cleo' });
  await says(dora.page, 'No one is waiting for an opponent right now.');
  assert.equal(await offer.count(), 0);

  await cleo.open('/friends');
  await rows(page, 'blocked').getByRole('link', { name: 'dora' }).waitFor();
  await button(page, 'Unblock dora').click();
  await says(page, 'You have unblocked dora.');
  await eventually(async () => await rows(page, 'blocked').count() === 0, 'nobody is blocked');
  await offer.getByRole('button', { name: 'Join cleo' }).click();
  for (const one of [page, dora.page]) await one.locator('.rack .tile').first().waitFor();
  await leaveAll([cleo, dora]);
});
