// Every page at every size: axe finds nothing, a game does not scroll, nothing is cut, targets are large enough.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, PHONE, TABLET, TALL_PHONE, Visitor, prepareScene } from './harness.mjs';
import { command, findPlay, laid, playToTheEnd, playByCommand, turn } from './player.mjs';

const AXE = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const RULES = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
const LOOKS = [
  { name: 'light', colorScheme: 'light' },
  { name: 'dark', colorScheme: 'dark' },
  { name: 'forced', colorScheme: 'dark', forcedColors: 'active' },
];
const PATHS = ['/', '/watch', '/rules', '/rules/classic', '/rules/wordfeud', '/settings', '/finished', '/join', '/players/nobody'];

const scene = prepareScene();

/** Runs axe in the world of the test, which the policy of the page does not bind. */
async function checkAccess(page, what) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((rules) => globalThis.axe.run(document, rules), RULES);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  assert.deepEqual(found, [], what);
}

/** Nothing reaches over the sides of the window, and targets have 24 pixels or a distance that stands for them. */
async function checkFit(page, what) {
  const wide = await page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    const nodes = [...document.querySelectorAll('main *, header *')].filter((node) => node.checkVisibility());
    return nodes.filter((node) => {
      if (node.closest('.hide, .scroll, [popover], svg')) return false;
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

for (const { name, ...look } of LOOKS) {
  test(`pages for everybody, ${name}`, async () => {
    for (const size of [PHONE, DESKTOP]) {
      const visitor = await Visitor.come(scene.browser, scene.server, { size, ...look });
      for (const path of PATHS) {
        const page = await visitor.open(path);
        await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
        await checkAccess(page, `${path} ${name} ${size.width}`);
        await checkFit(page, `${path} ${name} ${size.width}`);
      }
      await visitor.leave();
    }
  });
}

for (const { name, ...look } of LOOKS) {
  test(`a game for everybody, ${name}`, async () => {
    for (const size of [PHONE, DESKTOP]) {
      const what = `${name} ${size.width}`;
      const visitor = await Visitor.come(scene.browser, scene.server, { size, ...look });
      const page = await visitor.open('/');
      await page.getByRole('button', { name: 'Play a bot now' }).click();
      const seen = await turn(page);
      await checkAccess(page, `a turn ${what}`);
      const [[square, face]] = laid(findPlay(seen), seen.cols);
      await page.locator(`.board [data-square="${square}"]`).click();
      await page.keyboard.press(face.toUpperCase());
      await checkAccess(page, `a draft ${what}`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('/');
      await checkAccess(page, `the command box ${what}`);
      await page.keyboard.press('Escape');
      await command(page, 'resign');
      await checkAccess(page, `a question ${what}`);
      await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
      await page.locator('.card.result').waitFor();
      await checkAccess(page, `the end ${what}`);
      await visitor.leave();
    }
  });
}

for (const size of [PHONE, TALL_PHONE, TABLET, DESKTOP]) {
  test(`a game fits ${size.width}x${size.height}`, async () => {
    const visitor = await Visitor.come(scene.browser, scene.server, { size, hasTouch: size.width < 1000 });
    const page = await visitor.open('/');
    await page.getByRole('button', { name: 'Play a bot now' }).click();
    let turns = 0;
    await playToTheEnd(page, async (_, play) => {
      if (turns++ < 3) {
        await checkNoScroll(page, `turn ${turns}`);
        await checkFit(page, `turn ${turns}`);
        await checkApart(page);
      }
      if (turns === 4) await command(page, 'resign').then(() => page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click());
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
