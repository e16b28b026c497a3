// The lists of the lobby: open offers, games to watch, the own games. They follow the server's pushes.

/** @typedef {Record<string, any>} Summary A game in a list, as on the wire. */

const LISTS_AGAIN_MS = 30_000;

/** The lists, as long as a page shows them. */
export class LobbyLists {
  /**
   * @param {import('../wire/socket.js').Connection} connection
   * @param {import('./seeking.js').Seeking} seeking
   * @param {() => void} onChange
   */
  constructor(connection, seeking, onChange) {
    this.connection = connection;
    this.seeking = seeking;
    this.onChange = onChange;
    /** @type {Map<string, Record<string, any>>} */
    this.seeks = new Map();
    /** @type {Map<string, Summary>} */
    this.live = new Map();
    /** @type {Summary[]} */
    this.own = sortOwn(connection.games, connection.identity);
    this.online = 0;
    this.isLoaded = false;
    this.isClosed = false;
    /** Whether the server tells of every game that goes on; older ones do not. */
    this.isTold = false;
    const push = (/** @type {string} */ op, /** @type {any} */ body) => this.#takePush(op, body);
    this.ends = [connection.on('push', push), connection.on('welcome', () => this.#ask())];
    this.timer = setInterval(() => this.#askAgain(), LISTS_AGAIN_MS);
    if (connection.state.state === 'open') this.#ask();
  }

  /** Asks for the own games again: one has begun or ended, or gone on. */
  async askOwn() {
    const { games } = await this.connection.request('list_games', { scope: 'mine' });
    if (this.isClosed) return;
    this.connection.games = games;
    const places = new Map(this.own.map(({ game }, i) => [game, i]));
    this.own = sortOwn(games, this.connection.identity);
    // An entry that is there stays where it is.
    if (places.size > 0) this.own.sort((a, b) => (places.get(a.game) ?? -1) - (places.get(b.game) ?? -1));
    this.onChange();
  }

  close() {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const end of this.ends) end();
    if (this.connection.state.state === 'open') this.connection.request('lobby_unsubscribe').catch(() => {});
  }

  #askAgain() {
    if (!this.isTold && document.visibilityState === 'visible') this.#ask();
  }

  #ask() {
    this.askOwn().catch(() => {});
    this.connection.request('lobby_subscribe').then((body) => {
      if (this.isClosed) return;
      this.seeks = new Map(body.seeks.map((/** @type {any} */ seek) => [seek.seek, seek]));
      const newestFirst = body.games.sort((/** @type {Summary} */ a, /** @type {Summary} */ b) => (
        (b.started_at ?? 0) - (a.started_at ?? 0)));
      this.live = new Map(newestFirst.map((/** @type {Summary} */ game) => [game.game, game]));
      this.online = body.online;
      this.isLoaded = true;
      this.seeking.takeList(body.seeks);
      this.onChange();
    }, () => {});
  }

  /**
   * @param {string} op
   * @param {any} body
   */
  #takePush(op, body) {
    if (op === 'game_created' || op === 'your_turn') this.askOwn().catch(() => {});
    if (op === 'game_created') this.seeks.delete(body.seek);
    if (op !== 'lobby') return;
    const { change, seek, game, seek_id: seekId } = body;
    if (change === 'game_changed') this.isTold = true;
    if (change === 'seek_added' || change === 'seek_changed') this.seeks.set(seek.seek, seek);
    else if (change === 'seek_removed') this.seeks.delete(seekId);
    else if (change === 'game_ended') this.#ended(game);
    else if (change === 'game_removed') this.live.delete(game.game);
    else if (game) this.#changed(game);
    this.onChange();
  }

  /** @param {Summary} game */
  #changed(game) {
    this.live.set(game.game, game);
    this.own = this.own.map((own) => (own.game === game.game ? game : own));
  }

  /** @param {Summary} game */
  #ended({ game }) {
    this.live.delete(game);
    if (this.own.some((own) => own.game === game)) this.askOwn().catch(() => {});
  }
}

/**
 * Games in which it is the player's turn come first, then those that began last.
 *
 * @param {Summary[]} games
 * @param {string | undefined} identity
 */
function sortOwn(games, identity) {
  const rank = (/** @type {Summary} */ { seats }) => (
    seats.some((/** @type {any} */ seat) => seat.identity === identity && seat.on_turn) ? 0 : 1);
  return [...games].sort((a, b) => rank(a) - rank(b) || (b.started_at ?? 0) - (a.started_at ?? 0));
}
