// Typing tiles onto the board, letter by letter.

import assert from 'node:assert/strict';
import test from 'node:test';
import { draftTiles, newDraft, rackPlaces, syncDraft } from '../../server/web/src/play/draft.js';
import { squareName, squareOf } from '../../server/web/src/play/squares.js';
import {
  backspace,
  cycleCursor,
  moveCursor,
  newTyping,
  turnCursor,
  typeLetter,
} from '../../server/web/src/play/typing.js';
import { emptyTable, takeEvent } from '../../server/web/src/model/table.js';
import { classicRules, createdEvent } from './support.mjs';

/** A game with a rack, some tiles on the board, and the cursor on a square. */
function start({ tiles = 'english', rack, board = {}, cursor = 'H8', across = true }) {
  const table = emptyTable('g1', 'anna');
  takeEvent(table, createdEvent({ ruleSet: classicRules(tiles) }));
  table.seats[0].rack = rack;
  for (const [name, face] of Object.entries(board)) table.board.set(squareOf(name, 15), face);
  const draft = syncDraft(newDraft(7), table).draft;
  return [newTyping(draft, { square: squareOf(cursor, 15), across }), table];
}

/** Types keys: letters, `<` backspace, `/` Ctrl+Backspace, `*` the next letter as a blank. */
function typed(state, table, keys) {
  let blank = false;
  for (const key of keys) {
    if (key === '*') blank = true;
    else if (key === '<') state = backspace(state, table);
    else if (key === '/') state = backspace(state, table, { split: true });
    else {
      state = typeLetter(state, table, key, { blank });
      blank = false;
    }
  }
  return state;
}

const laid = (state) =>
  [...draftTiles(state.draft)]
    .sort(([a], [b]) => a - b)
    .map(([square, face]) => squareName(square, 15) + face)
    .join(' ');
const cursor = (state) => squareName(state.cursor.square, 15);
const refused = (state) => (state.refused ? `${state.refused.code} ${state.refused.face}` : undefined);

function check(setup, keys, expected, expectedRefusal) {
  const [state, table] = start(setup);
  const after = typed(state, table, keys);
  assert.equal(laid(after), expected, keys);
  assert.equal(refused(after), expectedRefusal, keys);
  const tiles = [
    ...rackPlaces(after.draft).filter(Boolean),
    ...[...draftTiles(after.draft).values()].map((face) => (face === face.toUpperCase() ? face : '?')),
  ];
  assert.deepEqual(tiles.sort(), [...setup.rack].sort(), 'the own tiles stay the own tiles');
  return after;
}

test('letters follow the cursor, over tiles that lie there', () => {
  const rack = [...'FARMSE?'];
  assert.equal(cursor(check({ rack }, 'farm', 'H8F I8A J8R K8M')), 'L8');
  check({ rack, board: { I8: 'A', J8: 'R' } }, 'fm', 'H8F K8M');
  check({ rack, across: false, board: { H9: 'X' } }, 'fa', 'H8F H10A');
  check({ rack, board: { H8: 'O' } }, 'f', 'I8F');
  check({ rack }, 'q', 'H8q', undefined);
  check({ rack }, 'qz', 'H8q', 'no_tile Z');
  check({ rack }, '5', '', 'not_a_tile 5');
  check({ rack }, 'a*a', 'H8A I8a');
  check({ rack }, '*a*e', 'H8a', 'no_tile E');
  check({ rack }, 'é', 'H8E');
});

test('the line ends at the edge', () => {
  const after = check({ rack: [...'ABC'], cursor: 'N8' }, 'abc', 'N8A O8B', 'off_board C');
  assert.equal(cursor(after), 'O8');
  check({ rack: [...'ABC'], cursor: 'N8' }, 'ab<', 'N8A');
  check({ rack: [...'ABC'], cursor: 'N8' }, 'ab<c', 'N8A O8C');
});

test('backspace takes back the tile before the cursor, over tiles of the board', () => {
  const rack = [...'FARMSE?'];
  assert.equal(cursor(check({ rack }, 'far<', 'H8F I8A')), 'J8');
  check({ rack, board: { I8: 'A', J8: 'R' } }, 'fm<<', '');
  assert.equal(cursor(check({ rack, cursor: 'B8' }, '<<<', '')), 'A8');
});

test('the second L makes LL if the rack holds it', () => {
  const tiles = 'spanish';
  check({ tiles, rack: ['LL', 'L', 'A', 'M'] }, 'llama'.slice(0, 3), 'H8LL I8A');
  check({ tiles, rack: ['L', 'L', 'A'] }, 'lla', 'H8L I8L J8A');
  check({ tiles, rack: ['LL', 'L', 'L'] }, 'lll', 'H8LL I8L');
  check({ tiles, rack: ['LL', 'A'] }, 'lla', 'H8LL I8A', undefined);
  check({ tiles, rack: ['LL', 'A'] }, 'la', 'H8LL I8A', undefined);
  check({ tiles, rack: ['LL', 'L', 'L'] }, 'll/', 'H8L I8L');
  check({ tiles, rack: ['LL', 'L', 'L'] }, 'll/l', 'H8L I8L J8LL');
  check({ tiles, rack: ['LL', 'L'] }, 'll/', 'H8LL', 'unsplit LL');
  check({ tiles, rack: ['?', 'A'] }, '*ll', 'H8ll', undefined);
  check({ tiles, rack: ['LL', '?', 'A'] }, '*lla', 'H8ll I8A');
  check({ tiles, rack: ['LL', '?', 'A'] }, 'la', 'H8l I8A');
  check({ tiles, rack: ['LL', '?', 'A'] }, 'lla', 'H8LL I8A');
  check({ tiles, rack: ['LL', 'L', 'A', 'L'] }, 'lal', 'H8L I8A J8L', undefined);
  check({ tiles, rack: ['LL', 'L'], board: { I8: 'A' } }, 'll', 'H8LL', undefined);
});

test('C and H are never laid for CH', () => {
  const tiles = 'spanish';
  check({ tiles, rack: ['CH', 'C', 'H', 'A'] }, 'cha', 'H8CH I8A');
  check({ tiles, rack: ['C', 'H', 'A'] }, 'ch', 'H8C', 'no_tile CH');
  check({ tiles, rack: ['CH', 'A'] }, 'cha', 'H8CH I8A');
  check({ tiles, rack: ['?', 'C', 'H', 'A'] }, 'ch', 'H8ch', undefined);
  check({ tiles, rack: ['C', 'H', 'A'], board: { I8: 'A' } }, 'ch', 'H8C', 'no_tile CH');
});

test('L.L and L-L make L·L; QU and NY lie where Q and Y do not exist', () => {
  const tiles = 'catalan';
  for (const keys of ['col.la', 'col-la', 'col·la'])
    check({ tiles, rack: ['C', 'O', 'L', 'L', 'L·L', 'A'] }, keys, 'H8C I8O J8L·L K8A');
  check({ tiles, rack: ['C', 'L', 'L'] }, 'l.l', 'H8L', 'no_tile L·L');
  check({ tiles, rack: ['L·L', 'A'] }, 'l.la', 'H8L·L I8A');
  check({ tiles, rack: ['L', 'L', 'A'] }, 'lla', 'H8L I8L J8A', undefined);
  check({ tiles, rack: ['QU', 'I', 'U'] }, 'qui', 'H8QU I8I');
  check({ tiles, rack: ['QU', 'U'] }, 'quu', 'H8QU I8U');
  check({ tiles, rack: ['N', 'NY', 'A'] }, 'nya', 'H8NY I8A');
  check({ tiles, rack: ['N', 'A'] }, 'ny', 'H8N', 'no_tile NY');
  check({ tiles, rack: ['C', 'Ç'] }, 'çc', 'H8Ç I8C');
  check({ tiles, rack: ['A', 'E'] }, 'àé', 'H8A I8E');
});

test('the cursor', () => {
  const [state, table] = start({ rack: [...'ABC'], cursor: 'A1' });
  assert.equal(turnCursor(state).cursor.across, false);
  assert.equal(cursor(moveCursor(state, table, 1, 1)), 'B2');
  assert.equal(cursor(moveCursor(state, table, -1, 0)), 'A1');
  assert.equal(cursor(moveCursor({ ...state, cursor: undefined }, table, 1, 0)), 'H8');
  const square = squareOf('C3', 15);
  const cycled = [1, 2, 3, 4]
    .reduce((states) => [...states, cycleCursor(states[states.length - 1], square)], [state])
    .map((one) => one.cursor);
  assert.deepEqual(cycled.slice(1), [
    { square, across: true },
    { square, across: false },
    undefined,
    { square, across: true },
  ]);
  assert.equal(
    typeLetter({ ...state, cursor: undefined }, table, 'A').draft,
    state.draft,
    'without a cursor nothing is laid',
  );
});
