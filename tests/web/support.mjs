// Helpers of the page's tests: rule sets from the files of the rules crate, made-up games, seeded chance.

import { readFileSync } from 'node:fs';
import { openNudge } from '../../server/web/src/model/nudge.js';
import { emptyTable, takeEvent } from '../../server/web/src/model/table.js';

export const ROOT = new URL('../../', import.meta.url);

export const readText = (path) => readFileSync(new URL(path, ROOT), 'utf8');

/** Numbers from 0 to less than 1 that are the same in every run (mulberry32). */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = (random, list) => list[Math.floor(random() * list.length)];

/** The tiles of a file in rules/data/tiles, as `setup` tells them. */
export function tilesOf(name) {
  const text = readText(`rules/data/tiles/${name}.toml`);
  const letters = [...text.matchAll(/\["([^"]+)", (\d+), (\d+)\]/g)].map(([, face, count, value]) => ({
    face,
    count: Number(count),
    value: Number(value),
  }));
  return [...letters, { face: '?', count: Number(/^blanks = (\d+)/m.exec(text)[1]), value: 0 }];
}

/** The rule set `classic` with the tiles of a language, as `setup` tells it. */
export function classicRules(tiles = 'english') {
  const layout = /layout = '''\n([^]*?)\n'''/.exec(readText('rules/data/rule-sets/classic.toml'))[1].split('\n');
  return {
    id: 'classic',
    name: 'Classic',
    rack_size: 7,
    bingo: [{ tiles: 7, bonus: 50 }],
    exchange_min_bag: 7,
    opening_min_tiles: 2,
    rack_count: 'always',
    board: { rows: 15, cols: 15, start: 'H8', layout },
    tiles: tilesOf(tiles),
  };
}

/** The event of a new game of these players, who are also called by their identities. */
export function createdEvent({ seats = ['anna', 'ben'], ruleSet = classicRules(), options = {} } = {}) {
  const clock = { kind: 'overtime', initial_ms: 1_500_000, penalty_per_minute: 10, cap_ms: 600_000 };
  return {
    game: 'g1',
    seq: 1,
    at: 1000,
    kind: 'created',
    setup: {
      game: 'g1',
      rule_set: ruleSet,
      seats: seats.map((name) => ({ name, identity: name })),
      lexicon: { name: 'wordnik', hash: '' },
      options: { rule_set: 'classic', seats: seats.length, lexicon: 'wordnik', clock, ...options },
      commitment: '',
      nonce_hashes: [],
      created_at: 1000,
      private: false,
    },
  };
}

/** A game whose events come one by one. */
export class Story {
  constructor(options = {}, identity = 'anna') {
    this.table = emptyTable('g1', identity);
    this.events = [];
    this.take(createdEvent(options));
  }

  take(event) {
    const next = { game: 'g1', seq: this.events.length + 1, at: 1000 * (this.events.length + 1), ...event };
    this.events.push(next);
    takeEvent(this.table, next);
    return next;
  }

  draw(seat, tiles, isSeen = true) {
    const bag = this.table.bag + this.table.seats[seat].owed - tiles.length;
    this.take({ kind: 'tiles_drawn', seat, count: tiles.length, bag, ...(isSeen ? { tiles } : {}) });
  }

  turn(turnNo, seat) {
    const zeros = this.table.seats.map(() => 0);
    this.take({
      kind: 'turn_started',
      turn_no: turnNo,
      seat,
      clocks: {
        main_ms: zeros.map(() => 1_500_000),
        allowance_ms: zeros,
        running: { seat, since: 1000 * (this.events.length + 1) },
      },
    });
  }

  play(turnNo, seat, start, tiles, words, more = {}) {
    const score = words.reduce((sum, [, points]) => sum + points, more.bonus ?? 0);
    const laid = tiles.filter((face) => face !== '.').length;
    const total = this.table.seats[seat].score + score;
    return this.take({
      kind: 'play_made',
      turn_no: turnNo,
      seat,
      start,
      tiles,
      words,
      score,
      total,
      owed: laid,
      ...more,
    });
  }
}

/** The snapshot that the audience of a table would get (P-SNAP-2). */
export function snapshotOf(table) {
  const { window } = table;
  const kinds = { play: 'play', exchange: 'exchange', pass: 'pass', lost: 'lost_turn' };
  const without = (map) => JSON.parse(JSON.stringify(map));
  return without({
    game: table.game,
    epoch: table.epoch ?? 1,
    seq: table.seq,
    at: 0,
    role: table.role,
    seat: table.seat,
    setup: table.setup,
    phase: table.phase,
    turn_no: table.turnNo,
    on_turn: table.onTurn,
    first: table.first,
    bag: table.bag,
    clocks: table.clocks,
    board: [...table.board].map(([square, tile]) => ({
      square: String.fromCharCode(65 + (square % table.cols)) + (Math.floor(square / table.cols) + 1),
      tile,
    })),
    seats: table.seats.map((seat, at) => ({
      score: seat.score,
      rack_count: seat.rackCount,
      rack: at === table.seat ? seat.rack : undefined,
      ready: seat.ready,
      retired: seat.retired,
      turn_debt: seat.turnDebt,
      connected: seat.connected,
    })),
    window: window && {
      play_id: window.playId,
      author: window.author,
      final: window.final,
      closes_at: window.closesAt,
      eligible: window.eligible,
      accepted: window.accepted,
      holder: window.holder,
      hold_until: window.holdUntil,
      holds_used: window.holdsUsed,
      challenger: window.challenger,
      decide_by: window.decideBy,
    },
    turns: table.turns.map((turn) => ({
      turn_no: turn.no,
      seat: turn.seat,
      kind: kinds[turn.kind],
      start: turn.start,
      tiles: turn.kind === 'play' ? turn.tiles : turn.exchanged,
      words: turn.kind === 'play' ? turn.words : undefined,
      score: turn.score,
      total: turn.total,
      count: turn.count,
      off: turn.off || undefined,
      play_id: turn.playId,
      bonus: turn.bonus || undefined,
      challenger: turn.challenger,
      bad_words: turn.badWords.length ? turn.badWords : undefined,
      points: turn.penalty.length ? turn.penalty : undefined,
      rack: turn.rack,
    })),
    vanished: table.seats.flatMap(({ claimAt }, seat) => (claimAt === undefined ? [] : [{ seat, claim_at: claimAt }])),
    abort_request: table.abortRequest,
    nudge: openNudge(table),
    result: table.result,
  });
}

/** Returns the part of a table about which events and snapshots must agree (P-EVENT-4). */
export function essence(table) {
  const { result, ...snapshot } = snapshotOf(table);
  for (const seat of snapshot.seats) {
    delete seat.connected;
    seat.rack?.sort();
  }
  for (const turn of snapshot.turns) turn.rack?.sort();
  snapshot.board.sort((a, b) => (a.square < b.square ? -1 : 1));
  snapshot.window?.accepted.sort();
  snapshot.window?.holds_used.sort();
  delete snapshot.setup;
  delete snapshot.epoch;
  const { game, seq, at, kind, ...told } = result ?? {};
  return {
    ...snapshot,
    layout: table.layout,
    result: told,
    owed: table.seats.map(({ owed }) => owed),
    lastPlay: table.lastPlay?.playId,
    verdicts: table.turns.map(({ verdict }) => verdict),
  };
}
