// The texts about the players that an offer admits, in English. The same keys as criteria-de.js.

/** The texts of the criteria of an offer, in English. */
export const criteriaEn = {
  title: 'Who may join', open: 'Who may join …', offer: 'Offer the game', any: 'Find any opponent',
  anyHint: '“Find any opponent” first looks for similar ratings, and after a while accepts every rating.',
  min: 'Lowest rating', max: 'Highest rating', established: 'No provisional ratings',
  registered: 'Registered players only', followed: 'Only players whom I follow',
  exclude: 'Hide the offer from', excludeHint: 'Up to 5 names, with commas between them. These players do not learn of it.',
  tooMany: 'An offer can be hidden from 5 players at most.',
  upsideDown: 'The lowest rating is above the highest.',
  between: (/** @type {number} */ min, /** @type {number} */ max) => `rating ${min} to ${max}`,
  atLeast: (/** @type {number} */ min) => `rating ${min} or more`,
  atMost: (/** @type {number} */ max) => `rating ${max} or less`,
  onlyEstablished: 'no provisional ratings', onlyRegistered: 'no guests', onlyFollowed: 'only players whom the owner follows',
  hiddenFrom: (/** @type {string[]} */ names) => `hidden from ${names.join(', ')}`,
  within: (/** @type {number} */ points) => `rating within ${points} points`, anyRating: 'any rating',
  unfit: /** @type {Record<string, string>} */ ({
    rating: 'Your rating is outside the range of this offer.',
    provisional: 'This offer is for players whose rating is no longer provisional.',
    guest: 'This offer is for registered players.',
    not_followed: 'This offer is for players whom its owner follows.',
  }),
  unfitOther: 'This offer is for other players.',
};
