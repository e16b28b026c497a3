// The decisions of the player beside laying tiles: a play, a pass, an exchange, another game.

import { rackPlaces } from '../play/draft.js';
import { askExchange } from '../view/gamedialogs.js';
import { copyText } from '../view/copy.js';
import { saveText } from '../view/download.js';
import { words } from '../text/words.js';
import { loadScript } from './scripts.js';

/** The player's actions in a game. */
export class GameActs {
  /** @param {import('./game.js').GamePage} page */
  constructor(page) {
    this.page = page;
  }

  /**
   * Plays the draft, or asks for a second press if the player wants that.
   *
   * @param {import('../play/placement.js').Placement} placement
   */
  play(placement) {
    const { page } = this;
    if (page.frame.settings.get('enter') === 'confirm' && !page.isSure('play'))
      return page.askSure('play', words().game.playSure);
    page.hand.picked = undefined;
    page.hand.typing = { ...page.hand.typing, cursor: undefined, last: undefined };
    void page.send.play(placement);
  }

  async pass() {
    const texts = words().game;
    const { page } = this;
    const turn = page.table.turnNo;
    if ((await page.frame.confirm(texts.passAsk, texts.passText, texts.pass)) && page.table.turnNo === turn)
      await page.send.pass();
  }

  /** Whether tiles can be exchanged now, by the rules. */
  get canExchange() {
    const { table, send, offline } = this.page;
    return (
      offline === undefined &&
      table.phase === 'running' &&
      table.onTurn === table.seat &&
      table.seat !== undefined &&
      send.turn === undefined &&
      table.bag >= Math.max(1, table.setup.rule_set.exchange_min_bag)
    );
  }

  async exchange() {
    const { page } = this;
    const { table } = page;
    const least = table.setup.rule_set.exchange_min_bag;
    if (table.bag < Math.max(1, least)) return page.frame.toast(words().game.exchangeFew(least));
    if (!this.canExchange) return undefined;
    page.hand.recall();
    const rack = rackPlaces(page.hand.draft).flatMap((face) => (face === undefined ? [] : [face]));
    const turn = table.turnNo;
    const tiles = await askExchange(page.frame, table.setup, rack, table.bag);
    if (tiles.length > 0 && page.table.turnNo === turn) await page.send.exchange(tiles);
    return undefined;
  }

  async copyLink() {
    const texts = words().game;
    const { frame, game, code } = this.page;
    const hash = code ? `#code=${encodeURIComponent(code)}` : '';
    const link = `${location.origin}/games/${encodeURIComponent(game)}${hash}`;
    frame.toast(await copyText(link) ? texts.copied : texts.notCopied);
  }

  /**
   * Saves a record as a file.
   *
   * @param {string} kind
   */
  async download(kind) {
    const { page } = this;
    try {
      saveText(await page.history.fetchRecord(kind), `${page.game}.${kind}`);
    } catch {
      page.frame.toast(words().game.noRecord);
    }
  }

  command() {
    const { page } = this;
    if (page.isPlayer && page.table.phase !== 'ended') void this.#later((pages) => pages.askForCommand(page));
  }

  /** Shows everything that has no button of its own. */
  more() {
    void this.#later((pages) => pages.showMore(this.page));
  }

  /** @param {(pages: typeof import('./pages.js').pages) => void} act Needs what is in another script. */
  async #later(act) {
    const script = await loadScript(this.page.frame, 'pages');
    if (script && !this.page.isClosed) act(script.pages);
  }
}
