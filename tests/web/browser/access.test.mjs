// Every page at every size: axe finds nothing, a game does not scroll, nothing is cut, targets are large enough.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, PHONE, TABLET, TALL_PHONE, Visitor, prepareScene } from './harness.mjs';
import { command, findPlay, laid, playToTheEnd, playByCommand, turn } from './player.mjs';
import { botGame, resign } from './tables.mjs';

const AXE = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const RULES = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
/** Rules about colours. The others find the same in every look. */
const COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
const LOOKS = [
  { name: 'light', rules: RULES, colorScheme: 'light', forcedColors: 'none' },
  { name: 'dark', rules: COLOURS, colorScheme: 'dark', forcedColors: 'none' },
  { name: 'forced', rules: COLOURS, colorScheme: 'dark', forcedColors: 'active' },
];
const SIZES = [PHONE, DESKTOP];
const PATHS = ['/', '/watch', '/rules', '/rules/classic', '/rules/wordfeud', '/settings', '/finished', '/join', '/players/nobody'];

const scene = prepareScene();

/** Runs axe in the world of the test, which the policy of the page does not bind. */
async function checkAccess(page, rules, part, what) {
  if (!await page.evaluate(() => globalThis.axe !== undefined)) await page.evaluate(AXE);
  const options = { ...rules, resultTypes: ['violations'], preload: false };
  const { violations } = await page.evaluate((given) => globalThis.axe.run(...given), [part, options]);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  assert.deepEqual(found, [], what);
}

/** Waits for the frames after a change of look or size, and for what moves then. */
function settle(page) {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    await Promise.allSettled(document.getAnimations().map(({ finished, effect }) => (
      effect.getComputedTiming().endTime === Infinity ? undefined : finished)));
  });
}

/**
 * Checks a page as it is, at every size and in every look; or the part of it that is new. `sizes` are those for the looks
 * in other colours: a large window shows everything that has a colour.
 */
async function checkEverywhere(page, what, { part = 'html', sizes = SIZES } = {}) {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const { name, rules, ...look } of LOOKS.filter((one) => one.rules === RULES || sizes.includes(size))) {
      await page.emulateMedia(look);
      await settle(page);
      await checkAccess(page, rules, part, `${what} ${name} ${size.width}`);
      if (rules === RULES) await checkFit(page, `${what} ${size.width}`);
    }
  }
}

/** Nothing reaches over the sides of the window, and targets have 24 pixels or a distance that stands for them. */
async function checkFit(page, what) {
  const wide = await page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    const nodes = [...document.querySelectorAll('main *, header *')].filter((node) => node.checkVisibility());
    // A name that has no room ends with an ellipsis.
    const ends = (node) => node !== null && (getComputedStyle(node).textOverflow === 'ellipsis' || ends(node.parentElement));
    return nodes.filter((node) => {
      if (node.closest('.hide, .scroll, [popover], svg') || ends(node.parentElement)) return false;
      const { left, right, width } = node.getBoundingClientRect();
      return width > 0 && (left < -1 || right > clientWidth + 1);
    }).map((node) => node.className || node.tagName);
  });
  assert.deepEqual(wide, [], `${what}: reaches over the side`);
  const small = await page.evaluate(() => [...document.querySelectorAll('button, a, input, select')]
    .filter((node) => node.checkVisibility() && !node.closest('p, .board, .hide'))
    .filter((node) => {
      // A press on the label of a field is a press on the field.
      const { width, height } = (node.closest('label') ?? node).getBoundingClientRect();
      return width > 0 && (width < 24 || height < 24) && getComputedStyle(node).display !== 'inline';
    }).map((node) => node.outerHTML.slice(0, 100)));
  assert.deepEqual(small, [], `${what}: too small to hit`);
}

async function checkNoScroll(page, what) {
  const { height, seen } = await page.evaluate(() => ({
    height: document.documentElement.scrollHeight, seen: document.documentElement.clientHeight,
  }));
  assert.ok(height <= seen, `${what}: the page of a game scrolls, ${height} in ${seen}`);
}

test('pages for everybody', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  for (const path of PATHS) {
    const page = await visitor.open(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await checkEverywhere(page, path, { sizes: [DESKTOP] });
  }
  await visitor.leave();
});

test('a game for everybody', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  await botGame(page);
  const seen = await turn(page);
  await checkEverywhere(page, 'a turn');
  const [[square, face]] = laid(findPlay(seen), seen.cols);
  await page.locator(`.board [data-square="${square}"]`).click();
  await page.keyboard.press(face.toUpperCase());
  await page.locator('.board .draft').waitFor();
  await checkEverywhere(page, 'a draft', { part: { include: [['.hand'], ['.strip'], ['.q.draft']] } });
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('dialog').waitFor();
  await checkEverywhere(page, 'the command box', { part: 'dialog' });
  await page.keyboard.press('Escape');
  await command(page, 'resign');
  const yes = page.getByRole('dialog').getByRole('button', { name: 'Resign' });
  await yes.waitFor();
  await checkEverywhere(page, 'a question', { part: 'dialog' });
  await yes.click();
  await page.locator('.card.result').waitFor();
  await checkEverywhere(page, 'the end');
  await visitor.leave();
});

for (const size of [PHONE, TALL_PHONE, TABLET, DESKTOP]) {
  test(`a game fits ${size.width}x${size.height}`, async () => {
    const visitor = await Visitor.come(scene.browser, scene.server, { size, hasTouch: size.width < 1000 });
    const page = await visitor.open('/');
    await botGame(page);
    let turns = 0;
    await playToTheEnd(page, async (_, play) => {
      if (turns++ < 3) {
        await checkNoScroll(page, `turn ${turns}`);
        await checkFit(page, `turn ${turns}`);
        await checkApart(page);
      }
      if (turns === 4) await resign(page);
      else await playByCommand(page, play);
    });
    await visitor.leave();
  });
}

/** The parts of a game do not lie on each other. */
async function checkApart(page) {
  const over = await page.evaluate(() => {
    const names = ['header.bar', '.seats', '.frame', '.strip', '.rack', '.btn.primary'];
    const boxes = names.map((name) => [name, document.querySelector(name)?.getBoundingClientRect()]).filter(([, box]) => box?.width);
    const isOver = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    return boxes.flatMap(([name, box], i) => boxes.slice(i + 1).filter(([, other]) => isOver(box, other)).map(([other]) => `${name} ${other}`));
  });
  assert.deepEqual(over, []);
}
