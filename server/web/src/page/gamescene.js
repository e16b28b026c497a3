// Everything that is on the screen of a game, made when the game is first known and then kept up to date.

import { el, icon, setAttribute, setText } from '../view/dom.js';
import { createBoard, squareOfNode } from '../view/board.js';
import { createRack } from '../view/rack.js';
import { setWordLanguage } from '../view/parts.js';
import { createSeats } from '../view/seats.js';
import { createStrip } from '../view/strip.js';
import { createActions } from '../view/actions.js';
import { createSheet } from '../view/sheet.js';
import { createUnseen } from '../view/unseen.js';
import { createEndCard, createProofCard } from '../view/endcard.js';
import { createHands, createSteps, createTrace } from '../view/replay.js';
import { shownMoment } from '../model/clock.js';
import { rackPlaces } from '../play/draft.js';
import { plainText } from '../text/rich.js';
import { words } from '../text/words.js';
import {
  boardViewOf,
  clockViews,
  clockViewsOfPast,
  gameAbout,
  nameOf,
  primaryOf,
  seatOrder,
  seatViews,
  sheetAbout,
  unseenView,
} from './gameview.js';
import { stripOf, stripTime } from './gamestrip.js';
import { endViewOf, proofViewOf } from './gameendview.js';
import { showChat } from './scripts.js';

/** The parts of the page. */
export class GameScene {
  /** @param {import('./game.js').GamePage} page */
  constructor(page) {
    this.page = page;
    const { hand, acts, history } = page;
    this.strip = createStrip();
    this.rack = createRack({ onpress: (place) => hand.tap({ place }) });
    this.actions = createActions(this.rack.node, {
      shuffle: () => hand.shuffle(),
      recall: () => hand.recall(),
      exchange: () => void acts.exchange(),
    });
    const onclose = () => void this.lowerSheet();
    this.sheet = createSheet({ onturn: (index) => this.#turnPressed(index), onclose });
    this.unseen = createUnseen({ onclose });
    this.end = createEndCard();
    this.proof = createProofCard((kind) => void acts.download(kind));
    this.trace = createTrace((turn) => history.goTo(turn));
    this.hands = createHands();
    this.steps = [createSteps((step) => history.step(step)), createSteps((step) => history.step(step))];
    this.under = el('div', { class: 'under' });
    this.panel = el('aside', { class: 'panel' });
    const scrim = el('div', { class: 'scrim', onclick: onclose });
    this.table = el('div', { class: 'table' }, this.strip.node, this.under, this.panel, scrim);
    this.stripUntil = /** @type {number | undefined} */ (undefined);
    this.stripWholeMs = /** @type {number | undefined} */ (undefined);
    this.stripLeft = '';
    this.wasEnded = /** @type {boolean | undefined} */ (undefined);
    /** @type {ReturnType<typeof createBoard> | undefined} */
    this.board = undefined;
    /** @type {ReturnType<typeof createSeats> | undefined} */
    this.seats = undefined;
    page.node.append(el('h1', { class: 'hide' }), this.table);
    this.crowd = el('span', { class: 'tool num crowd', hidden: true });
    this.pool = el('span', { class: 'num' });
    this.tools = this.#makeTools();
  }

  /** The tools of the bar: cards that have no room on a phone, and everything else. */
  #makeTools() {
    const texts = words().game;
    const tool = (
      /** @type {string} */ drawing,
      /** @type {string} */ name,
      /** @type {() => void} */ act,
      isPhone = true,
    ) =>
      el(
        'button',
        { type: 'button', class: isPhone ? 'tool raises' : 'tool', 'aria-label': name, title: name, onclick: act },
        icon(drawing),
      );
    const bag = tool('bag', texts.unseen, () => this.raise(this.unseen.node));
    bag.append(this.pool);
    this.bagTool = bag;
    return [
      this.crowd,
      tool('list', texts.sheet, () => this.raise(this.sheet.node)),
      bag,
      tool('more', texts.more, () => this.page.acts.more(), false),
    ];
  }

  /** Makes what depends on the size of the board and the number of players. */
  #begin() {
    const { page } = this;
    const { table } = page;
    this.board = createBoard(table.rows, table.cols);
    this.seats = createSeats(seatOrder(table));
    // Presses of the pointer come by themselves; a click without one comes from a screen reader.
    this.board.grid.addEventListener('click', (event) => {
      if (event.detail === 0) page.hand.tap({ square: squareOfNode(event.target) });
    });
    this.table.style.setProperty('--seats', String(table.seats.length));
    this.table.style.setProperty('--rows', String(table.rows));
    this.table.style.setProperty('--cols', String(table.cols));
    this.table.prepend(this.seats.node, this.board.node);
    const [name, about] = gameAbout(table);
    setText(/** @type {HTMLElement} */ (page.node.firstElementChild), `${name}, ${about}`);
    page.frame.setBarTitle(el('span', {}, el('b', { text: name }), el('span', { class: 'desk', text: `, ${about}` })));
    page.frame.tools(this.tools);
  }

  /** Shows everything as it is now. */
  paint() {
    const { page } = this;
    const { table } = page;
    this.table.classList.toggle('unknown', !table.isKnown);
    setWordLanguage(table.setup.rule_set?.language_tag);
    if (table.isKnown && !this.board) this.#begin();
    this.#paintStrip();
    if (!table.isKnown) return;
    const isEnded = table.phase === 'ended' && !page.isLooking;
    this.table.classList.toggle('over', table.phase === 'ended');
    this.table.classList.toggle('ended', isEnded);
    this.table.classList.toggle('looking', page.isLooking);
    this.table.classList.toggle('offline', page.offline !== undefined);
    this.table.classList.toggle('large-board', Math.max(table.rows, table.cols) > 17);
    this.board?.update(boardViewOf(page));
    this.seats?.update(seatViews(page));
    this.#paintUnder(isEnded);
    this.#paintPanel(isEnded);
    this.#paintTools();
    // The focus goes to the result, unless the player is in the middle of a chat line.
    const isWriting = document.activeElement instanceof HTMLInputElement;
    if (this.wasEnded === false && table.phase === 'ended' && !isWriting) this.end.title.focus({ preventScroll: true });
    this.wasEnded = table.phase === 'ended';
    void showChat(page, page);
  }

  /** Whether there are buttons to go along the turns: a player has them after a press on a turn, a spectator always. */
  get #hasSteps() {
    const { isLooking, isPlayer, table, history } = this.page;
    return isLooking || (!isPlayer && table.phase !== 'ended' && history.all > 0);
  }

  #paintStrip() {
    const { page } = this;
    const { view, until, wholeMs } = stripOf(page);
    const { shown, history } = page;
    this.stripUntil = until;
    this.stripWholeMs = wholeMs;
    this.strip.update({ ...view, end: this.#hasSteps ? this.steps[0].node : undefined });
    if (this.#hasSteps) for (const steps of this.steps) steps.update(shown.turns.length, history.all);
  }

  /**
   * Below the strip: the own rack, the racks of a replay, or what was left.
   *
   * @param {boolean} isEnded
   */
  #paintUnder(isEnded) {
    const { page } = this;
    const { table, shown, isLooking } = page;
    const last = isLooking ? shown.turns.at(-1) : undefined;
    const hands = shown.seats.flatMap((seat, i) => {
      // A turn is shown with the rack that it was made from.
      const rack = last?.seat === i ? (last.rack ?? seat.rack) : seat.rack;
      return rack && (isLooking || !page.isPlayer)
        ? [{ name: nameOf(table, i), rack, isOnTurn: (last?.seat ?? shown.onTurn) === i }]
        : [];
    });
    const showsHands =
      (isLooking && table.phase === 'ended') || (!page.isPlayer && !isEnded && hands.length === table.seats.length);
    const parts = [];
    if (showsHands) parts.push(this.hands.node);
    else if (page.isPlayer && !isEnded && table.phase !== 'ended') parts.push(this.actions.node);
    if (this.#hasSteps) parts.push(this.steps[1].node);
    if (showsHands) this.hands.update(table.setup, hands, table.setup.rule_set.rack_size);
    const kinds = parts.map((node) => node.className).join('|');
    if (this.under.dataset.kinds !== kinds) {
      this.under.dataset.kinds = kinds;
      this.under.replaceChildren(...parts);
    }
    if (page.isPlayer) this.#paintHand();
  }

  #paintHand() {
    const { page } = this;
    const { hand, table } = page;
    this.rack.update({ setup: table.setup, places: rackPlaces(hand.draft), picked: hand.picked?.place });
    const onRack = rackPlaces(hand.draft).filter((face) => face !== undefined);
    this.primary = primaryOf(page);
    this.actions.update(this.primary, {
      canRecall: hand.tiles.size > 0 && !page.isLooking,
      canExchange: page.acts.canExchange && !page.isLooking,
      canShuffle: onRack.length > 1,
    });
  }

  /** @param {boolean} isEnded */
  #paintPanel(isEnded) {
    const { page } = this;
    const { table, shown, isLooking, history } = page;
    const parts = [];
    if (isEnded) parts.push(this.end.node);
    if (isLooking) parts.push(this.trace.node);
    if (table.phase === 'ended') parts.push(this.proof.node);
    parts.push(this.sheet.node, this.unseen.node);
    const kinds = parts.map((node) => node.className.replace(' raised', '')).join('|');
    const isOther = this.panel.dataset.kinds !== kinds;
    if (isOther) {
      this.panel.dataset.kinds = kinds;
      this.panel.replaceChildren(...parts);
    }
    if (isEnded) this.end.update(endViewOf(page));
    if (table.phase === 'ended') this.proof.update(proofViewOf(page));
    const names = table.seats.map((_, seat) => nameOf(table, seat));
    if (isLooking) this.trace.update(history.scores(), names, shown.turns.length);
    const open = table.window ? table.turns.findIndex(({ playId }) => playId === table.window?.playId) : undefined;
    this.sheet.update(history.turns, {
      names,
      about: sheetAbout(table),
      hints: table.hints,
      open,
      now: isLooking ? shown.turns.length - 1 : undefined,
    });
    if (isOther && !isLooking) this.sheet.toEnd();
    const { tiles, about } = unseenView(shown);
    this.unseen.update(tiles, about);
  }

  #paintTools() {
    const texts = words().game;
    const { table } = this.page;
    setText(this.pool, String(table.bag));
    if (this.bagTool) setAttribute(this.bagTool, 'aria-label', texts.unseenTool(table.bag));
    setAttribute(this.crowd, 'hidden', table.watching === 0);
    setAttribute(this.crowd, 'aria-label', texts.crowd(table.watching));
    if (!this.crowd.firstChild) this.crowd.append(icon('eye'), el('span'));
    setText(/** @type {Element} */ (this.crowd.lastChild), String(table.watching));
  }

  /**
   * Shows the clocks and the time that the strip has left.
   *
   * @param {number} now On the server.
   * @returns {number} When something changes next, in ms.
   */
  paintTime(now) {
    const { page } = this;
    const isReplay = page.isLooking && page.table.phase === 'ended';
    const { clocks, nextMs } = isReplay ? clockViewsOfPast(page.shown) : clockViews(page.table, now);
    this.seats?.updateClocks(clocks);
    if (this.stripUntil === undefined) {
      this.stripLeft = '';
      this.strip.updateTime(undefined, undefined);
      return nextMs;
    }
    const left = this.stripUntil - shownMoment(page.table, now);
    this.stripLeft = stripTime(left);
    const part = this.stripWholeMs ? Math.min(1, Math.max(0, (left - 1000) / this.stripWholeMs)) : undefined;
    this.strip.updateTime(this.stripLeft, part);
    if (left <= 0 && left > -1500) setTimeout(() => page.changed(), 300);
    return left > 0 ? Math.min(nextMs, (left % 1000) + 5) : nextMs;
  }

  /** @param {number} index */
  #turnPressed(index) {
    this.lowerSheet();
    this.page.history.goTo(index + 1);
  }

  /**
   * Shows a card as a sheet over the foot of a phone.
   *
   * @param {HTMLElement} card
   */
  raise(card) {
    const wasUp = card.classList.contains('raised');
    this.lowerSheet();
    if (wasUp) return;
    card.classList.add('raised');
    this.table.classList.add('with-sheet');
    this.sheet.toEnd();
    this.raisedFrom = document.activeElement;
    /** @type {HTMLElement | null} */ (card.querySelector('.close'))?.focus({ preventScroll: true });
  }

  /** @returns {boolean} Whether a sheet was up. */
  lowerSheet() {
    const up = this.panel.querySelector('.raised');
    up?.classList.remove('raised');
    this.table.classList.remove('with-sheet');
    if (up && this.raisedFrom instanceof HTMLElement) this.raisedFrom.focus({ preventScroll: true });
    return up !== null;
  }

  /** Says why the primary button does nothing. */
  sayPrimary() {
    if (this.primary) this.page.frame.announce(plainText(this.primary.label), true);
  }
}
