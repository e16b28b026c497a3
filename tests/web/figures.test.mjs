// Figures of players: the shape of a rating curve, and statistics from the sums of the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURVE_EDGE, curveOf } from '../../server/web/src/model/curve.js';
import { figuresOf } from '../../server/web/src/model/figures.js';
import { lexiconFamily, poolOf, poolParts } from '../../server/web/src/model/pools.js';
import { figureText } from '../../server/web/src/view/figurestable.js';

const DAY_MS = 86_400_000;
const [WIDTH, HEIGHT] = [440, 190];

const point = (day, rating, deviation = 50) => ({ at: day * DAY_MS, rating, deviation });

test('the first and the last point lie at the edges, and later points further right', () => {
  const { dots, line, times } = curveOf([point(0, 1500), point(1, 1600), point(4, 1550)], WIDTH, HEIGHT);
  assert.equal(dots[0].x, CURVE_EDGE.left);
  assert.equal(dots[2].x, WIDTH - CURVE_EDGE.right);
  assert.equal(dots[1].x, CURVE_EDGE.left + (WIDTH - CURVE_EDGE.left - CURVE_EDGE.right) / 4);
  assert.ok(dots[1].y < dots[2].y && dots[2].y < dots[0].y, 'a higher rating is further up');
  assert.equal(line, `M${dots.map(({ x, y }) => `${x} ${y}`).join('L')}`);
  assert.deepEqual(times.map(({ at }) => at / DAY_MS), [0, 2, 4]);
});

test('the band and all points lie between the lowest and the highest level', () => {
  for (const points of [
    [point(0, 1500, 350)], [point(0, 1500, 0)], [point(0, 1500, 0), point(1, 1500, 0)],
    [point(0, 100, 350), point(9, 3400, 30)], [point(0, 1499.9, 30.1), point(0, 1500.1, 30)],
  ]) {
    const { dots, band, levels } = curveOf(points, WIDTH, HEIGHT);
    const [bottom, top] = [levels[0].y, levels.at(-1).y];
    assert.deepEqual([bottom, top], [HEIGHT - CURVE_EDGE.bottom, CURVE_EDGE.top]);
    assert.ok(levels.length >= 2 && levels.length <= 9, `${levels.length} levels`);
    const corners = band.split(' ').map((corner) => corner.split(',').map(Number));
    assert.equal(corners.length, 2 * points.length);
    for (const [x, y] of [...corners, ...dots.map((dot) => [dot.x, dot.y])]) {
      assert.ok(Number.isFinite(x) && y >= top && y <= bottom, `${x} ${y}`);
    }
  }
  const { dots, times } = curveOf([point(3, 1500)], WIDTH, HEIGHT);
  assert.deepEqual([dots.length, times.length, times[0].x], [1, 1, dots[0].x], 'a single point lies in the middle');
});

const SUMS = {
  games: 20, left: 1, completion_rate: 0.95, two_seats: { won: 9, lost: 8, shared: 1 }, three_seats: [0, 0, 0, 0],
  four_seats: [1, 0, 2, 0], counted: 16, turns: 200, turn_points: 5250, average_per_turn: 26.25, average_game: 340,
  high_game: 561, low_game: 187, highest_play_word: 'QUIZzED', highest_play_points: 149, bingos: 12,
  bingos_per_game: 0.75, phonies_played: 4, phonies_caught: 2, challenges_won: 3, challenges_lost: 1, exchanges: 5,
  first_move_share: 0.5, time_per_turn_ms: 41_000,
};
const figures = (sums) => Object.fromEntries(figuresOf(sums).map((figure) => [figure.key, figure]));

test('figures are written as what they are', () => {
  const { finished, perTurn, first, turnTime, highestPlay, three, four, won } = figures(SUMS);
  assert.deepEqual([finished, perTurn, first, turnTime, highestPlay, three, four, won].map(figureText),
    ['95%', '26.3', '50%', '41 sec', 'QUIZzED 149', '–', '1 / 0 / 2 / 0', '9']);
});

test('where there is nothing to divide by there is no value', () => {
  // The server leaves an average of nothing out.
  const nothing = Object.fromEntries(Object.entries(SUMS).filter(([name]) => !/average|rate|share|_per_|high|low/.test(name))
    .map(([name, value]) => [name, typeof value === 'number' ? 0 : value]));
  const { perTurn, high, games, highestPlay } = figures(nothing);
  assert.deepEqual([perTurn, high, games, highestPlay].map(figureText), ['–', '–', '0', '–']);
});

test('a pool is a rule set, a family of lexica and a speed, of people or of bots', () => {
  const people = { isOfBots: false, ruleSet: 'classic', family: 'wordnik', speed: 'rapid' };
  const bots = { isOfBots: true, ruleSet: 'bots', family: 'csw', speed: 'ultra_blitz' };
  assert.deepEqual([poolParts('classic/wordnik/rapid'), poolParts('bots/bots/csw/ultra_blitz')], [people, bots]);
  for (const parts of [people, bots]) assert.deepEqual(poolParts(poolOf(parts)), parts);
  for (const text of ['', 'classic', 'classic/wordnik/slow', 'classic//rapid', 'a/b/c/rapid', 'bots/classic/wordnik/rapid/x']) {
    assert.equal(poolParts(text), undefined, text);
  }
  assert.deepEqual(['csw24', 'csw-2019', 'wordnik', '2019'].map(lexiconFamily), ['csw', 'csw', 'wordnik', '2019']);
});
