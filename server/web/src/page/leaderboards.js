// The leaderboards: of a pool, by rating or by the average per turn. The choice is in the fragment of the address.

import { el, setAttribute } from '../view/dom.js';
import { fillSelect, segments } from '../view/choices.js';
import { boardTable } from '../view/boardtable.js';
import { ratingText } from '../view/ratings.js';
import { SPEEDS, lexiconFamily, poolOf, poolParts } from '../model/pools.js';
import { callAsPlayer } from './accountparts.js';
import { findPlayer } from './findplayer.js';
import { helloOf } from './rulebook.js';
import { refusedText, words } from '../text/words.js';

const BOARDS = ['rating', 'week', 'month', 'all'];

/** @typedef {import('../model/pools.js').PoolParts} PoolParts */
/** @typedef {import('./playerfigures.js').PoolRating} PoolRating */

/**
 * @param {import('./routes.js').PageContext & { asked: string }} context `asked`: pool and board as in the fragment.
 * @returns {import('./routes.js').Page}
 */
export function openLeaderboards(context) {
  const page = new LeaderboardPage(context);
  return { node: page.node, ready: page.open(), close: () => page.close() };
}

/** The boards while they are on the screen. */
class LeaderboardPage {
  isClosed = false;
  /** @type {PoolRating[]} */
  own = [];
  /** Counts what was asked for: an answer to an earlier question is not shown. */
  asked = 0;

  /** @param {import('./routes.js').PageContext & { asked: string }} context */
  constructor(context) {
    this.context = context;
    const { lobby, archive: { leaders: texts } } = words();
    context.frame.setTitle(texts.title);
    const parts = new URLSearchParams(context.asked);
    const board = parts.get('board') ?? '';
    this.board = BOARDS.includes(board) ? board : BOARDS[0];
    this.parts = poolParts(parts.get('pool') ?? '');
    const choose = (/** @type {Partial<PoolParts>} */ part) => this.#choose({ ...this.#known(), ...part }, this.board);
    this.ruleSets = pick((ruleSet) => choose({ ruleSet }));
    this.families = pick((family) => choose({ family }));
    this.speeds = pick((speed) => choose({ speed }));
    this.leagues = segments('league', (league) => choose({ isOfBots: league === 'bots' }));
    this.boards = segments('board', (next) => this.#choose(this.#known(), next));
    this.place = el('div', { class: 'card' }, el('p', { class: 'empty muted', text: lobby.loading }));
    const field = (/** @type {string} */ label, /** @type {HTMLElement} */ control) => (
      el('label', {}, el('span', { class: 'label', text: label }), control));
    const group = (/** @type {string} */ label, /** @type {HTMLElement} */ control) => el(
      'div', { role: 'group', 'aria-label': label }, el('span', { class: 'label', text: label }), control);
    this.node = el(
      'div', { class: 'page narrow' }, el('h1', { text: texts.title }),
      el(
        'div', { class: 'stack' }, findPlayer(context),
        el(
          'div', { class: 'filters' }, field(texts.ruleSet, this.ruleSets), field(texts.lexicon, this.families),
          field(texts.speed, this.speeds), group(texts.league, this.leagues.node)),
        el('div', { class: 'form' }, group(texts.board, this.boards.node), this.place)));
  }

  close() {
    this.isClosed = true;
  }

  /** Shows the pool of the address, else that in which the player has played last. */
  async open() {
    const { connection } = this.context;
    const [hello, told] = await Promise.all([
      helloOf(connection),
      callAsPlayer(this.context, '/players/me/ratings?points=0').catch(() => ({ ratings: [] })),
    ]);
    if (this.isClosed) return;
    this.hello = hello;
    const newest = (/** @type {PoolRating} */ a, /** @type {PoolRating} */ b) => b.last_game_at - a.last_game_at;
    this.own = told.ratings.sort(newest);
    await this.#show();
  }

  /** @returns {PoolParts} */
  #known() {
    if (this.parts) return this.parts;
    const last = this.context.frame.settings.get('lastGame')?.options;
    const lexicon = last?.lexicon ?? this.hello?.lexica[0]?.name ?? '';
    const ruleSet = last?.rule_set ?? this.hello?.rule_sets[0]?.id ?? '';
    return poolParts(this.own[0]?.pool ?? '')
      ?? { isOfBots: false, ruleSet, family: lexiconFamily(lexicon), speed: 'standard' };
  }

  /**
   * @param {PoolParts} parts
   * @param {string} board
   */
  #choose(parts, board) {
    Object.assign(this, { parts, board });
    const fragment = new URLSearchParams({ pool: poolOf(parts), board });
    history.replaceState(history.state, '', `${location.pathname}#${fragment}`);
    void this.#show();
  }

  async #show() {
    const { leaders: texts, speeds } = words().archive;
    const parts = this.#known();
    const pool = poolOf(parts);
    const ruleSets = (this.hello?.rule_sets ?? []).map((/** @type {{ id: string }} */ { id }) => (
      [id, this.context.rulebook.nameOf(id)]));
    fillSelect(this.ruleSets, withChosen(ruleSets, parts.ruleSet), parts.ruleSet);
    const families = (this.hello?.lexica ?? []).map((/** @type {any} */ { name }) => lexiconFamily(name));
    const known = [...new Set(families)].map((family) => [family, family]);
    fillSelect(this.families, withChosen(known, parts.family), parts.family);
    fillSelect(this.speeds, SPEEDS.map((speed) => [speed, speeds[speed]]), parts.speed);
    this.leagues.show([['people', texts.people], ['bots', texts.bots]], parts.isOfBots ? 'bots' : 'people');
    this.boards.show(BOARDS.map((board) => [board, texts.boards[board]]), this.board);
    const asked = ++this.asked;
    setAttribute(this.place, 'aria-busy', 'true');
    try {
      const path = pool.split('/').map(encodeURIComponent).join('/');
      const told = await callAsPlayer(this.context, `/leaderboards/${path}?board=${this.board}`);
      if (asked !== this.asked) return;
      const own = this.own.find((rating) => rating.pool === pool);
      const line = own && texts.own(`${ratingText({ value: own.rating, ...own })} ± ${own.deviation}`, own.games);
      this.place.replaceChildren(boardTable(told, this.context.account.identity, line));
    } catch (refused) {
      if (asked !== this.asked) return;
      const text = refusedText(/** @type {any} */ (refused));
      this.place.replaceChildren(el('p', { class: 'empty bad', role: 'alert', text }));
    }
    setAttribute(this.place, 'aria-busy', undefined);
  }
}

/**
 * A list with one chosen item.
 *
 * @param {(value: string) => void} choose
 */
function pick(choose) {
  const node = /** @type {HTMLSelectElement} */ (el('select', { class: 'field', onchange: () => choose(node.value) }));
  return node;
}

/**
 * Choices with the chosen one, which the server may have no more.
 *
 * @param {string[][]} choices
 * @param {string} chosen
 */
function withChosen(choices, chosen) {
  return choices.some(([value]) => value === chosen) ? choices : [...choices, [chosen, chosen]];
}
