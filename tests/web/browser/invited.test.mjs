// The page behind the link of an invitation: who invites, to which game, and that there is none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor, prepareScene } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { registered } from './people.mjs';
import { chooseRules, leaveAll } from './tables.mjs';

const scene = prepareScene();
const main = (page) => page.getByRole('main');
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** The link of a new private offer; `options`: from the dialog, by their paths. */
async function invite(page, options = {}) {
  await chooseRules(page, 'wordfeud');
  await page.locator('.card.new a[href="/rules/wordfeud"]').waitFor();
  if (options.rated) {
    await button(page, 'More options').click();
    await page.getByRole('dialog').locator('#option-rated').setChecked(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  await button(page, 'Invite by link').click();
  await page.getByRole('heading', { name: 'Invite a friend' }).waitFor();
  return page.locator('input[readonly]').first().inputValue();
}

test('an invitation says who invites and to which game before it asks for a name', async () => {
  const [anna, guest] = [await registered(scene, 'anna'), await Visitor.come(scene.browser, scene.server)];
  const link = await invite(await anna.open('/'));
  const { page } = guest;
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'anna invites you' }).waitFor();
  const about = await main(page).locator('.lead').textContent();
  assert.match(about, /^Wordfeud, 3 days per turn, words checked, casual/, about);
  await checkEverywhere(page, 'an invitation');
  await button(page, 'Join game').click();
  await page.locator('.rack .tile').first().waitFor();
  await leaveAll([anna, guest]);
});

test('an invitation by link is never rated, and a member finds the own offer', async () => {
  const [ben, guest] = [await registered(scene, 'ben'), await Visitor.come(scene.browser, scene.server)];
  const link = await invite(await ben.open('/'), { rated: true });
  const { page } = guest;
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'ben invites you' }).waitFor();
  assert.match(await main(page).locator('.lead').textContent(), /, casual/);
  await button(page, 'Join game').waitFor();
  const other = await ben.tab();
  await other.goto(link);
  await other.getByRole('heading', { name: 'Invite a friend' }).waitFor();
  await leaveAll([ben, guest]);
});

test('a code that does not exist is told at once', async () => {
  const guest = await Visitor.come(scene.browser, scene.server);
  const page = await guest.open('/join#code=NOSUCHCODE');
  await page.getByText('No open private game has this code.').waitFor();
  assert.equal(await button(page, 'Join game').isVisible(), false);
  await checkEverywhere(page, 'a wrong code');
  await main(page).getByRole('link', { name: 'Back to the lobby' }).click();
  await page.getByRole('heading', { name: 'New game' }).waitFor();
  await guest.leave();
});
