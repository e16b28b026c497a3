// The decisions of the player that ask something first: a pass, an exchange, the end of the game, a command as text.

import { parsePlay } from '../play/notation.js';
import { draftTiles, rackPlaces } from '../play/draft.js';
import { typedFaces } from '../play/faces.js';
import { askCommand, askExchange, askMore } from '../view/gamedialogs.js';
import { askToNotify } from '../view/notification.js';
import { words } from '../text/words.js';
import { gameAbout } from './gameview.js';

const ACT_JUDGEMENTS = ['challenge', 'hold', 'release', 'accept', 'withdraw', 'stand'];

/** What can be done in a game. */
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
    const { table, send } = this.page;
    return (
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

  async resign() {
    const texts = words().game;
    const { page } = this;
    const text = page.table.seats.length > 2 ? texts.resignMany : texts.resignText;
    if (await page.frame.confirm(texts.resignAsk, text, texts.resign)) await page.send.resign();
  }

  async abort() {
    const texts = words().game;
    if (await this.page.frame.confirm(texts.abortAsk, texts.abortText, texts.abort)) await this.page.send.abort();
  }

  async copyLink() {
    const texts = words().game;
    const { frame, game, code } = this.page;
    const hash = code ? `#code=${encodeURIComponent(code)}` : '';
    const link = `${location.origin}/games/${encodeURIComponent(game)}${hash}`;
    try {
      await navigator.clipboard.writeText(link);
      frame.toast(texts.copied);
    } catch {
      frame.toast(texts.notCopied);
    }
  }

  /**
   * Saves a record as a file.
   *
   * @param {string} kind
   */
  async download(kind) {
    const { page } = this;
    try {
      const url = URL.createObjectURL(new Blob([await page.history.fetchRecord(kind)], { type: 'text/plain' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = `${page.game}.${kind}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch {
      page.frame.toast(words().game.noRecord);
    }
  }

  /** The same game once more. */
  async playAgain() {
    const { page } = this;
    const { setup } = page.table;
    const bots = setup.seats.flatMap((/** @type {any} */ seat) =>
      seat.bot ? [botLevelOf(page, seat.name) ?? ''] : [],
    );
    const level = page.table.seat === undefined ? undefined : setup.seats[page.table.seat].level;
    const wish = { options: setup.options, level };
    try {
      if (bots.length === setup.seats.length - 1 && bots.every(Boolean)) await page.seeking.offer(wish, { bots });
      else {
        await page.seeking.find(wish);
        page.frame.go('/');
      }
    } catch {
      page.frame.go('/');
    }
  }

  async command() {
    const { page } = this;
    if (!page.isPlayer || page.table.phase === 'ended') return;
    const text = await askCommand(page.frame, (typed) => this.#run(typed, true));
    if (text !== undefined) this.#run(text, false);
  }

  /**
   * Carries out a command as in the terminal client.
   *
   * @param {string} text
   * @param {boolean} onlyCheck
   * @returns {string | undefined} What is wrong with it.
   */
  #run(text, onlyCheck) {
    const texts = words().game;
    const { page } = this;
    const [, verb = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(text) ?? [];
    const name = verb.toLowerCase();
    /** @type {Record<string, () => unknown>} */
    const plain = {
      pass: () => page.send.pass(),
      resign: () => this.resign(),
      abort: () => this.abort(),
      shuffle: () => page.hand.shuffle(),
    };
    if (ACT_JUDGEMENTS.includes(name)) plain[name] = () => page.send.judge(/** @type {'hold'} */ (name));
    if (plain[name] && !rest) {
      if (!onlyCheck) plain[name]();
      return undefined;
    }
    const own = page.hand.draft.places.flatMap((tile) => (tile ? [tile.tile] : []));
    if (name === 'exchange' || name === 'x') {
      const tiles = typedFaces(own, rest);
      if (!tiles?.length) return texts.commandTiles;
      if (!onlyCheck) void page.send.exchange(tiles);
      return undefined;
    }
    return this.#runPlay(text.trim(), own, onlyCheck);
  }

  /**
   * @param {string} text
   * @param {string[]} own
   * @param {boolean} onlyCheck
   */
  #runPlay(text, own, onlyCheck) {
    const { page } = this;
    const texts = words().game;
    const tiles = parsePlay(page.table, own, text);
    if (!(tiles instanceof Map)) {
      return texts.errors[tiles.code] ?? (tiles.code === 'tile_not_in_rack' ? texts.commandTiles : texts.commandBad);
    }
    if (onlyCheck) return undefined;
    page.hand.layAll(tiles);
    const { placement } = page;
    const isWhole = draftTiles(page.hand.draft).size === tiles.size;
    if (isWhole && placement.ok && page.table.onTurn === page.table.seat) void page.send.play(placement);
    return undefined;
  }

  /** Everything that has no button of its own. */
  more() {
    const texts = words().game;
    const { page } = this;
    const { table } = page;
    const isPlaying =
      page.isPlayer &&
      table.phase !== 'ended' &&
      table.seat !== undefined &&
      table.seats[table.seat].retired === undefined;
    const isEarly = table.seats.some((_, seat) => !table.turns.some((turn) => turn.seat === seat));
    const items = [];
    if (isPlaying) items.push({ label: `${texts.command}  /`, act: () => void this.command() });
    if (table.turns.length) items.push({ label: texts.history, act: () => page.history.step('previous') });
    if (table.phase === 'ended')
      for (const kind of ['gcg', 'jsonl'])
        items.push({ label: texts.download(kind), act: () => void this.download(kind) });
    items.push({ label: texts.copyLink, act: () => void this.copyLink() });
    if (isPlaying && !page.frame.settings.get('notify'))
      items.push({ label: texts.notify, act: () => void this.#notify() });
    items.push({ label: texts.toLobby, act: () => page.frame.go('/') });
    if (isPlaying && isEarly) items.push({ label: texts.abort, isRisk: true, act: () => void this.abort() });
    if (isPlaying) items.push({ label: texts.resign, isRisk: true, act: () => void this.resign() });
    void askMore(page.frame, items, gameAbout(table).join(', '));
  }

  async #notify() {
    const texts = words().game;
    const { frame } = this.page;
    const isAllowed = await askToNotify();
    if (isAllowed) frame.settings.set('notify', true);
    frame.toast(isAllowed ? texts.notifying : texts.notNotifying);
  }
}

/**
 * The level of a house bot, by its name.
 *
 * @param {import('./game.js').GamePage} page
 * @param {string} name
 * @returns {string | undefined}
 */
function botLevelOf(page, name) {
  const bots = /** @type {string[]} */ (page.connection.hello?.bots ?? []);
  return bots.find((level) => name.toLowerCase().includes(level.toLowerCase()));
}
