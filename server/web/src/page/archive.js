// Finished games by filters, the newest first, page by page; and the download of the own ones.

import { el, setAttribute, setText } from '../view/dom.js';
import { filterForm } from '../view/filterform.js';
import { gameRow, gameRows } from '../view/gamerows.js';
import { archiveQuery, filtersOf, fragmentOf, seatOfPlayer } from '../model/archive.js';
import { callAsPlayer } from './accountparts.js';
import { exportGames } from './exporting.js';
import { poolText } from './pools.js';
import { helloOf } from './rulebook.js';
import { refusedText, words } from '../text/words.js';

const ARCHIVE_PAGE = 50;
/** The empty pages that are skipped at once: a page can be empty although older games fit. */
const EMPTY_PAGES = 10;

/** @typedef {import('../model/archive.js').Filters} Filters */

/**
 * @param {import('./routes.js').PageContext & { asked: string }} context `asked`: the filters as in the fragment.
 * @returns {import('./routes.js').Page}
 */
export function openArchive(context) {
  const page = new ArchivePage(context);
  return { node: page.node, ready: page.load(), close: () => page.close() };
}

/** The list while it is on the screen. */
class ArchivePage {
  isClosed = false;
  /** @type {string | undefined} */
  next = undefined;
  /** @type {HTMLElement | undefined} */
  download = undefined;

  /** @param {import('./routes.js').PageContext & { asked: string }} context */
  constructor(context) {
    this.context = context;
    this.filters = filtersOf(context.asked);
    const { lobby, archive: { games: texts } } = words();
    const title = this.#title();
    context.frame.setTitle(title);
    this.list = gameRows();
    this.status = el('p', { class: 'small muted', role: 'status', text: lobby.loading });
    this.more = el('button', { class: 'btn', type: 'button', text: texts.older, onclick: () => void this.load() });
    this.filterPlace = el('div', {});
    this.node = el(
      'div', { class: 'page narrow' }, el('h1', { text: title }),
      el(
        'div', { class: 'stack' }, this.filterPlace, el('div', { class: 'form' }, this.list, this.status), this.#acts()));
    for (const node of [this.list, this.more]) setAttribute(node, 'hidden', true);
    void this.#showFilter();
  }

  close() {
    this.isClosed = true;
  }

  /** @returns {string} */
  #title() {
    const { games: texts } = words().archive;
    const { player = '' } = this.filters;
    if (player === 'me') return texts.title;
    return player === '' ? texts.everybody : texts.of(player);
  }

  /** The older games, and the download of the own ones. */
  #acts() {
    const { games: texts } = words().archive;
    const button = el('button', {
      class: 'btn', type: 'button', text: texts.export, onclick: () => void exportGames(this.context, button),
    });
    const row = el('div', { class: 'acts-row' }, this.more);
    if (this.filters.player !== 'me') return row;
    this.download = el(
      'div', { class: 'form', hidden: true }, el('div', { class: 'acts-row' }, button),
      el('p', { class: 'small muted', text: texts.exportHint }));
    return el('div', { class: 'form' }, row, this.download);
  }

  /** The form of the filters, once the server has said which rule sets and lexica it has. */
  async #showFilter() {
    const { rulebook, connection, frame } = this.context;
    const [hello, ruleSets, told] = await Promise.all([
      helloOf(connection), rulebook.names(),
      callAsPlayer(this.context, '/players/me/ratings?points=0').catch(() => ({ ratings: [] })),
    ]);
    if (this.isClosed) return;
    const form = filterForm(this.filters, {
      ruleSets, lexica: hello.lexica,
      pools: told.ratings.map((/** @type {any} */ { pool }) => pool), poolName: (pool) => poolText(pool, rulebook),
    }, (filters) => {
      const fragment = fragmentOf(filters);
      frame.go(`/archive${fragment && `#${fragment}`}`);
    });
    this.filterPlace.replaceChildren(form);
  }

  /** Shows the next games. */
  async load() {
    const { context, filters, list } = this;
    const { account, frame, rulebook } = context;
    const { games: texts } = words().archive;
    setAttribute(this.more, 'disabled', true);
    try {
      const page = await this.#ask();
      if (this.isClosed) return;
      for (const game of page.games) {
        const seat = seatOfPlayer(game, filters.player ?? '', account.identity);
        list.append(gameRow(game, seat, rulebook.nameOf(game.rule_set)));
      }
      this.next = page.next;
      const { childElementCount: count } = list;
      const none = fragmentOf(filters) === '' ? texts.noneYet : texts.none;
      setText(this.status, count > 0 ? texts.count(count, page.next === undefined) : none);
      setAttribute(this.more, 'hidden', page.next === undefined);
    } catch (refused) {
      if (this.isClosed) return;
      const text = refusedText(/** @type {any} */ (refused));
      if (list.childElementCount > 0) frame.toast(text);
      else setText(this.status, text);
      setAttribute(this.more, 'hidden', list.childElementCount === 0);
    }
    setAttribute(this.more, 'disabled', false);
    setAttribute(list, 'hidden', list.childElementCount === 0);
    const hasGames = list.childElementCount > 0 || fragmentOf(filters) !== '';
    if (this.download) setAttribute(this.download, 'hidden', !hasGames);
  }

  /** The next page that has games, or the last one. */
  async #ask() {
    let { next } = this;
    for (let pages = 0; ; pages++) {
      const page = await callAsPlayer(this.context, archiveQuery(this.filters, ARCHIVE_PAGE, next));
      if (page.games.length > 0 || page.next === undefined || pages >= EMPTY_PAGES) return page;
      ({ next } = page);
    }
  }
}
