// The player's own offers, on whatever page: makes them, joins others', and tells when one has become a game.

/** @typedef {Record<string, any>} Seek As on the wire. */
/** @typedef {{ options: Record<string, any>, level?: string }} Wish What a player wants to play. */

/** The offers that this identity is a member of. */
export class Seeking {
  /**
   * @param {import('../wire/socket.js').Connection} connection
   * @param {import('../store/nonces.js').NonceStore} nonces
   * @param {(game: string, seek: Seek | undefined) => void} onGame Called once for each offer that became a game.
   */
  constructor(connection, nonces, onGame) {
    this.connection = connection;
    this.nonces = nonces;
    this.onGame = onGame;
    /** @type {Map<string, Seek>} */
    this.own = new Map();
    /** The codes of rematches of private games, by the new game. @type {Map<string, { code?: string }>} */
    this.rematches = new Map();
    /** @type {Set<string>} */
    this.begun = new Set();
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    this.unanswered = 0;
    /** @type {(() => void)[]} */
    this.later = [];
    connection.on('push', (/** @type {string} */ op, /** @type {any} */ body) => this.#takePush(op, body));
  }

  /**
   * Calls the listener whenever the own offers have changed.
   *
   * @param {() => void} listener
   * @returns {() => void} Ends it.
   */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Joins an offer with the same options, or opens one.
   *
   * @param {Wish} wish
   */
  find(wish) {
    return this.#send('quick_match', wish);
  }

  /**
   * Opens an offer: a private one, one whose next seats house bots take, or one for certain players.
   *
   * @param {Wish} wish
   * @param {{ private?: boolean, bots?: string[], criteria?: Record<string, any> }} more
   */
  offer(wish, more) {
    return this.#send('seek', { ...wish, ...more });
  }

  /**
   * Joins another player's offer, by its id or by its code.
   *
   * @param {{ seek: string } | { code: string }} which
   * @param {string} [level]
   */
  join(which, level) {
    return this.#send('join_seek', level === undefined ? which : { ...which, level });
  }

  /**
   * Offers a rematch of a game that is over, or agrees to the one that is offered.
   *
   * @param {string} game
   * @param {string} [code] That of a private game; the rematch has the same.
   */
  async rematch(game, code) {
    const { nonce, nonce_hash } = this.nonces.draw();
    await this.#answered(async () => {
      const { game: next } = await this.connection.command('offer_rematch', { game, nonce_hash });
      // The answer names the new game before it begins.
      this.nonces.keep(next, nonce);
      this.nonces.move(next, next);
      this.rematches.set(next, { code });
    });
  }

  /** @param {string} seek Leaves the offer; the owner's leaving closes it. */
  async leave(seek) {
    await this.connection.command('leave_seek', { seek });
    this.#drop(seek);
  }

  /** @param {string} seek Begins with the members that are there. */
  async begin(seek) {
    const { game } = await this.connection.command('start_seek', { seek });
    if (game) this.#begin(seek, game);
  }

  /**
   * Takes the own offers out of a list of the lobby: it has all of them, but for those that are just being made.
   *
   * @param {Seek[]} seeks
   */
  takeList(seeks) {
    const mine = seeks.filter((seek) => this.isMember(seek));
    const isSame = mine.length === this.own.size && mine.every(({ seek }) => this.own.has(seek));
    for (const seek of mine) this.own.set(seek.seek, seek);
    if (this.unanswered === 0) {
      const listed = new Set(mine.map(({ seek }) => seek));
      for (const id of this.own.keys()) if (!listed.has(id)) this.own.delete(id);
    }
    if (!isSame) this.#tell();
  }

  /** @param {Seek} seek */
  isMember(seek) {
    return seek.members.some((/** @type {any} */ { identity }) => identity === this.connection.identity);
  }

  /**
   * @param {string} op
   * @param {Record<string, any>} body
   * @returns {Promise<Seek>}
   */
  async #send(op, body) {
    const { nonce, nonce_hash } = this.nonces.draw();
    return this.#answered(async () => {
      const { seek, game } = await this.connection.command(op, { ...body, nonce_hash });
      this.nonces.keep(seek.seek, nonce);
      if (game) this.#begin(seek.seek, game, seek);
      else if (!this.begun.has(seek.seek)) this.#take(seek);
      return seek;
    });
  }

  /**
   * Lets games that begin meanwhile wait until the answer is there.
   *
   * @template T
   * @param {() => Promise<T>} act
   */
  async #answered(act) {
    this.unanswered += 1;
    try {
      return await act();
    } finally {
      this.unanswered -= 1;
      if (this.unanswered === 0) for (const act of this.later.splice(0)) act();
    }
  }

  /**
   * A push can overtake the answer that it belongs to. The nonce is known with the answer, so the game waits for it.
   *
   * @param {string} op
   * @param {any} body
   */
  #takePush(op, body) {
    if (op === 'seek_changed') this.#take(body.seek);
    else if (op === 'lobby' && body.change === 'seek_removed') this.#drop(body.seek_id);
    else if (op === 'game_created') {
      const act = () => this.#begin(body.seek, body.game);
      if (this.unanswered > 0) this.later.push(act);
      else act();
    }
  }

  /** @param {Seek} seek */
  #take(seek) {
    if (this.begun.has(seek.seek) || !this.isMember(seek)) return;
    this.own.set(seek.seek, seek);
    this.#tell();
  }

  /** @param {string} id */
  #drop(id) {
    if (this.own.delete(id)) this.#tell();
  }

  /**
   * @param {string} id
   * @param {string} game
   * @param {Seek} [seek]
   */
  #begin(id, game, seek = this.own.get(id) ?? this.rematches.get(game)) {
    this.nonces.move(id, game);
    if (this.begun.has(id)) return;
    this.begun.add(id);
    this.#drop(id);
    this.onGame(game, seek);
  }

  #tell() {
    for (const listener of [...this.listeners]) listener();
  }
}
