// Checks of every page at every size and in every look: axe finds nothing, nothing is cut, targets are large enough.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { DESKTOP, PHONE } from './harness.mjs';

const AXE = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
/** A name that does not begin with what is seen cannot be spoken. The rule is new to axe, so it has no place among the tags. */
const NAMES = { 'label-content-name-mismatch': { enabled: true } };
const RULES = { rules: NAMES, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
/** Rules about colours. The others find the same in every look. */
const COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
const LOOKS = [
  { name: 'light', rules: RULES, colorScheme: 'light', forcedColors: 'none' },
  { name: 'dark', rules: COLOURS, colorScheme: 'dark', forcedColors: 'none' },
  { name: 'forced', rules: COLOURS, colorScheme: 'dark', forcedColors: 'active' },
];
const SIZES = [PHONE, DESKTOP];

/** Runs axe in the world of the test, which the policy of the page does not bind. */
async function checkAccess(page, rules, part, what) {
  if (!await page.evaluate(() => globalThis.axe !== undefined)) await page.evaluate(AXE);
  const options = { ...rules, resultTypes: ['violations'], preload: false };
  const { violations } = await page.evaluate((given) => globalThis.axe.run(...given), [part, options]);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  assert.deepEqual(found, [], what);
}

/**
 * Waits for the frames after a change of look or size, and ends what moves then: in a part that is folded, an animation would
 * never end by itself.
 */
export function settle(page) {
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let frames = 0; frames < 3; frames++) await frame();
    for (const animation of document.getAnimations()) {
      if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
    }
    await frame();
  });
}

/**
 * Checks a page as it is, at every size and in every look; or the part of it that is new. `sizes` are those for the looks
 * in other colours: a large window shows everything that has a colour.
 */
export async function checkEverywhere(page, what, { part = 'html', sizes = SIZES } = {}) {
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
export async function checkFit(page, what) {
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

export async function checkNoScroll(page, what) {
  const { height, seen } = await page.evaluate(() => ({
    height: document.documentElement.scrollHeight, seen: document.documentElement.clientHeight,
  }));
  assert.ok(height <= seen, `${what}: the page of a game scrolls, ${height} in ${seen}`);
}
