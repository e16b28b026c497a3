// Reports from where the names stand: a line of chat, a game, an open offer; and why not everything is offered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, Visitor, prepareScene } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { registered } from './people.mjs';
import { leaveAll } from './tables.mjs';

const scene = prepareScene();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const panel = (page) => page.locator('.chat');
const says = (page, text) => page.getByText(text).first().waitFor();

/** A private game of two visitors, each with the chat open. */
async function play(first, second) {
  const page = await first.open('/');
  await button(page, 'Invite by link').click();
  await page.getByRole('heading', { name: 'Invite a friend' }).waitFor();
  await second.page.goto(await page.locator('input[readonly]').first().inputValue());
  await button(second.page, 'Join game').click();
  for (const { page: one } of [first, second]) {
    await one.locator('.rack .tile').first().waitFor();
    await one.locator('.chat-tab:visible, .chat-tool:visible').click();
    await panel(one).getByRole('log').waitFor();
  }
}

async function write(page, text) {
  const field = panel(page).getByRole('textbox', { name: 'Write a message' });
  await field.fill(text);
  await field.press('Enter');
}

/** Sends the report that is open. */
async function send(page, reason) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').first().selectOption(reason);
  await button(dialog, 'Send').click();
  await dialog.waitFor({ state: 'detached' });
  await says(page, 'Thank you. Your report has been sent to the moderators.');
}

test('a guest is reported from a line and from the game, and cannot be blocked', async () => {
  const [rita, guest] = [await registered(scene, 'rita'), await Visitor.come(scene.browser, scene.server)];
  await play(rita, guest);
  await write(guest.page, 'you are slow');
  await write(rita.page, 'am I?');
  await button(panel(rita.page), /^More about/).click();
  const menu = rita.page.locator('.line-menu');
  await menu.getByText('Guests can’t be blocked: they could return under another name.').waitFor();
  assert.deepEqual(await menu.locator('a, button').allTextContents(), ['Report']);
  await button(menu, 'Report').click();
  await send(rita.page, 'abuse');

  await button(panel(guest.page), 'More about rita').click();
  const other = guest.page.locator('.line-menu');
  await other.getByText('Register to block or report players.').waitFor();
  assert.deepEqual(await other.locator('a, button').allTextContents(), ['Profile']);
  await guest.page.keyboard.press('Escape');

  await button(rita.page, 'More').click();
  await rita.page.getByRole('dialog').getByRole('button', { name: /\(profile, block, report\)$/ }).click();
  const dialog = rita.page.getByRole('dialog');
  await dialog.getByText('Guests can’t be blocked').waitFor();
  await checkEverywhere(rita.page, 'what can be done about a player', { part: 'dialog' });
  await rita.page.setViewportSize(DESKTOP);
  assert.equal(await button(dialog, 'Block').count(), 0);
  await button(dialog, 'Report').click();
  await send(rita.page, 'stalling');

  const mona = await registered(scene, 'mona');
  scene.server.operate('roles', 'grant', 'mona', 'moderator');
  const desk = await mona.open('/moderation');
  await says(desk, 'Insults, threats, spam');
  await says(desk, 'Stalling');
  await button(desk, /^Show the report about/).last().click();
  await says(desk, 'you are slow');
  await leaveAll([rita, guest, mona]);
});

test('the name in an open offer shows what can be done about the player', async () => {
  const [sam, tess] = [await registered(scene, 'sam'), await registered(scene, 'tess')];
  await sam.open('/');
  await button(sam.page, 'Find a game').click();
  await sam.page.locator('.waiting li').waitFor();
  await tess.open('/');
  const offer = tess.page.locator('.rows-list li', { hasText: 'sam' });
  const name = offer.getByRole('button', { name: /^sam/ });
  await name.focus();
  await tess.page.keyboard.press('Enter');
  const dialog = tess.page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'sam' }).waitFor();
  for (const act of ['Profile', 'Report']) assert.equal(await button(dialog, act).count(), 1);
  await button(dialog, 'Block').click();
  await button(tess.page.getByRole('dialog'), 'Block').click();
  await says(tess.page, 'You have blocked sam.');
  await offer.waitFor({ state: 'detached' });
  await leaveAll([sam, tess]);
});

test('a guest in an open offer can be reported, whatever is in the name', async () => {
  const name = 'Jo. Ann -2-';
  const [uma, guest] = [await registered(scene, 'uma'), await Visitor.come(scene.browser, scene.server)];
  await guest.open('/');
  await guest.page.locator('.bar .me').click();
  await guest.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
  await button(guest.page.getByRole('dialog'), 'Save').click();
  await says(guest.page, `You are now ${name}.`);
  await button(guest.page, 'Find a game').click();
  await guest.page.locator('.waiting li').waitFor();
  await uma.open('/');
  await uma.page.locator('.rows-list li', { hasText: name }).getByRole('button', { name, exact: true }).click();
  const dialog = uma.page.getByRole('dialog');
  await dialog.getByRole('heading', { name }).waitFor();
  await dialog.getByText('Guests can’t be blocked').waitFor();
  for (const act of ['Profile', 'Block']) assert.equal(await button(dialog, act).count(), 0);
  await button(dialog, 'Report').click();
  await send(uma.page, 'abuse');
  await leaveAll([uma, guest]);
});
