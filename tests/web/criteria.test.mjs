// Tests of the page's description of the players that an offer admits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { criteriaText, rangeAfter } from '../../server/web/src/page/criteria.js';
import { notes, offerOf } from '../../server/web/src/page/offer.js';
import { pagesEn } from '../../server/web/src/text/pages-en.js';
import { addEnglish } from '../../server/web/src/text/words.js';
import { noteCriteria } from '../../server/web/src/page/criteria.js';

addEnglish({ pages: pagesEn });

const RANGE = { start: 100, step: 50, every_ms: 5000, most: 500 };

test('the range of a quick match widens at the times of the protocol', () => {
  const cases = [[-1, 100], [0, 100], [4999, 100], [5000, 150], [39_999, 450], [40_000, 500], [45_000, 500]];
  for (const [waited, points] of cases) assert.equal(rangeAfter(RANGE, waited), points, `${waited}`);
  const any = { ...RANGE, any: true };
  assert.equal(rangeAfter(any, 44_999), 500);
  assert.equal(rangeAfter(any, 45_000), undefined);
  assert.equal(rangeAfter({ ...any, most: 220 }, 15_000), 220);
  assert.equal(rangeAfter({ ...any, most: 220 }, 20_000), undefined);
});

test('an offer says whom it admits', () => {
  const say = (seek, now = 0) => criteriaText({ created_at: 0, ...seek }, now);
  assert.equal(say({}), '');
  assert.equal(say({ criteria: { min_rating: 1400, max_rating: 1700 } }), 'rating 1400–1700');
  assert.equal(say({ criteria: { min_rating: 1400, registered: true } }), 'rating 1400 or more, no guests');
  assert.equal(say({ criteria: { max_rating: 1700, established: true } }), 'rating 1700 or less, no provisional ratings');
  assert.equal(say({ criteria: { exclude: ['Ben', 'Eve'] } }), 'hidden from Ben, Eve');
  assert.equal(say({ range: RANGE }, 12_000), 'rating within 200 points');
  assert.equal(say({ range: { ...RANGE, any: true } }, 60_000), 'any rating');
});

test('the lists say it as soon as the script is there', () => {
  const options = { seats: 2, rule_set: 'classic', clock: { kind: 'untimed' }, challenge: { kind: 'void' } };
  const seek = {
    seek: 's', owner: 'a', members: [{ identity: 'a', name: 'Anna' }], options, created_at: 0, range: RANGE,
  };
  const about = () => offerOf(seek, {
    identity: 'b', ruleSetName: (id) => id, isBusy: false, isRegistered: true,
  }).about;
  const before = about();
  notes.now = () => 5000;
  noteCriteria();
  assert.equal(about(), `${before}, rating within 150 points`);
});
