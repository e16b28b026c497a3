// A whole game by each rule set, in a page against a house bot, with the proof of its draws. Two pages play the other rule
// sets in whole_games.test.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor, prepareScene } from './harness.mjs';
import { playByCommand, playToTheEnd } from './player.mjs';
import { botGameOf } from './tables.mjs';

const RULE_SETS = {
  'classic-nine': { name: 'Classic, nine tiles', rack: 9 },
  'classic-finish-line': { name: 'Classic, Finish Line', rack: 7 },
  'tournament': { name: 'Tournament', rack: 7 },
  'super': { name: 'Super', rack: 7 },
  'words-with-friends': { name: 'Words With Friends', rack: 7 },
  'wordfeud': { name: 'Wordfeud', rack: 7 },
  'email-challenge': { name: 'E-mail, with challenges', rack: 7 },
  'email-validated': { name: 'E-mail, validated', rack: 7 },
};

/** Played between two pages in whole_games.test.mjs. */
const BETWEEN_PAGES = ['classic', 'wordfeud-random'];

const scene = prepareScene();

test('every rule set of the server is played', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  const choices = page.locator('.new .rules :is(option:not([value=""]), input)');
  await choices.first().waitFor({ state: 'attached' });
  const offered = await choices.evaluateAll((nodes) => nodes.map(({ value }) => value));
  assert.deepEqual(offered.sort(), [...Object.keys(RULE_SETS), ...BETWEEN_PAGES].sort());
  await visitor.leave();
});

for (const [ruleSet, { name, rack }] of Object.entries(RULE_SETS)) {
  test(`a whole game of ${ruleSet}`, async () => {
    const visitor = await Visitor.come(scene.browser, scene.server);
    const page = await visitor.open('/');
    await botGameOf(page, ruleSet, 'Club');
    await page.locator('.rack .tile').nth(rack - 1).waitFor();
    assert.match(await page.locator('main h1').first().textContent(), new RegExp(`^${name}`));
    const plays = await playToTheEnd(page, playByCommand);
    assert.ok(plays >= 2, `${plays} plays`);
    await page.getByText('Fair draw verified').filter({ visible: true }).first().waitFor();
    await visitor.leave();
  });
}
