// The fold of a game: a story with windows and verdicts, the golden messages, and events against snapshots (P-EVENT-4).

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { recordEvents } from '../../server/web/src/model/history.js';
import {
  emptyTable,
  takeAttached,
  takeEvent,
  takePush,
  takeSnapshot,
  takeWaiting,
} from '../../server/web/src/model/table.js';
import { unseenOf } from '../../server/web/src/model/unseen.js';
import { squareOf } from '../../server/web/src/play/squares.js';
import { ROOT, Story, classicRules, essence, readText, snapshotOf } from './support.mjs';

/** A game up to the first turn: Anna's rack is seen, the others' are not. */
function begun(options, rack = 'HORNA?E') {
  const story = new Story(options);
  const seats = story.table.seats.length;
  for (let seat = 0; seat < seats; seat++) story.take({ kind: 'seat_ready', seat });
  story.take({
    kind: 'order_drawn',
    rounds: [
      [
        { seat: 0, tile: 'B' },
        { seat: 1, tile: 'M' },
      ],
    ],
    first: 0,
  });
  story.take({ kind: 'bag_shuffled', label: 'bag', count: 100 });
  story.draw(0, [...rack]);
  for (let seat = 1; seat < seats; seat++) story.draw(seat, Array(7).fill('?'), false);
  story.turn(1, 0);
  return story;
}

const seatsText = ({ seats }) =>
  seats.map(({ score, rackCount, rack }) => `${score} ${rackCount} ${rack?.join('') ?? '-'}`).join(', ');

test('a game begins', () => {
  const { table } = begun();
  assert.deepEqual([table.seat, table.role, table.rows, table.cols, table.start], [0, 'player', 15, 15, 112]);
  assert.deepEqual([table.phase, table.turnNo, table.onTurn, table.first, table.bag], ['running', 1, 0, 0, 86]);
  assert.equal(seatsText(table), '0 7 HORNA?E, 0 7 -');
  assert.deepEqual([table.rounds.length, table.isKnown, table.said.kind], [1, true, 'order_drawn']);
});

test('a play that stands: tiles are owed until the window closes', () => {
  const story = begun();
  const { table } = story;
  const play = story.play(1, 0, '8F', [...'HORn'], [['HORn', 14]], { window: { closes_at: 29_000 } });
  assert.equal(seatsText(table), '14 7 NAE, 0 7 -');
  assert.deepEqual([table.board.get(squareOf('I8', 15)), table.bag, table.seats[0].owed], ['n', 82, 4]);
  assert.deepEqual(table.window, {
    playId: play.seq,
    author: 0,
    final: false,
    closesAt: 29_000,
    eligible: [1],
    accepted: [],
    holder: undefined,
    holdUntil: undefined,
    holdsUsed: [],
    challenger: undefined,
    decideBy: undefined,
  });
  story.turn(2, 1);
  story.take({ kind: 'accepted', play_id: play.seq, seat: 1 });
  assert.deepEqual(table.window.accepted, [1]);
  story.take({ kind: 'window_closed', play_id: play.seq, reason: 'accepted' });
  story.draw(0, [...'ISTD']);
  assert.deepEqual([table.window, table.bag, table.seats[0].rackCount, table.seats[0].owed], [undefined, 82, 7, 0]);
  const [turn] = table.turns;
  assert.deepEqual(
    [turn.no, turn.kind, turn.score, turn.total, turn.bonus, turn.words, turn.rack.join(''), turn.usedMs],
    [1, 'play', 14, 14, 0, [['HORn', 14]], 'HORNA?E', 1000],
  );
  assert.equal(table.lastPlay, turn);
});

test('a play that comes off: tiles, score, bag and turn as before', () => {
  const story = begun();
  const { table } = story;
  const play = story.play(1, 0, '8F', [...'HORnA'], [['HORnA', 20]], { window: { closes_at: 29_000 } });
  story.turn(2, 1);
  story.take({
    kind: 'hold_started',
    play_id: play.seq,
    seat: 1,
    until: 60_000,
    clocks: { main_ms: [9, 9], allowance_ms: [0, 0] },
  });
  assert.deepEqual(
    [table.window.holder, table.window.holdUntil, table.window.holdsUsed, table.clocks.main_ms],
    [1, 60_000, [1], [9, 9]],
  );
  story.take({ kind: 'hold_ended', play_id: play.seq, seat: 1, reason: 'challenged', clocks: table.clocks });
  assert.deepEqual([table.window.holder, table.window.closesAt], [undefined, 29_000]);
  story.take({ kind: 'challenge_opened', play_id: play.seq, seat: 1, decide_by: 50_000, clocks: table.clocks });
  assert.deepEqual([table.window.challenger, table.window.decideBy], [1, 50_000]);
  const verdict = {
    kind: 'challenge_decided',
    play_id: play.seq,
    seat: 1,
    upheld: true,
    withdrawn: false,
    bad_words: ['HORnA'],
    points: [],
    turn_debt: 0,
    totals: [0, 0],
  };
  story.take(verdict);
  story.take({ kind: 'window_closed', play_id: play.seq, reason: 'verdict' });
  story.turn(3, 1);
  assert.deepEqual([table.board.size, table.bag, table.window, table.onTurn, table.turnNo], [0, 86, undefined, 1, 3]);
  assert.equal([...table.seats[0].rack].sort().join(''), '?AEHNOR'.split('').sort().join(''));
  assert.deepEqual([table.seats[0].score, table.seats[0].rackCount, table.seats[0].owed], [0, 7, 0]);
  const { off, total, score, badWords, challenger, verdict: how } = table.lastPlay;
  assert.deepEqual(
    { off, total, score, badWords, challenger, how },
    { off: true, total: 0, score: 20, badWords: ['HORnA'], challenger: 1, how: 'off' },
  );
});

test('a failed challenge: a turn is owed, or points are', () => {
  const story = begun();
  const { table } = story;
  const play = story.play(1, 0, '8F', [...'HORN'], [['HORN', 14]], { window: {} });
  story.turn(2, 1);
  story.take({
    kind: 'challenge_decided',
    play_id: play.seq,
    seat: 1,
    upheld: false,
    withdrawn: false,
    bad_words: [],
    points: [{ seat: 0, points: 5 }],
    turn_debt: 1,
    totals: [19, 0],
  });
  assert.deepEqual(
    [table.seats[1].turnDebt, table.onTurn, table.lastPlay.verdict, table.lastPlay.penalty],
    [1, undefined, 'stands', [{ seat: 0, points: 5 }]],
  );
  story.take({ kind: 'window_closed', play_id: play.seq, reason: 'verdict' });
  story.draw(0, [...'AAAA']);
  story.take({ kind: 'turn_lost', turn_no: 2, seat: 1 });
  story.turn(3, 0);
  assert.deepEqual([table.seats[1].turnDebt, table.turns[1].kind, table.onTurn], [0, 'lost', 0]);
});

test('exchanges, leaving, the last play and the end', () => {
  const story = begun({ seats: ['anna', 'ben', 'cleo'] });
  const { table } = story;
  story.take({ kind: 'exchanged', turn_no: 1, seat: 0, count: 2, tiles: ['H', '?'] });
  assert.equal(seatsText(table), '0 5 ORNAE, 0 7 -, 0 7 -');
  story.draw(0, ['Z', 'Q']);
  story.take({ kind: 'bag_shuffled', label: 'exchange/1', count: 79 });
  story.turn(2, 1);
  story.take({ kind: 'exchanged', turn_no: 2, seat: 1, count: 3 });
  story.take({ kind: 'seat_vanished', seat: 2, claim_at: 90_000 });
  assert.deepEqual([table.seats[2].connected, table.seats[2].claimAt], [false, 90_000]);
  story.take({ kind: 'clock_credited', stopped_at: 1000, resumed_at: 3000, clocks: table.clocks });
  assert.equal(table.seats[2].claimAt, 92_000);
  story.take({ kind: 'seat_returned', seat: 2 });
  story.take({ kind: 'seat_retired', seat: 2, reason: 'resigned' });
  assert.deepEqual(
    [table.seats[2].claimAt, table.seats[2].connected, table.seats[2].retired],
    [undefined, true, 'resigned'],
  );
  story.turn(3, 0);
  story.play(3, 0, '8H', [...'ZQ'], [['ZQ', 40]], {
    owed: 0,
    window: { final: true },
    clocks: { main_ms: [1, 2, 3], allowance_ms: [0, 0, 0] },
  });
  assert.deepEqual(
    [table.phase, table.window.final, table.clocks.main_ms[2], table.onTurn],
    ['final', true, 3, undefined],
  );
  story.take({ kind: 'window_closed', play_id: table.window.playId, reason: 'timer' });
  const results = [0, 1, 2].map((seat) => ({
    seat,
    score: 0,
    rack_points: 0,
    time_penalty: 0,
    final_score: 0,
    rank: 1,
    rack: ['A', 'B'],
  }));
  story.take({
    kind: 'ended',
    reason: 'out_play',
    results,
    winners: [0],
    clocks: table.clocks,
    exchanges: [{ turn_no: 2, seat: 1, tiles: ['A', 'B', 'C'] }],
  });
  assert.deepEqual(
    [table.phase, table.seats[1].rack, table.turns[1].exchanged, table.result.winners],
    ['ended', ['A', 'B'], ['A', 'B', 'C'], [0]],
  );
});

test('a dealt board, and kinds of later versions', () => {
  const story = new Story();
  const layout = Array(15).fill('='.repeat(15));
  story.take({ kind: 'board_drawn', layout });
  story.take({ kind: 'weather_changed', seat: 9 });
  assert.deepEqual([story.table.layout, story.table.seq], [layout, 3]);
});

test('pushes, waiting turns, attaching', () => {
  const story = begun();
  const { table } = story;
  const clocks = { main_ms: [5, 6], allowance_ms: [0, 0] };
  takeWaiting(table, { game: 'g1', turn_no: 1, seat: 0, until: 77, clocks });
  assert.deepEqual([table.waitingUntil, table.waitingClocks], [77, clocks]);
  takePush(table, 'presence', { game: 'g1', seat: 1, connected: false });
  takePush(table, 'presence', { game: 'g1', seat: 9, connected: false });
  takePush(table, 'crowd', { game: 'g1', watching: 12 });
  takePush(table, 'paused', { game: 'g1' }, 5000);
  takePush(table, 'something', {});
  assert.deepEqual([table.seats[1].connected, table.watching, table.paused, table.pausedAt], [false, 12, true, 5000]);
  takeAttached(table, { role: 'player', seat: 0, outcome: 'events', epoch: 5, head: 9 });
  assert.deepEqual([table.paused, table.pausedAt, table.waitingUntil, table.epoch], [false, undefined, undefined, 5]);
  takePush(table, 'paused', { game: 'g1' });
  takePush(table, 'unpaused', { game: 'g1' });
  assert.equal(table.paused, false);
  takeWaiting(table, { game: 'g1', turn_no: 1, seat: 0, until: 77, clocks });
  story.take({ kind: 'seat_vanished', seat: 1, claim_at: 1 });
  assert.equal(table.waitingClocks, undefined, 'the server says it again behind an event');
});

test('spectators see racks that every draw has shown, and nobody sees others', () => {
  const story = new Story({}, 'nobody');
  story.draw(0, [...'ABCDEFG']);
  story.draw(1, [...'ABCDEFG'], false);
  assert.deepEqual([story.table.role, story.table.seat], ['spectator', undefined]);
  assert.deepEqual(
    story.table.seats.map(({ rack }) => rack?.join('')),
    ['ABCDEFG', undefined],
  );
  const unseen = new Map(unseenOf(story.table).tiles.map(({ face, count }) => [face, count]));
  assert.deepEqual([unseen.get('A'), unseen.get('Z'), unseen.get('?')], [8, 1, 2]);
});

test('unseen tiles: the whole set without the board and the own rack', () => {
  const { table } = begun();
  table.board.set(0, 'z');
  table.board.set(1, 'Z');
  const unseen = unseenOf(table).tiles;
  assert.deepEqual(
    unseen.filter(({ face }) => 'HZ?'.includes(face)),
    [
      { face: 'H', value: 4, count: 1 },
      { face: 'Z', value: 10, count: 0 },
      { face: '?', value: 0, count: 0 },
    ],
  );
  assert.equal(
    unseen.reduce((sum, { count }) => sum + count, 0),
    91,
  );
});

test('every golden event and snapshot is taken', () => {
  const folder = 'protocol/tests/golden/v1/';
  const names = readdirSync(new URL(folder, ROOT)).filter((name) => /^(event|server_snapshot)_.*\.json$/.test(name));
  const golden = (name) => JSON.parse(readText(folder + name))[2];
  assert.ok(names.length > 30);
  for (const name of names) {
    const table = emptyTable('g', 'ibob2345abcde');
    takeEvent(table, golden('event_created.json'));
    const body = golden(name);
    if (name.startsWith('event')) takeEvent(table, body);
    else takeSnapshot(table, body);
    assert.equal(table.seq, body.seq);
    for (const open of names.filter((other) => other.startsWith('event'))) takeEvent(table, golden(open));
  }
  const table = emptyTable('g', 'ibob2345abcde');
  takeSnapshot(table, golden('server_snapshot_player.json'));
  assert.deepEqual(
    [table.seat, table.epoch, table.waitingUntil, table.window.holder, table.seats[0].claimAt],
    [1, 1, 1780315295000, 1, 1780315350000],
  );
  assert.deepEqual(
    table.turns.map(({ kind, bonus, exchanged }) => [kind, bonus, exchanged?.join('')]),
    [
      ['play', 0, undefined],
      ['exchange', 0, '?U'],
      ['pass', 0, undefined],
      ['lost', 0, undefined],
    ],
  );
  takeSnapshot(table, golden('server_snapshot_turns.json'));
  assert.deepEqual(
    table.turns.map(({ verdict, badWords, bonus, penalty, rack }) => [verdict, badWords, bonus, penalty, rack?.length]),
    [
      ['off', ['FARMs', 'FOX'], 0, [], undefined],
      [undefined, [], 0, [], 7],
      ['stands', [], 50, [{ seat: 1, points: -5 }], undefined],
    ],
  );
});

/** Compares, at every event, going on from the events with going on from a snapshot. */
function checkSnapshots(events, identity) {
  const table = emptyTable(events[0].game, identity);
  const others = [];
  for (const [i, event] of events.entries()) {
    takeEvent(table, event);
    for (const other of others) takeEvent(other, event);
    for (const other of others) assert.deepEqual(essence(other), essence(table), `event ${event.seq}`);
    // A snapshot is never taken in the middle of what one command has caused.
    if (events[i + 1]?.kind === 'tiles_drawn') continue;
    const other = emptyTable(events[0].game, identity);
    takeSnapshot(other, snapshotOf(table));
    assert.deepEqual(essence(other), essence(table), `snapshot at ${event.seq}`);
    others.push(other);
  }
}

test('a snapshot and the events say the same, at every event of a recorded game', () => {
  const events = recordEvents(readText('rules/benches/played/game.jsonl'), classicRules());
  const hidden = events.map((event) =>
    event.kind === 'tiles_drawn' && event.seat === 1 ? { ...event, tiles: undefined } : event,
  );
  checkSnapshots(hidden, 'bot-0');
});

test('a snapshot and the events say the same, in a game with challenges', () => {
  const story = begun({ seats: ['anna', 'ben', 'cleo'] }, 'HORNASE');
  const first = story.play(1, 0, '8F', [...'HORN'], [['HORN', 14]], { window: { closes_at: 29_000 } });
  story.turn(2, 1);
  story.take({ kind: 'hold_started', play_id: first.seq, seat: 2, until: 60_000, clocks: story.table.clocks });
  story.take({
    kind: 'hold_ended',
    play_id: first.seq,
    seat: 2,
    reason: 'released',
    clocks: story.table.clocks,
    closes_at: 30_000,
  });
  story.take({ kind: 'accepted', play_id: first.seq, seat: 2 });
  story.take({ kind: 'window_closed', play_id: first.seq, reason: 'next_turn' });
  story.draw(0, [...'QZAA']);
  const second = story.play(2, 1, 'H6', ['F', 'A', '.', 'm'], [['FARm', 7]], {
    bonus: 50,
    window: { closes_at: 50_000, eligible: [0] },
  });
  story.turn(3, 2);
  story.take({
    kind: 'challenge_decided',
    play_id: second.seq,
    seat: 0,
    upheld: true,
    withdrawn: true,
    bad_words: [],
    points: [],
    turn_debt: 0,
    totals: [14, 0, 0],
  });
  story.take({ kind: 'window_closed', play_id: second.seq, reason: 'verdict' });
  story.turn(4, 2);
  story.take({ kind: 'passed', turn_no: 4, seat: 2 });
  story.turn(5, 0);
  for (const [turnNo, square, upheld] of [
    [5, '9F', false],
    [6, '10F', true],
  ]) {
    const { seq } = story.play(turnNo, 0, square, ['A'], [['A', 3]], { window: {} });
    const total = upheld ? story.table.seats[0].score - 3 : story.table.seats[0].score;
    story.take({
      kind: 'challenge_decided',
      play_id: seq,
      seat: 1,
      upheld,
      withdrawn: false,
      bad_words: upheld ? ['A'] : [],
      points: upheld ? [] : [{ seat: 1, points: -5 }],
      turn_debt: 0,
      totals: [total, -5, 0],
    });
    story.take({ kind: 'window_closed', play_id: seq, reason: 'verdict' });
    if (!upheld) story.draw(0, ['E']);
  }
  checkSnapshots(story.events, 'anna');
  checkSnapshots(
    story.events.map((event) => (event.kind === 'tiles_drawn' ? { ...event, tiles: undefined } : event)),
    'nobody',
  );
});

test('time used: without holds and credits, and up to the arrival of a turn that waited', () => {
  const story = begun({ seats: ['anna', 'ben', 'cleo'] });
  const at = story.events.length * 1000;
  const clocks = (seat, since, main = 1_500_000) => ({
    main_ms: [main, main, main],
    allowance_ms: [0, 0, 0],
    running: { seat, since },
  });
  const held = { play_id: 99, seat: 1 };
  story.take({ kind: 'hold_started', ...held, until: 0, clocks: clocks(1, 0), at: at + 2000 });
  story.take({ kind: 'hold_ended', ...held, reason: 'released', clocks: clocks(0, 0), at: at + 7000 });
  story.take({ kind: 'clock_credited', stopped_at: 0, resumed_at: 500, clocks: clocks(0, 0), at: at + 8000 });
  story.take({ kind: 'passed', turn_no: 1, seat: 0, at: at + 10_000 });
  assert.equal(story.table.turns[0].usedMs, 4500);
  story.take({ kind: 'turn_started', turn_no: 2, seat: 1, clocks: clocks(1, 0), at: at + 10_000 });
  takeWaiting(story.table, {
    game: 'g1',
    turn_no: 2,
    seat: 1,
    until: 0,
    clocks: { main_ms: [0, 1_497_000, 0], allowance_ms: [0, 0, 0] },
  });
  story.take({ kind: 'passed', turn_no: 2, seat: 1, at: at + 15_000 });
  assert.equal(story.table.turns[1].usedMs, 3000);
});
