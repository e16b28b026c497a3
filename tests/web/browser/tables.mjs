// Sets up games for the tests as a person does in the lobby: against a house bot, or between pages.

import { Visitor, eventually } from './harness.mjs';
import { command, findPlay, look, primary, turn } from './player.mjs';

/** The maker of the game begins, and nobody has to hurry. */
export const CALM = { first: 'owner', 'challenge.window_ms': 60 };

/** A rule set of the operator: two tiles each, and every tile is an A. */
export function onlyA(id, name, tiles) {
  const none = [...'BCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `["${letter}", 0, 1]`).join(', ');
  return `
id = "${id}"
name = "${name}"
summary = "Two tiles each, all of them A."
base = "classic"
tile_sets = []
bingo = []
[players]
min = 2
max = 2
[rack]
size = 2
[[tiles]]
id = "only-a"
language = "english"
name = "Only A"
total = ${tiles}
points = ${tiles}
blanks = 0
letters = [["A", ${tiles}, 1], ${none}]
`;
}

/** Chooses a rule set in the lobby: by its button, or from the list of the others. */
export async function chooseRules(page, ruleSet) {
  await page.locator('.new .rules input').first().waitFor({ state: 'attached' });
  const button = page.locator(`.new .rules input[value="${ruleSet}"]`);
  // The form may still show the first choice for a moment, until it has come to this one.
  if (await button.count() > 0) await button.click({ force: true });
  else await page.getByRole('combobox', { name: 'Other rules' }).selectOption(ruleSet);
}

/** Chooses a rule set in the lobby, and options by their paths: those of the dialog, in its units. */
async function choose(page, ruleSet, options) {
  await chooseRules(page, ruleSet);
  // The link follows when the server has described the rules.
  await page.locator(`.card.new a[href="/rules/${ruleSet}"]`).waitFor();
  if (Object.keys(options).length === 0) return;
  await page.getByRole('button', { name: 'More options' }).click();
  const dialog = page.getByRole('dialog');
  for (const [path, value] of Object.entries(options)) {
    const field = dialog.locator(`#option-${path.replace('.', '-')}`);
    if (typeof value === 'boolean') await field.setChecked(value);
    else if (typeof value === 'number') await field.fill(String(value)).then(() => field.blur());
    else await field.selectOption(value);
  }
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

function board(page) {
  return page.locator('.rack .tile').first().waitFor();
}

/** Begins a game against the house bot of the welcome card. */
export async function botGame(page) {
  await page.getByRole('button', { name: 'Play a bot now' }).click();
  await board(page);
}

/** Begins a game by a rule set against a house bot of the list. */
export async function botGameOf(page, ruleSet, bot) {
  await choose(page, ruleSet, {});
  await page.getByRole('button', { name: `Play ${bot}`, exact: true }).click();
  await board(page);
}

/** Opens a private game; the others join by its link. The first visitor has made it. `names`: of all guests, in order. */
export async function together(scene, ruleSet, { count = 2, options = {}, names = [] } = {}) {
  const visitors = [];
  for (let i = 0; i < count; i++) visitors.push(await Visitor.come(scene.browser, scene.server));
  const [first, ...others] = visitors;
  const page = await first.open('/');
  if (names[0]) await rename(page, names[0]);
  await choose(page, ruleSet, options);
  await page.getByRole('group', { name: 'Players' }).getByRole('radio', { name: String(count), exact: true }).check();
  await page.getByRole('button', { name: 'Invite by link' }).click();
  await page.getByRole('heading', { name: 'Invite a friend' }).waitFor();
  const link = await page.locator('input[readonly]').first().inputValue();
  for (const [i, other] of others.entries()) {
    await other.page.goto(link);
    if (names[i + 1]) await other.page.getByRole('main').getByRole('textbox').first().fill(names[i + 1]);
    await other.page.getByRole('button', { name: 'Join game' }).click();
  }
  await Promise.all(visitors.map(({ page: one }) => board(one)));
  return visitors;
}

/** Gives a guest another name. */
async function rename(page, name) {
  await page.locator('.bar .me').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.locator('.btn.go').click();
  await dialog.waitFor({ state: 'hidden' });
}

/** As `together`, and deals again until every rack has a word. */
export async function withWords(scene, ruleSet, more) {
  for (;;) {
    const visitors = await together(scene, ruleSet, more);
    for (const { page } of visitors) await page.locator('.rack .tile').first().waitFor();
    const seen = await Promise.all(visitors.map(({ page }) => look(page)));
    if (seen.every((one) => findPlay(one))) return visitors;
    await leaveAll(visitors);
  }
}

/** A game between two pages under a kind of challenge: the pages, and what ends it. */
export async function duel(scene, kind, { ruleSet = 'classic', sit = together, ...options } = {}) {
  const visitors = await sit(scene, ruleSet, { options: { 'challenge.kind': kind, ...options } });
  const [first, second] = visitors.map(({ page }) => page);
  return {
    first, second,
    async end() {
      if (await first.locator('.card.result').count() === 0) await resign(first);
      for (const page of [first, second]) await page.locator('.card.result').waitFor();
      await leaveAll(visitors);
    },
  };
}

/** Both players pass once, so that a rated game counts. */
export async function passEach(pages) {
  const first = await Promise.race(pages.map(async (page) => {
    await turn(page);
    return page;
  }));
  for (const page of [first, pages.find((other) => other !== first)]) {
    await turn(page);
    await primary(page).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pass' }).click();
  }
}

/** Resigns, and says yes to the question. */
export async function resign(page) {
  await command(page, 'resign');
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
}

/** The lines of the scoresheet: what each says, its small print, and the points of the turn. */
export function sheet(page) {
  return page.locator('.sheet .turn-row').evaluateAll((rows) => rows.map((row) => ({
    text: row.textContent, small: row.querySelector('small')?.textContent ?? '', points: Number(row.querySelector('.p').textContent),
  })));
}

/** The scores on a page for two: the own one and the other. */
export async function scores(page) {
  const [other, own] = await page.locator('.seats > .seat .score').evaluateAll((nodes) => (
    [nodes.at(0), nodes.at(-1)].map((node) => Number(node.textContent.replace('−', '-')))));
  return { own, other };
}

/** Waits until all pages show such a line of the scoresheet. */
export async function line(pages, number, text) {
  for (const page of pages) {
    await eventually(async () => text.test((await sheet(page))[number - 1]?.text ?? ''), `line ${number}: ${text}`);
  }
}

/** Everybody closes the page, and nothing was wrong with it. */
export async function leaveAll(visitors) {
  for (const visitor of visitors) await visitor.leave();
}
