// Where the parts of each page lie, at three sizes, compared with geometry.json.
//
// After a wanted change of the layout: UPDATE_GEOMETRY=1 cargo nextest run --workspace browser::geometry

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, PHONE, TABLET, Visitor, prepareScene } from './harness.mjs';
import { turn } from './player.mjs';

const KEPT = new URL('../geometry.json', import.meta.url);
/** Fonts of machines differ by some pixels. */
const TOLERANCE_PX = 12;
const TOLERANCE_SHARE = 0.04;
const PARTS = {
  '/': ['header.bar', 'main', 'main h1', '.hero', '.card.new', '.block'],
  '/rules': ['header.bar', 'main h1'],
  '/rules/super': ['header.bar', 'main h1', '.rules-page'],
  '/settings': ['header.bar', 'main h1', '.card'],
  game: ['header.bar', '.seats', '.frame', '.board', '.strip', '.rack', '.btn.primary', '.panel'],
};

const scene = prepareScene();

/** The boxes of the first elements that are seen, rounded: left, top, width, height. */
function boxes(page, selectors) {
  return page.evaluate((wanted) => Object.fromEntries(wanted.flatMap((selector) => {
    const node = [...document.querySelectorAll(selector)].find((found) => found.checkVisibility());
    if (!node) return [];
    const { left, top, width, height } = node.getBoundingClientRect();
    return [[selector, [left, top, width, height].map(Math.round)]];
  })), selectors);
}

test('every part lies where it lay', async () => {
  const found = {};
  const look = async (size, names) => {
    const visitor = await Visitor.come(scene.browser, scene.server, { size });
    for (const name of names) found[`${name} ${size.width}`] = await boxes(await arrive(visitor, name), PARTS[name]);
    await visitor.leave();
  };
  const sizes = [PHONE, TABLET, DESKTOP];
  // Games come last: the lobby shows them.
  for (const size of sizes) await look(size, Object.keys(PARTS).filter((name) => name !== 'game'));
  for (const size of sizes) await look(size, ['game']);
  if (process.env.UPDATE_GEOMETRY) await writeFile(KEPT, `${JSON.stringify(found)}\n`);
  const kept = JSON.parse(await readFile(KEPT, 'utf8'));
  assert.deepEqual(Object.keys(found), Object.keys(kept));
  for (const [name, parts] of Object.entries(kept)) {
    for (const [part, box] of Object.entries(parts)) {
      const now = found[name][part];
      assert.ok(now, `${name}: ${part} is gone`);
      const isNear = box.every((value, i) => Math.abs(value - now[i]) <= TOLERANCE_PX + value * TOLERANCE_SHARE);
      assert.ok(isNear, `${name}: ${part} lay at ${box} and lies at ${now}`);
    }
  }
});

async function arrive(visitor, name) {
  const page = await visitor.open(name === 'game' ? '/' : name);
  if (name === 'game') {
    await page.getByRole('button', { name: 'Play a bot now' }).click();
    await turn(page);
  } else {
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
  }
  return page;
}
