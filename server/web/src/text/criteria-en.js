// The texts about the players that an offer admits, in English. The same keys as criteria-de.js.

/** The texts of the criteria of an offer, in English. */
export const criteriaEn = {
  title: 'Who can join', open: 'Who can join…', offer: 'Create the offer', any: 'Find any opponent',
  anyHint: '“Find any opponent” looks for similar ratings first, then widens to any rating.',
  min: 'Minimum rating', max: 'Maximum rating', established: 'No provisional ratings',
  registered: 'Registered players only', followed: 'Only players I follow',
  exclude: 'Hide from', excludeHint: 'Up to 5 names, separated by commas. They won’t be told.',
  tooMany: 'You can hide an offer from at most 5 players.',
  upsideDown: 'Minimum rating is higher than the maximum.',
  between: (/** @type {number} */ min, /** @type {number} */ max) => `rating ${min}–${max}`,
  atLeast: (/** @type {number} */ min) => `rating ${min} or more`,
  atMost: (/** @type {number} */ max) => `rating ${max} or less`,
  onlyEstablished: 'no provisional ratings', onlyRegistered: 'no guests', onlyFollowed: 'only players the creator follows',
  hiddenFrom: (/** @type {string[]} */ names) => `hidden from ${names.join(', ')}`,
  within: (/** @type {number} */ points) => `rating within ${points} points`, anyRating: 'any rating',
  unfit: /** @type {Record<string, string>} */ ({
    rating: 'Your rating is outside the range of this offer.',
    provisional: 'This offer is not open to provisional ratings.',
    guest: 'This offer is for registered players only.',
    not_followed: 'This offer is only for players its creator follows.',
  }),
  unfitOther: 'You can’t join this offer.',
};
