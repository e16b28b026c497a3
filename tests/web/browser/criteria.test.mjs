// Offers for certain players: chosen in a dialog, shown in the list, refused to others, and hidden from excluded players.

import { test } from 'node:test';
import { DESKTOP, Visitor, eventually, prepareScene } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { registered } from './people.mjs';
import { leaveAll } from './tables.mjs';

const scene = prepareScene();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const dialog = (page) => page.getByRole('dialog');
const offers = (page, text) => page.locator('li', { hasText: text });

test('an offer is for certain players only', async () => {
  const [anna, ben] = [await registered(scene, 'ottilie'), await registered(scene, 'quentin')];
  const guest = await Visitor.come(scene.browser, scene.server);
  for (const visitor of [ben, guest]) await visitor.open('/');
  const page = await anna.open('/');
  await button(page, 'More options').click();
  await button(dialog(page), 'Who can join…').click();
  await dialog(page).getByText('Registered players only').waitFor();
  await checkEverywhere(page, 'the players that may join', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await dialog(page).getByLabel('Minimum rating').fill('1600');
  await dialog(page).getByLabel('Maximum rating').fill('1500');
  await button(dialog(page), 'Create the offer').click();
  await dialog(page).getByText('Minimum rating is higher than the maximum.').waitFor();
  await dialog(page).getByLabel('Minimum rating').fill('');
  await dialog(page).getByLabel('Maximum rating').fill('');
  await dialog(page).getByLabel('Registered players only').check();
  await dialog(page).getByLabel('Hide from').fill('quentin');
  await button(dialog(page), 'Create the offer').click();
  await page.getByText('no guests, hidden from quentin').waitFor();

  // A guest sees the offer and cannot join it; for the excluded player it does not exist.
  await offers(guest.page, 'no guests').waitFor();
  await button(guest.page, 'Join ottilie').click();
  await guest.page.getByText('This offer is for registered players only.').waitFor();
  await ben.page.reload();
  await button(ben.page, 'More options').waitFor();
  await eventually(async () => await offers(ben.page, 'ottilie').count() === 0, 'the offer is hidden');
  await leaveAll([anna, ben, guest]);
});

test('the range of a rated quick match widens', async () => {
  const anna = await registered(scene, 'rosamunde');
  const page = await anna.open('/');
  await button(page, 'More options').click();
  await dialog(page).getByLabel('Rated', { exact: true }).check();
  await button(dialog(page), 'Who can join…').click();
  await button(dialog(page), 'Find any opponent').click();
  await page.getByText(/rating within 100 points/).waitFor();
  await page.getByText(/rating within 150 points/).waitFor();
  await leaveAll([anna]);
});
