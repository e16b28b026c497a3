// Moderation: a report from a profile, the page of moderators, an action that the player is told of, and its end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, Visitor, prepareScene } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { registered, tokenOf } from './people.mjs';
import { leaveAll } from './tables.mjs';

const scene = prepareScene();
const heading = (page, name) => page.getByRole('heading', { name, exact: true }).first().waitFor();
const says = (page, text) => page.getByText(text).first().waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });

test('a report leads to an action that the player reads, and that is undone', async () => {
  const [anna, ben] = [await registered(scene, 'anna'), await registered(scene, 'ben')];
  const mona = await registered(scene, 'mona', { size: DESKTOP });
  scene.server.operate('roles', 'grant', 'mona', 'moderator');

  const page = await anna.open('/players/ben');
  await heading(page, 'ben');
  await button(page, 'Report').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').first().selectOption('abuse');
  await dialog.getByLabel('What happened?').first().fill('He called me <b>names</b>.');
  await button(dialog, 'Send').click();
  await says(page, 'Thank you. Your report has been sent to the moderators.');
  await anna.open('/moderation');
  await says(page, 'Only moderators can see this page.');

  const desk = await mona.open('/');
  await desk.locator('.bar').getByRole('button', { name: 'mona 1', exact: true }).click();
  await desk.locator('#me-menu').getByRole('link', { name: 'Moderation 1', exact: true }).click();
  await heading(desk, 'Moderation');
  const listed = desk.locator('.report', { hasText: 'ben' }).first();
  assert.match(await listed.textContent(), /^benHe called me <b>names<\/b>\.Insults, threats, spam, this hour\. Open$/);
  await button(desk, 'Show the report about ben').click();
  await says(desk, 'He called me <b>names</b>.');
  await says(desk, 'Reported by anna');
  await checkEverywhere(desk, 'a report', { sizes: [DESKTOP, PHONE] });
  await desk.setViewportSize(DESKTOP);
  await desk.getByRole('combobox', { name: 'Action' }).selectOption('mute');
  await desk.getByLabel('Reason (shown to the player)').fill('insults');
  await desk.getByLabel('Hours (empty = until lifted)').fill('24');
  await button(desk, 'Apply').click();
  await says(desk, /^Done: action \d+\.$/);
  await says(ben.page, /insults/);
  await says(desk, /^Insults, threats, spam, .*Closed by action/);
  await desk.locator('.bar').getByRole('button', { name: 'mona', exact: true }).waitFor();

  await desk.getByRole('button', { name: /^Undo action/ }).first().click();
  await desk.getByLabel('Reason for undoing').fill('a mistake');
  await button(desk.getByRole('dialog'), 'Undo').click();
  await says(desk, 'a mistake');
  await says(ben.page, /a mistake/);
  await leaveAll([anna, ben, mona]);
});

test('a muted player finds no field in the chat, and until when', async () => {
  const [anna, ben] = [await registered(scene, 'cara'), await registered(scene, 'dan')];
  const mona = await registered(scene, 'mora');
  scene.server.operate('roles', 'grant', 'mora', 'moderator');
  const page = await anna.open('/');
  await button(page, 'Invite by link').click();
  await heading(page, 'Invite a friend');
  await ben.page.goto(await page.locator('input[readonly]').first().inputValue());
  await button(ben.page, 'Join game').click();
  await ben.page.locator('.chat-tab:visible, .chat-tool:visible').click();
  const chat = ben.page.locator('.chat');
  const field = chat.getByRole('textbox', { name: 'Write a message' });
  await field.waitFor();
  await ask(mona.page, '/moderation/actions', {
    action: 'mute', player: 'dan', reason: 'insults', until: Date.now() + 3_600_000,
  });
  await chat.getByText(/^A moderator has muted you until .*: insults$/).waitFor();
  await field.waitFor({ state: 'hidden' });
  await leaveAll([anna, ben, mona]);
});

/** Sends a request of a moderator. */
async function ask(page, path, body) {
  const token = await tokenOf(page);
  const status = await page.evaluate(async (request) => {
    const headers = { authorization: `Bearer ${request.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`/api/v1${request.path}`, { method: 'POST', headers, body: JSON.stringify(request.body) });
    return answer.status;
  }, { token, path, body });
  assert.equal(status, 201);
}

test('a guest finds no reports', async () => {
  const guest = await Visitor.come(scene.browser, scene.server);
  const page = await guest.open('/moderation');
  await says(page, /Sign in|Only moderators can see this page/);
  assert.equal(await button(page, 'Apply').count(), 0);
  await guest.leave();
});
