// Records of finished games, and earlier positions of games.

import assert from 'node:assert/strict';
import test from 'node:test';
import { historyOf, recordEvents, recordHeader } from '../../server/web/src/model/history.js';
import { tableAt } from '../../server/web/src/model/past.js';
import { emptyTable, takeEvent } from '../../server/web/src/model/table.js';
import { Story, classicRules, readText, tilesOf } from './support.mjs';

const RECORD = readText('rules/benches/played/game.jsonl');
const boardText = (table) =>
  [...table.board]
    .sort(([a], [b]) => a - b)
    .map(([square, face]) => square + face)
    .join(' ');

test('a record: its header, its rules, and events as the protocol tells them', () => {
  assert.deepEqual(recordHeader(RECORD), {
    format: 'tilewire-record',
    version: 1,
    game: 'match-11',
    rule_set: 'classic',
    language: 'english',
    lexicon: 'wordnik',
  });
  assert.throws(() => recordHeader('{"format":"other"}\n'));
  assert.throws(() => recordEvents(RECORD));
  const events = recordEvents(RECORD, classicRules());
  assert.equal(events.length, 71);
  const [created] = events;
  assert.deepEqual(
    [created.kind, created.setup.seats.map(({ name, bot }) => [name, bot]), created.setup.options.clock.kind],
    [
      'created',
      [
        ['Bot 0', true],
        ['Bot 1', true],
      ],
      'overtime',
    ],
  );
  assert.deepEqual(
    [created.setup.commitment.length, created.setup.options.end],
    [43, { limit: 3, per_seat: true, counts: 'scoreless', unless_all_zero: false }],
  );
  const { game, seq, at, ...play } = events.find(({ kind }) => kind === 'play_made');
  assert.deepEqual(play, {
    kind: 'play_made',
    turn_no: 1,
    seat: 0,
    start: '8D',
    tiles: [...'PIXIE'],
    words: [['PIXIE', 34]],
    score: 34,
    total: 34,
    owed: 5,
  });
  assert.ok(!JSON.stringify(events).includes('null'));
});

test('a record that has its setup needs nothing else', () => {
  const setup = { ...recordEvents(RECORD, classicRules())[0].setup, private: true };
  const [first, ...rest] = RECORD.split('\n');
  const text = [JSON.stringify({ ...JSON.parse(first), setup }), ...rest].join('\n');
  assert.equal(recordEvents(text)[0].setup.private, true);
});

test('long faces, challenges, exchanges and the draw for first play of a record', () => {
  const spanish = { ...classicRules('spanish') };
  const at = (face) => spanish.tiles.filter((tile) => tile.face !== '?').findIndex((tile) => tile.face === face) + 1;
  const lines = [
    {
      event: {
        public: {
          order_drawn: {
            rounds: [
              [
                [0, at('CH')],
                [1, 0],
              ],
            ],
            first: 1,
          },
        },
      },
    },
    {
      event: {
        public: {
          play_made: {
            turn_no: 1,
            seat: 0,
            start: { row: 7, col: 7 },
            direction: 'down',
            tiles: [{ tile: 0, letter: at('LL') }, null, { tile: at('A'), letter: at('A') }],
            words: [{ word: '[ll]OA', letters: [], score: 2 }],
            bonus: 50,
            score: 52,
            total: 52,
            owed: 0,
            window: {
              closes_at: null,
              eligible: [1],
              final_clocks: { main_ms: [1, 2], allowance_ms: [0, 0], running: null },
            },
          },
        },
      },
    },
    {
      event: {
        public: {
          challenge_decided: {
            play_id: 2,
            seat: 1,
            verdict: 'stands_turn_lost',
            bad_words: [],
            points: [[0, 5]],
            totals: [5, 0],
            clocks: null,
          },
        },
      },
    },
    { event: { public: { turn_lost: { turn_no: 2, seat: 1 } } } },
    { event: { exchanged: { turn_no: 3, seat: 0, tiles: [0, at('RR')] } } },
    { event: { public: { seat_ready: { seat: 0, nonce: [255, 254] } } } },
    {
      event: {
        public: {
          challenge_decided: {
            play_id: 2,
            seat: 1,
            verdict: 'withdrawn',
            bad_words: [],
            points: [],
            totals: [5, 0],
            clocks: null,
          },
        },
      },
    },
  ].map((line, i) => JSON.stringify({ seq: i + 1, at: i, ...line }));
  const text = `${JSON.stringify({ format: 'tilewire-record', version: 1, game: 'g', rule_set: 'classic', language: 'spanish', lexicon: 'x' })}\n${lines.join('\n')}\n`;
  const [order, play, verdict, , exchange, ready, withdrawn] = recordEvents(text, spanish);
  assert.deepEqual(order.rounds, [
    [
      { seat: 0, tile: 'CH' },
      { seat: 1, tile: '?' },
    ],
  ]);
  assert.deepEqual(
    [play.start, play.tiles, play.words, play.window, play.clocks, play.bonus],
    [
      'H8',
      ['ll', '.', 'A'],
      [['[ll]OA', 2]],
      { eligible: [1], final: true },
      { main_ms: [1, 2], allowance_ms: [0, 0] },
      50,
    ],
  );
  assert.deepEqual(
    [verdict.upheld, verdict.withdrawn, verdict.turn_debt, verdict.points, 'clocks' in verdict],
    [false, false, 1, [{ seat: 0, points: 5 }], false],
  );
  assert.deepEqual([exchange.count, exchange.tiles, ready.nonce], [2, ['?', 'RR'], '__4']);
  assert.deepEqual([withdrawn.upheld, withdrawn.withdrawn, withdrawn.turn_debt], [true, true, 0]);
  assert.ok(tilesOf('spanish').length > 28);
});

test('every position of a finished game, with all racks', () => {
  const events = recordEvents(RECORD, classicRules());
  const positions = historyOf(events);
  const end = positions[positions.length - 1];
  assert.deepEqual([positions.length, end.phase, end.turns.length], [23, 'ended', 22]);
  positions.forEach((table, i) => {
    assert.equal(table.turns.length, i);
    const tiles = table.board.size + table.bag + table.seats.reduce((sum, { rackCount }) => sum + rackCount, 0);
    assert.equal(tiles, 100);
    for (const { rack, rackCount } of table.seats) assert.equal(rack.length, rackCount);
    if (i > 0) assert.equal(table.seats[table.turns[i - 1].seat].score, table.turns[i - 1].total);
  });
  assert.equal(positions[0].seats[0].rack.join(''), 'IEXIUEP');
  assert.equal(tableAt(positions, 1).board.size, 5);
  assert.equal(tableAt(positions, -3), positions[0]);
  assert.equal(tableAt(positions, 99), end);
});

test('earlier positions of a game in progress agree with those of its record', () => {
  const events = recordEvents(RECORD, classicRules());
  const table = emptyTable('match-11', 'bot-0');
  for (const event of events.slice(0, 60))
    takeEvent(table, event.kind === 'tiles_drawn' && event.seat === 1 ? { ...event, tiles: undefined } : event);
  const positions = historyOf(events);
  for (let i = 0; i < table.turns.length; i++) {
    const [earlier, exact] = [tableAt(table, i), positions[i]];
    assert.equal(boardText(earlier), boardText(exact));
    assert.deepEqual(
      earlier.seats.map(({ score, rackCount }) => [score, rackCount]),
      exact.seats.map(({ score, rackCount }) => [score, rackCount]),
    );
    assert.deepEqual(
      [earlier.bag, earlier.turnNo, earlier.onTurn, earlier.turns.length],
      [exact.bag, exact.turnNo, exact.onTurn, i],
    );
    assert.deepEqual([...earlier.seats[0].rack].sort(), [...exact.seats[0].rack].sort());
    assert.equal(earlier.seats[1].rack, undefined);
  }
  assert.equal(tableAt(table, table.turns.length), table);
});

test('a play that came off is shown at its own place only', () => {
  const story = new Story();
  story.draw(0, [...'HORNABC']);
  story.draw(1, [...'HORNABC'], false);
  story.turn(1, 0);
  const play = story.play(1, 0, '8F', [...'HORNA'], [['HORNA', 20]], { window: {} });
  story.turn(2, 1);
  story.take({
    kind: 'challenge_decided',
    play_id: play.seq,
    seat: 1,
    upheld: true,
    withdrawn: false,
    bad_words: ['HORNA'],
    points: [],
    turn_debt: 0,
    totals: [0, 0],
  });
  story.take({ kind: 'window_closed', play_id: play.seq, reason: 'verdict' });
  story.turn(3, 1);
  story.take({ kind: 'passed', turn_no: 3, seat: 1 });
  story.turn(4, 0);
  for (const source of [story.table, historyOf(story.events, 'anna')]) {
    assert.deepEqual(
      [0, 1, 2].map((index) => tableAt(source, index).board.size),
      [0, 5, 0],
    );
    assert.deepEqual(tableAt(source, 1).lastPlay.badWords, ['HORNA']);
  }
});
