// Earlier turns of a game, live or finished. A finished game comes with its record, which has the racks and proves the
// bag.

import { tableAt } from '../model/past.js';
import { nameOf } from './gameview.js';
import { loadScript } from './scripts.js';
import { verdictWords } from '../view/sheet.js';

/** @typedef {import('../model/table.js').Table} Table */
/** @typedef {import('../view/replay.js').Step} Step */

/** Which turn is looked at, and what is known of it. */
export class GameHistory {
  /** @param {import('./game.js').GamePage} page */
  constructor(page) {
    this.page = page;
    /** After which turn; nothing is looked at without it. */
    this.turn = /** @type {number | undefined} */ (undefined);
    /** The table from the record, once it is there. */
    this.replay = /** @type {Table[] | undefined} */ (undefined);
    this.proof = /** @type {import('../bag/proof.js').BagProof | undefined} */ (undefined);
    /** Which rule decided the game, in words. */
    this.decision = '';
    /** When the game ended, unix ms, once the record is there. @type {number | undefined} */
    this.endedAt = undefined;
    this.isLoading = false;
    this.hasFailed = false;
    /** @type {typeof import('./record.js') | undefined} */
    this.script = undefined;
    this.cache = /** @type {{ key: string, table: Table } | undefined} */ (undefined);
    this.takeHash();
  }

  get all() {
    return this.turns.length;
  }

  /** The turns with everything that is known of them: a record knows more than a snapshot. */
  get turns() {
    return this.replay?.at(-1)?.turns ?? this.page.table.turns;
  }

  /** How many turns lie between what is shown and what is played. */
  get behind() {
    return this.turn === undefined ? 0 : Math.max(0, this.all - this.turn);
  }

  /**
   * The table after the turn that is looked at.
   *
   * @returns {Table}
   */
  table() {
    const { table } = this.page;
    if (this.turn === undefined) return table;
    const turn = Math.min(this.turn, this.all);
    const key = `${turn} ${table.seq} ${this.replay !== undefined}`;
    if (this.cache?.key !== key) this.cache = { key, table: tableAt(this.replay ?? table, turn) };
    return this.cache.table;
  }

  /**
   * The scores of all seats after each turn.
   *
   * @returns {number[][]}
   */
  scores() {
    const { table } = this.page;
    const scores = [table.seats.map(() => 0)];
    for (const turn of this.turns) {
      const now = [...(scores.at(-1) ?? [])];
      now[turn.seat] = turn.total;
      scores.push(now);
    }
    return scores;
  }

  /**
   * The verdict on a play, in words.
   *
   * @param {import('../model/table.js').Turn} turn
   */
  verdictOf(turn) {
    const { table } = this.page;
    return verdictWords(
      turn,
      table.seats.map((_, seat) => nameOf(table, seat)),
    );
  }

  /** @param {Step} step @returns {boolean} */
  step(step) {
    const now = this.turn ?? this.all;
    const next = { first: 0, previous: now - 1, next: now + 1, last: this.all }[step];
    if (this.turn === undefined && next >= this.all) return false;
    if (next >= this.all && this.page.table.phase !== 'ended') this.live();
    else this.goTo(next);
    return true;
  }

  /** @param {number} turn */
  goTo(turn) {
    this.turn = Math.max(0, Math.min(turn, this.all));
    this.page.hand.picked = undefined;
    this.#writeHash();
    this.page.changed();
    this.page.sayStrip();
  }

  live() {
    this.turn = undefined;
    this.#writeHash();
    this.page.changed();
  }

  /** Takes over the turn that the address names. */
  takeHash() {
    const turn = new URLSearchParams(location.hash.slice(1)).get('turn');
    this.turn = turn !== null && /^\d{1,4}$/.test(turn) ? Number(turn) : undefined;
  }

  #writeHash() {
    const parts = new URLSearchParams(location.hash.slice(1));
    if (this.turn === undefined) parts.delete('turn');
    else parts.set('turn', String(this.turn));
    const hash = parts.toString();
    history.replaceState(history.state, '', location.pathname + (hash ? `#${hash}` : ''));
  }

  /** Fetches the record of a finished game, for its racks and its proof. */
  async load() {
    if (this.isLoading || this.replay || this.hasFailed) return;
    this.isLoading = true;
    const { page } = this;
    try {
      const [text, script] = await Promise.all([this.fetchRecord('jsonl'), loadScript(page.frame, 'record')]);
      if (!script) throw new Error('no script');
      const { positions, proof } = script.readRecord(text, page.table.setup, page.connection.identity);
      this.endedAt = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '{}').at;
      this.replay = positions;
      this.proof = proof;
      this.script = script;
      this.decision = script.decisionText(page.table);
      if (page.table.setup.options.rated) void this.#loadRatings(script);
    } catch {
      this.hasFailed = true;
    }
    this.isLoading = false;
    page.changed();
  }

  /** @param {typeof import('./record.js')} script */
  async #loadRatings(script) {
    const { page } = this;
    try {
      const ratings = script.ratingSteps(await this.#fetch(`/api/v1/games/${encodeURIComponent(page.game)}/result`));
      page.ratings = ratings;
      page.changed();
    } catch {
      // Without it, the page shows what the server has told this player.
    }
  }

  /**
   * The record of the game. Its players get that of a private game without the code, too.
   *
   * @param {string} kind
   */
  fetchRecord(kind) {
    const { game, code } = this.page;
    return this.#fetch(`/games/${encodeURIComponent(game)}.${kind}`, code);
  }

  /**
   * @param {string} path
   * @param {string} [code]
   * @returns {Promise<string>}
   */
  async #fetch(path, code) {
    const { token } = this.page.account;
    /** @type {Record<string, string>} */
    const headers = code ? { 'x-game-code': code } : token ? { authorization: `Bearer ${token}` } : {};
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(path, { headers });
      if (response.ok) return response.text();
      // The record can be a moment later than the end.
      if (attempt >= 4 || ![404, 409, 429, 503].includes(response.status)) throw new Error(String(response.status));
      await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** attempt));
    }
  }
}
