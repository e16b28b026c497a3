// Whether the game is adjourned, or players are asked to adjourn it.

/** @typedef {{ seat: number, until: number, agreed: number[] }} AdjournRequest */
/** @typedef {{ until: number, claim_until: number, ready: number[] }} Adjournment */

/**
 * The open request and the adjournment, from the last snapshot and the events behind it.
 *
 * @param {import('./table.js').Table} table
 * @returns {{ request?: AdjournRequest, sleep?: Adjournment }}
 */
export function adjournOf({ phase, seats, late }) {
  /** @type {AdjournRequest | undefined} */
  let request;
  /** @type {Adjournment | undefined} */
  let sleep;
  if (phase !== 'running') return {};
  for (const told of late) {
    const { kind, seat, until } = told;
    if (kind === undefined) ({ adjourn_request: request, adjourned: sleep } = told);
    if (kind === 'adjourn_requested') request = { seat, until, agreed: [] };
    if (kind === 'adjourn_agreed' && request) request = { ...request, agreed: [...request.agreed, seat] };
    if (kind === 'adjourn_declined' || kind === 'adjourned') request = undefined;
    if (kind === 'adjourned') sleep = { until, claim_until: told.claim_until, ready: [] };
    if (kind === 'ready_to_resume' && sleep) sleep = { ...sleep, ready: [...sleep.ready, seat] };
    if (kind === 'not_ready_to_resume' && sleep) sleep = { ...sleep, ready: sleep.ready.filter((other) => other !== seat) };
    if (kind === 'resumed') sleep = undefined;
  }
  // A player who leaves ends a request.
  if (request && [request.seat, ...request.agreed].some((seat) => seats[seat].retired !== undefined)) request = undefined;
  return { request, sleep };
}

/**
 * The seats that an adjourned game waits for; bots of the server are ready.
 *
 * @param {import('./table.js').Table} table
 * @param {Adjournment} sleep
 * @returns {number[]}
 */
export function missingSeats({ seats }, sleep) {
  return seats.flatMap(({ bot, retired }, seat) => (bot || retired !== undefined || sleep.ready.includes(seat) ? [] : [seat]));
}
