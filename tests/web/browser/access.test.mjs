// Every page at every size: axe finds nothing, a game does not scroll, nothing is cut, targets are large enough.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, TABLET, TALL_PHONE, Visitor, prepareScene } from './harness.mjs';
import { checkEverywhere, checkFit, checkNoScroll } from './access.mjs';
import { command, findPlay, laid, playToTheEnd, playByCommand, turn } from './player.mjs';
import { botGame, resign } from './tables.mjs';

const PATHS = ['/', '/watch', '/rules', '/rules/classic', '/rules/wordfeud', '/settings', '/archive', '/leaderboards', '/join', '/players/nobody', '/register', '/login', '/recover', '/account'];

const scene = prepareScene();

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
