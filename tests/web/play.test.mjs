// Faces, squares and placements: the worked examples of docs/rules.md, a whole game, and random boards against a slow
// oracle.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  blankFace,
  facesOfWord,
  isBlankFace,
  shownFace,
  tileOfFace,
  typedFaces,
  valueOf,
  wordText,
} from '../../server/web/src/play/faces.js';
import { parsePlay } from '../../server/web/src/play/notation.js';
import { placementOf } from '../../server/web/src/play/placement.js';
import { laidSquares, squareName, squareOf, startName } from '../../server/web/src/play/squares.js';
import { recordEvents } from '../../server/web/src/model/history.js';
import { emptyTable, takeEvent } from '../../server/web/src/model/table.js';
import { classicRules, createdEvent, pick, readText, seededRandom } from './support.mjs';

function tableWith(plays = [], ruleSet = classicRules()) {
  const table = emptyTable('g1', 'anna');
  takeEvent(table, createdEvent({ ruleSet }));
  for (const [start, tiles] of plays)
    for (const [square, face] of laidSquares(start, tiles, table.cols)) table.board.set(square, face);
  return table;
}

const placed = (table, start, tiles) => placementOf(table, new Map(laidSquares(start, [...tiles], table.cols)));
const texts = (placement) => placement.words.map(({ text, score }) => `${text} ${score}`);

test('faces: blanks, long faces, words in brackets', () => {
  assert.deepEqual(['A', 'a', '?', 'L·L', 'l·l'].map(tileOfFace), ['A', '?', '?', 'L·L', '?']);
  assert.deepEqual([isBlankFace('CH'), isBlankFace('ch'), shownFace('ch'), blankFace('CH')], [false, true, 'CH', 'ch']);
  assert.equal(wordText(['LL', 'A', 'm', 'a']), '[LL]Ama');
  assert.deepEqual(facesOfWord('[l·l]A[CH]'), ['l·l', 'A', 'CH']);
  const { setup } = createdEvent();
  assert.deepEqual(
    ['Q', 'q', '?', 'nothing'].map((face) => valueOf(setup, face)),
    [10, 0, 0, 0],
  );
});

test('typed faces of a rack: the longest first, every tile once', () => {
  assert.deepEqual(typedFaces(['L', 'LL', 'A', '?'], 'lla?'), ['LL', 'A', '?']);
  assert.deepEqual(typedFaces(['L', 'LL', 'L', 'A'], 'LLLL'), ['LL', 'L', 'L']);
  assert.deepEqual(typedFaces(['L·L', 'A'], '[L·L] a'), ['L·L', 'A']);
  assert.equal(typedFaces(['A', 'E'], 'AA'), undefined);
});

test('squares and their names', () => {
  assert.equal(squareOf('H8', 15), 7 * 15 + 7);
  assert.equal(squareOf('8h', 15), 7 * 15 + 7);
  assert.deepEqual(
    ['P1', 'A0', 'A', '8', 'AB1', 'A1A', ''].map((name) => squareOf(name, 15)),
    Array(7).fill(undefined),
  );
  for (const square of [0, 14, 15, 112, 224]) {
    assert.equal(squareOf(squareName(square, 15), 15), square);
    assert.equal(squareOf(startName(square, true, 15), 15), square);
  }
  assert.deepEqual([startName(112, true, 15), startName(112, false, 15)], ['8H', 'H8']);
});

test('the five turns of the rules', () => {
  const table = tableWith();
  const turns = [
    ['8F', 'HORN', ['HORN 14']],
    ['H6', 'FA.M', ['FARM 9']],
    ['10F', 'PASTE', ['PASTE 15', 'FARMS 10']],
    ['9H', '.OB', ['MOB 8', 'NOT 4', 'BE 4']],
    ['11E', 'BIT', ['BIT 10', 'PI 4', 'AT 2']],
  ];
  for (const [start, tiles, words] of turns) {
    const placement = placed(table, start, tiles);
    assert.deepEqual(texts(placement), words);
    assert.deepEqual([placement.start, placement.tiles], [start, [...tiles]]);
    for (const [square, face] of laidSquares(start, [...tiles], 15)) table.board.set(square, face);
  }
});

test('both ends of a word, a blank, a bonus', () => {
  const opening = placed(tableWith(), '8E', 'TRAINER');
  assert.deepEqual([opening.score, opening.bonus], [64, 50]);
  const ends = placed(tableWith([['8E', [...'TRAINER']]]), '8D', 'S.......S');
  assert.deepEqual([ends.score, ends.start, texts(ends)], [11, '8D', ['STRAINERS 11']]);
  const blank = placed(tableWith([['8E', [...'HOUR']]]), 'I4', 'PLAYs');
  assert.deepEqual([blank.score, texts(blank)], [20, ['PLAYs 13', 'HOURs 7']]);
});

test('what is refused, with the squares concerned', () => {
  const table = tableWith([['8F', [...'HORN']]]);
  const code = (board, tiles) => {
    const { ok, ...wrong } = placementOf(board, new Map(tiles.map(([name, face]) => [squareOf(name, 15), face])));
    return ok ? 'ok' : [wrong.code, ...wrong.squares.map((square) => squareName(square, 15))].join(' ');
  };
  assert.equal(code(table, []), 'no_tiles');
  assert.equal(code(table, [['J8', '?']]), 'blank_unassigned J8');
  assert.equal(
    code(table, [
      ['G9', 'A'],
      ['H10', 'B'],
    ]),
    'not_in_line G9 H10',
  );
  assert.equal(
    code(table, [
      ['G8', 'A'],
      ['J8', 'B'],
    ]),
    'occupied G8',
  );
  assert.equal(
    code(table, [
      ['J8', 'A'],
      ['L8', 'B'],
    ]),
    'gap K8',
  );
  assert.equal(
    code(table, [
      ['A1', 'A'],
      ['B1', 'B'],
    ]),
    'not_adjacent A1 B1',
  );
  assert.equal(code(table, [['J9', 'A']]), 'not_adjacent J9');
  assert.equal(code(tableWith(), [['H8', 'A']]), 'too_few_tiles H8');
  assert.equal(
    code(tableWith(), [
      ['A1', 'A'],
      ['A2', 'B'],
    ]),
    'centre_missed H8',
  );
  assert.equal(code(tableWith([], { ...classicRules(), opening_min_tiles: 1 }), [['H8', 'A']]), 'word_too_short H8');
  // Two tiles in one column whose numbers differ by a multiple of the row's length, but also tiles around an edge.
  assert.equal(
    code(table, [
      ['O8', 'A'],
      ['A9', 'B'],
    ]),
    'not_in_line O8 A9',
  );
});

test('a single tile lies in its longer word', () => {
  const table = tableWith([
    ['8F', [...'HORN']],
    ['G9', ['X']],
  ]);
  assert.equal(placed(table, '9H', 'A').start, '9G', 'across where both are equal');
  assert.equal(placed(table, 'G10', 'A').start, 'G8');
});

test('every play of a recorded game has the words and the score of the record', () => {
  const events = recordEvents(readText('rules/benches/played/game.jsonl'), classicRules());
  const table = emptyTable('match-11', undefined);
  let plays = 0;
  for (const event of events) {
    if (event.kind === 'play_made') {
      const placement = placed(table, event.start, event.tiles);
      assert.deepEqual(
        placement.words.map(({ text, score }) => [text, score]),
        event.words,
      );
      assert.deepEqual(
        [placement.score, placement.bonus, placement.start, placement.tiles],
        [event.score, event.bonus ?? 0, event.start, event.tiles],
      );
      plays++;
    }
    takeEvent(table, event);
  }
  assert.equal(plays, 22);
});

/** Finds words by comparing every line of the board before and after, and scores them square by square. */
function slowWords(table, tiles) {
  const after = new Map([...table.board, ...tiles]);
  const factor = (symbols, square) =>
    tiles.has(square) ? (symbols[table.layout[Math.floor(square / 15)][square % 15]] ?? 1) : 1;
  const words = [];
  for (const isAcross of [true, false]) {
    for (let line = 0; line < 15; line++) {
      let run = [];
      for (let i = 0; i <= 15; i++) {
        const square = isAcross ? line * 15 + i : i * 15 + line;
        if (i < 15 && after.has(square)) {
          run.push(square);
          continue;
        }
        if (run.length > 1 && run.some((at) => tiles.has(at))) {
          const sum = run
            .map((at) => valueOf(table.setup, after.get(at)) * factor({ "'": 2, '"': 3 }, at))
            .reduce((a, b) => a + b);
          const product = run.map((at) => factor({ '-': 2, '=': 3 }, at)).reduce((a, b) => a * b);
          words.push(`${run.map((at) => after.get(at)).join('')} ${sum * product}`);
        }
        run = [];
      }
    }
  }
  return words.sort();
}

/** Whether tiles can lie so, by the letter of R-PLAY-2 to R-PLAY-6. */
function slowIsLegal(table, tiles) {
  const squares = [...tiles.keys()];
  const [rows, cols] = [squares.map((at) => Math.floor(at / 15)), squares.map((at) => at % 15)];
  const [isRow, isCol] = [new Set(rows).size === 1, new Set(cols).size === 1];
  if (squares.some((at) => table.board.has(at)) || !(isRow || isCol)) return false;
  const range = (list) =>
    Array.from({ length: Math.max(...list) - Math.min(...list) + 1 }, (_, i) => Math.min(...list) + i);
  const line = isRow ? range(cols).map((col) => rows[0] * 15 + col) : range(rows).map((row) => row * 15 + cols[0]);
  if (line.some((at) => !tiles.has(at) && !table.board.has(at))) return false;
  if (table.board.size === 0) return squares.length >= 2 && tiles.has(112);
  return squares.some((at, i) =>
    [...table.board.keys()].some(
      (old) => Math.abs(Math.floor(old / 15) - rows[i]) + Math.abs((old % 15) - cols[i]) === 1,
    ),
  );
}

test('random placements on random boards agree with the slow oracle', () => {
  const random = seededRandom(7);
  const faces = [...'ABEIOQRSTZae'];
  let legal = 0;
  for (let round = 0; round < 400; round++) {
    const table = tableWith();
    for (let turn = 0; turn < 12; turn++) {
      const isAcross = random() < 0.5;
      let square = Math.floor(random() * 225);
      if (turn === 0) square = 112 - Math.floor(random() * 3) * (isAcross ? 1 : 15);
      const tiles = new Map();
      for (let i = 0; i < 1 + Math.floor(random() * 6) && square < 225; i++) {
        if (!table.board.has(square) || random() < 0.02) tiles.set(square, pick(random, faces));
        square += (isAcross ? 1 : 15) * (random() < 0.04 ? 2 : 1);
      }
      if (tiles.size === 0) continue;
      const placement = placementOf(table, tiles);
      assert.equal(placement.ok, slowIsLegal(table, tiles), JSON.stringify([...tiles]));
      if (!placement.ok) continue;
      legal++;
      const found = placement.words.map(({ text, score }) => `${text} ${score}`).sort();
      assert.deepEqual(found, slowWords(table, tiles));
      for (const [at, face] of tiles) table.board.set(at, face);
    }
  }
  assert.ok(legal > 500, `${legal} legal placements`);
});

test('typed plays', () => {
  const table = tableWith([['8F', [...'HORN']]]);
  const parsed = (text, rack = [...'FARMS?E'], board = table) => {
    const result = parsePlay(board, rack, text);
    return result instanceof Map
      ? [...result].map(([square, face]) => squareName(square, 15) + face).join(' ')
      : result.code;
  };
  assert.equal(parsed('H6 FA.M'), 'H6F H7A H9M');
  assert.equal(parsed('h6 fa(r)m'), 'H6F H7A H9M');
  assert.equal(parsed('H6 FARM'), 'H6F H7A H9M', 'letters that lie there can be written out');
  assert.equal(parsed('8J s'), 'J8s', 'a blank');
  assert.equal(parsed('8j s'), 'J8S', 'all in lower case: no blank is meant');
  assert.equal(parsed('8F (HORN)S'), 'J8S');
  assert.equal(parsed('8J X'), 'J8x', 'only a blank can be an X');
  assert.equal(parsed('8J XX'), 'tile_not_in_rack');
  assert.equal(parsed('8J ?'), 'blank_unassigned');
  assert.equal(parsed('8G F'), 'occupied');
  assert.equal(parsed('8J .'), 'gap');
  assert.equal(parsed('8N FARM'), 'off_board');
  assert.equal(parsed('8Z FARM'), 'bad_coordinate');
  assert.equal(parsed('FARM'), 'bad_coordinate');
  assert.equal(parsed('8J 5'), 'unknown_tile');
  const spanish = tableWith([], classicRules('spanish'));
  assert.equal(parsed('8H LLAMA', ['LL', 'A', 'M', 'A', 'L', 'L', 'CH'], spanish), 'H8LL I8A J8M K8A');
  assert.equal(parsed('8H [LL]AMA', ['LL', 'A', 'M', 'A', 'L', 'L', 'CH'], spanish), 'H8LL I8A J8M K8A');
  assert.equal(parsed('8H CHA', ['C', 'H', 'A'], spanish), 'tile_not_in_rack', 'C and H are not CH');
  assert.equal(parsed('8H LLA', ['L', 'L', 'A'], spanish), 'tile_not_in_rack');
  const catalan = tableWith([], classicRules('catalan'));
  assert.equal(parsed('8H COL·LA', ['C', 'O', 'L·L', 'A'], catalan), 'H8C I8O J8L·L K8A');
});
