// The card of a new game in the lobby: everything is seen at once, and nothing is offered twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, Visitor, prepareScene } from './harness.mjs';
import { chooseRules } from './tables.mjs';

const scene = prepareScene();

test('a visitor finds a game without scrolling', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server, { size: DESKTOP });
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'Play a bot now' }).waitFor();
  const { y, height } = await page.getByRole('button', { name: 'Find a game' }).boundingBox();
  assert.ok(y + height <= DESKTOP.height, `the button ends at ${y + height}`);
  await visitor.leave();
});

test('rules with a button are not in the list', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  const list = page.getByRole('combobox', { name: 'Other rules' });
  // The list says what it is for once rules with a button are chosen.
  await list.locator('option[value=""]').waitFor({ state: 'attached' });
  const [buttons, listed] = await Promise.all([
    page.locator('.new .rules input').evaluateAll((nodes) => nodes.map(({ value }) => value)),
    list.locator('option').evaluateAll((nodes) => nodes.map(({ value }) => value)),
  ]);
  assert.deepEqual(listed.filter((id) => buttons.includes(id)), []);
  assert.equal(listed[0], '');
  await chooseRules(page, 'classic-nine');
  await page.locator('.card.new a[href="/rules/classic-nine"]').waitFor();
  assert.equal(await list.inputValue(), 'classic-nine');
  await chooseRules(page, 'wordfeud');
  await page.locator('.card.new a[href="/rules/wordfeud"]').waitFor();
  assert.equal(await list.inputValue(), '');
  await visitor.leave();
});
