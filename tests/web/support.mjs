// What the tests of the page share: rule sets from the files of the rules crate, made-up games, seeded chance.

import { readFileSync } from 'node:fs';
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
  const letters = [...text.matchAll(/\["([^"]+)", (\d+), (\d+)\]/g)]
    .map(([, face, count, value]) => ({ face, count: Number(count), value: Number(value) }));
  return [...letters, { face: '?', count: Number(/^blanks = (\d+)/m.exec(text)[1]), value: 0 }];
}

/** The rule set `classic` with the tiles of a language, as `setup` tells it. */
export function classicRules(tiles = 'english') {
  const layout = /layout = '''\n([^]*?)\n'''/.exec(readText('rules/data/rule-sets/classic.toml'))[1].split('\n');
  return {
    id: 'classic', name: 'Classic', rack_size: 7, bingo: [{ tiles: 7, bonus: 50 }], exchange_min_bag: 7, opening_min_tiles: 2,
    rack_count: 'always', board: { rows: 15, cols: 15, start: 'H8', layout }, tiles: tilesOf(tiles),
  };
}

/** The event of a new game of these players, who are also called by their identities. */
export function createdEvent({ seats = ['anna', 'ben'], ruleSet = classicRules(), options = {} } = {}) {
  const clock = { kind: 'overtime', initial_ms: 1_500_000, penalty_per_minute: 10, cap_ms: 600_000 };
  return {
    game: 'g1', seq: 1, at: 1000, kind: 'created',
    setup: {
      game: 'g1', rule_set: ruleSet, seats: seats.map((name) => ({ name, identity: name })), lexicon: { name: 'wordnik', hash: '' },
      options: { rule_set: 'classic', seats: seats.length, lexicon: 'wordnik', clock, ...options }, commitment: '', nonce_hashes: [],
      created_at: 1000, private: false,
    },
  };
}

/** A game of which the events follow one by one. */
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
      kind: 'turn_started', turn_no: turnNo, seat,
      clocks: { main_ms: zeros.map(() => 1_500_000), allowance_ms: zeros, running: { seat, since: 1000 * (this.events.length + 1) } },
    });
  }

  play(turnNo, seat, start, tiles, words, more = {}) {
    const score = words.reduce((sum, [, points]) => sum + points, more.bonus ?? 0);
    const laid = tiles.filter((face) => face !== '.').length;
    const total = this.table.seats[seat].score + score;
    return this.take({ kind: 'play_made', turn_no: turnNo, seat, start, tiles, words, score, total, owed: laid, ...more });
  }
}
