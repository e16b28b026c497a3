// Plays in a page as a person does: looks at the elements, decides with a word list, and uses keys, touch or the command box.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Words } from '../../../docs/clients/javascript/words.js';
import { CLIENT_PROGRAM, PATIENCE_MS, eventually } from './harness.mjs';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const ROW = 32; // The key of a square is row * 32 + column, as the example client writes it.

let wordsOfLexicon;

/** The words of the built-in lexicon, with tiles of one letter. */
function words() {
  if (!wordsOfLexicon) {
    const list = execFileSync(CLIENT_PROGRAM, ['lexicon', 'export', 'wordnik'], { maxBuffer: 2 ** 26 });
    const path = join(mkdtempSync(join(tmpdir(), 'tilewire-words-')), 'words');
    writeFileSync(path, list);
    wordsOfLexicon = new Words(path, [...LETTERS, '?'].map((face) => ({ face, value: 1 })));
  }
  return wordsOfLexicon;
}

/** Returns the visible state of a game. */
export function look(page) {
  return page.evaluate(() => {
    const faceOf = (node) => {
      const letter = node.querySelector('i').textContent;
      if (!node.classList.contains('blank')) return letter;
      return letter === '' ? '?' : letter.toLowerCase();
    };
    const squares = [...document.querySelectorAll('.board [data-square]')];
    const cols = Math.max(...squares.map((node) => Number(node.getAttribute('aria-colindex'))));
    const tiles = squares.filter((node) => node.classList.contains('tile') && !node.classList.contains('draft'));
    const start = squares.findIndex((node) => node.classList.contains('start'));
    return {
      cols,
      rows: squares.length / cols,
      start,
      board: tiles.map((node) => [Number(node.dataset.square), faceOf(node)]),
      drafts: squares.filter((node) => node.classList.contains('draft')).map((node) => [Number(node.dataset.square), faceOf(node)]),
      rack: [...document.querySelectorAll('.rack [data-place].tile')].map(faceOf),
      isMine: document.querySelector('.seats > .seat:last-child.turn') !== null,
      isOver: document.querySelector('.card.result') !== null,
      turns: document.querySelectorAll('.sheet .turn-row').length,
      isFinal: document.querySelector('.btn.primary')?.textContent === 'Waiting for challenges'
        && document.querySelector('.strip [data-act="accept"]') !== null,
    };
  });
}

/** The row and the column of the start square, which a tile can hide. */
function startOf({ start, cols, rows }) {
  const square = start < 0 ? Math.floor(rows / 2) * cols + Math.floor(cols / 2) : start;
  return { row: Math.floor(square / cols) + 1, column: String.fromCharCode(65 + (square % cols)) };
}

/** Finds a play for what is seen: { start, tiles } or undefined. */
export function findPlay(seen) {
  const { cols, rows } = seen;
  const key = (square) => Math.floor(square / cols) * ROW + (square % cols);
  const { row, column } = startOf(seen);
  return words().find({
    setup: { rule_set: { board: { rows, cols, start: column + row } } },
    board: new Map(seen.board.map(([square, face]) => [key(square), face])),
    rack: seen.rack,
  });
}

/** A first play whose word is not in the lexicon. */
export function phonyOf(seen) {
  const letters = seen.rack.filter((face) => face !== '?');
  const { row, column } = startOf(seen);
  const tiles = letters.flatMap((a, i) => letters.flatMap((b, j) => letters.flatMap((c, k) => (
    i === j || j === k || i === k || words().has(a + b + c) ? [] : [[a, b, c]]))));
  return { start: `${row}${column}`, tiles: tiles[0] };
}

/** The squares of a play with the faces that are laid. */
export function laid({ start, tiles }, cols) {
  const row = parseInt(start.replace(/\D/g, ''), 10) - 1;
  const col = start.replace(/\d/g, '').charCodeAt(0) - 65;
  const isAcross = /^\d/.test(start);
  return tiles.map((face, i) => [isAcross ? row * cols + col + i : (row + i) * cols + col, face]).filter(([, face]) => face !== '.');
}

/** Waits until it is the player's turn or the game is over. A last play of an opponent is accepted. */
export async function turn(page) {
  let seen;
  await eventually(async () => {
    seen = await look(page);
    if (seen.isFinal) await page.locator('.strip [data-act="accept"]').click({ timeout: 2_000 }).catch(() => {});
    return seen.isOver || (seen.isMine && seen.drafts.length === 0 && seen.rack.length > 0);
  }, () => `the turn comes: ${JSON.stringify(seen)}`);
  return seen;
}

/** Lays tiles with the keyboard: arrows to the square, Space for the direction, letters, Enter. */
export async function playByKeys(page, play, cols) {
  const squares = laid(play, cols);
  const isAcross = /^\d/.test(play.start);
  await focusBoard(page);
  await moveFocus(page, squares[0][0], cols);
  await page.keyboard.press('Space');
  if (!isAcross) await page.keyboard.press('Space');
  for (const [, face] of squares) {
    const shift = face === face.toLowerCase() ? 'Shift+' : '';
    for (const letter of face.toUpperCase()) await page.keyboard.press(`${shift}${letter}`);
  }
  await page.keyboard.press('Enter');
}

/** Presses Tab until a square of the board has the focus. */
async function focusBoard(page) {
  for (let presses = 0; presses < 60; presses++) {
    if (await page.evaluate(() => document.activeElement?.matches('.board [data-square]') ?? false)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('Tab does not lead to the board');
}

async function moveFocus(page, square, cols) {
  const at = () => page.evaluate(() => Number(document.activeElement.dataset.square));
  const go = async (steps, forward, back) => {
    for (let i = 0; i < Math.abs(steps); i++) await page.keyboard.press(steps > 0 ? forward : back);
  };
  const from = await at();
  await go(Math.floor(square / cols) - Math.floor(from / cols), 'ArrowDown', 'ArrowUp');
  await go((square % cols) - (from % cols), 'ArrowRight', 'ArrowLeft');
  assert.equal(await at(), square);
}

/** Lays tiles by touch: a tap on a tile, then on a square. A blank is named in its dialog. */
export async function playByTouch(page, play, cols) {
  for (const [square, face] of laid(play, cols)) {
    const isBlank = face === face.toLowerCase();
    const place = await page.evaluate((wanted) => {
      const places = [...document.querySelectorAll('.rack [data-place].tile')];
      const faceOf = (node) => (node.classList.contains('blank') ? '?' : node.querySelector('i').textContent);
      return places.find((node) => faceOf(node) === wanted)?.dataset.place;
    }, isBlank ? '?' : face);
    await page.locator(`.rack [data-place="${place}"]`).tap();
    const target = page.locator(`.board [data-square="${square}"]`);
    await target.tap();
    if (isBlank) await page.getByRole('dialog').getByRole('button', { name: face.toUpperCase(), exact: true }).tap();
    // The rack is painted with the square; before that it shows a tile that is not there any more.
    await target.filter({ hasText: face.toUpperCase() }).and(page.locator('.draft')).waitFor();
  }
  await primary(page).tap();
}

/** Writes a play into the command box. */
export async function playByCommand(page, play) {
  await command(page, `${play.start} ${play.tiles.join('')}`);
}

/** Opens the command box with a key and writes a command into it. */
export async function command(page, text) {
  await page.keyboard.press('/');
  await page.getByRole('dialog').getByRole('textbox').fill(text);
  await page.keyboard.press('Enter');
}

/** Presses a button of the strip. It goes when the press has had its effect. */
export async function judge(page, act) {
  const button = page.locator(`.strip [data-act="${act}"]`);
  await button.click();
  await button.waitFor({ state: 'hidden' });
}

/**
 * Challenges the last play, which takes two presses. The second counts for a short time only, so a slow machine may need
 * more. Returns what the strip said between them.
 */
export async function challenge(page) {
  const button = page.locator('.strip [data-act="challenge"]');
  const asked = page.locator('.strip.sure .say');
  let said = '';
  await button.waitFor();
  await eventually(async () => {
    if ((await button.count()) === 0) return true;
    await button.click({ timeout: 2_000 }).catch(() => {});
    said ||= (await asked.allTextContents()).join();
    return false;
  }, 'the challenge is made');
  return said;
}

/** The primary button of a game. */
export function primary(page) {
  return page.locator('.btn.primary');
}

/** Plays until the game is over; `make` makes a play that was found. Returns the number of plays. */
export async function playToTheEnd(page, make, { most = 200 } = {}) {
  let plays = 0;
  for (let turns = 0; turns < most; turns++) {
    const seen = await turn(page);
    if (seen.isOver) return plays;
    const play = findPlay(seen);
    if (play) {
      await make(page, play, seen.cols);
      plays += 1;
    } else {
      await command(page, 'pass');
    }
    await page.waitForFunction(
      (count) => document.querySelector('.card.result') !== null || document.querySelectorAll('.sheet .turn-row').length > count,
      seen.turns, { timeout: PATIENCE_MS },
    );
  }
  return assert.fail('the game does not end');
}
