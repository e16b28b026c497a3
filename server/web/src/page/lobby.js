// The lobby: sets up games, shows offers, own games and games to watch, and sends what the player wants.

import { lobbyLayout } from '../view/lobbylayout.js';
import { NewGameCard } from '../view/newgame.js';
import { Hero } from '../view/hero.js';
import { KeyedList } from '../view/keyed.js';
import { isOwnTurn, liveGameCard, ownGameCard } from '../view/gamecards.js';
import { offerRow, waitingLine } from '../view/offers.js';
import { el, setAttribute, setText } from '../view/dom.js';
import { FEATURED_RULE_SETS, PRESETS, Setup } from './setup.js';
import { Boards } from './boards.js';
import { LobbyLists } from './lists.js';
import { notes, offerOf, optionsText } from './offer.js';
import { loadScript } from './scripts.js';
import { refusedText, words } from '../text/words.js';

const LIVE_SHOWN = 4;
/** The hints of each player in a game with the beginner bot. */
const BEGINNER_HINTS = 3;
const OWN_SHOWN = 12;

/**
 * Opens the lobby.
 *
 * @param {import('./routes.js').PageContext & { ruleSet?: string }} context
 * @returns {import('./routes.js').Page}
 */
export function openLobby(context) {
  const page = new LobbyPage(context);
  return { node: page.layout.node, close: () => page.close(), isBusy: () => false };
}

/** The lobby while it is on the screen. */
class LobbyPage {
  /** @param {import('./routes.js').PageContext & { ruleSet?: string }} context */
  constructor(context) {
    const { frame, connection, seeking, rulebook } = context;
    this.context = context;
    this.isClosed = false;
    this.isBusy = false;
    this.heroGame = '';
    /** @type {Map<string, boolean>} */
    this.turns = new Map();
    this.isFirstVisit = frame.settings.get('lastGame') === undefined;
    const render = () => this.#later();
    this.setup = new Setup(rulebook, frame.settings, render);
    this.card = new NewGameCard(this.#setupActs());
    this.layout = lobbyLayout({ newGame: this.card.node, onCode: (code) => this.#do(() => seeking.join({ code })) });
    this.hero = new Hero({ bot: () => this.#playBot(this.#bots()[0], true) });
    const now = () => connection.serverNow();
    notes.now = now;
    const offerActs = this.#offerActs();
    this.own = new KeyedList(this.layout.ownList, cardKey, () => ownGameCard(now));
    this.live = new KeyedList(this.layout.liveList, cardKey, () => liveGameCard(now));
    this.offers = new KeyedList(this.layout.offerList, offerKey, offerRow(offerActs));
    this.waiting = new KeyedList(this.card.waiting, offerKey, waitingLine(offerActs));
    this.bots = new KeyedList(this.layout.botList, (/** @type {string} */ bot) => bot, (bot) => this.#botRow(bot));
    this.layouts = /** @type {Map<string, string[]>} */ (new Map());
    this.boards = new Boards(connection, (game) => this.#boardChanged(game));
    this.lists = new LobbyLists(connection, seeking, render);
    this.ends = [seeking.on(render), connection.on('hello', render)];
    this.timer = setInterval(render, 1000);
    this.setup.open(context.ruleSet).catch((refused) => frame.toast(refusedText(refused)));
    this.#render();
  }

  close() {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const end of this.ends) end();
    this.lists.close();
    this.boards.close();
  }

  /** Draws once for all that happens before the next frame. */
  #later() {
    if (this.isDrawing || this.isClosed) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      if (!this.isClosed) this.#render();
    });
  }

  #render() {
    const { lobby } = words();
    const { layout, lists } = this;
    this.#renderSetup();
    this.#renderHero();
    this.#renderOffers();
    const own = lists.own.slice(0, OWN_SHOWN);
    const live = [...lists.live.values()].filter((summary) => !this.#isOwn(summary)).slice(0, LIVE_SHOWN);
    this.boards.follow([...new Set([...own, ...live].map(({ game }) => game))]);
    const cards = own.map((summary) => this.#cardOf(summary));
    this.own.show(cards);
    const turns = cards.filter(isOwnTurn).length;
    this.context.frame.setTitle(turns > 0 ? lobby.turnsWaiting(turns) : '');
    setAttribute(layout.own.node, 'hidden', own.length === 0);
    this.live.show(live.map((summary) => this.#cardOf(summary)));
    setText(layout.noLive, lists.isLoaded ? lobby.noLive : lobby.loading);
    setAttribute(layout.noLive, 'hidden', live.length > 0);
    setAttribute(layout.moreLive, 'hidden', lists.live.size <= live.length);
    setText(layout.live.side, lists.isLoaded ? lobby.here(lists.live.size, lists.online) : '');
    const bots = this.#bots();
    this.bots.show(bots);
    setAttribute(layout.bots.node, 'hidden', bots.length === 0);
  }

  #renderSetup() {
    const { setup } = this;
    const { rules, options } = setup;
    const days = (options.clock?.kind === 'per_move' && setup.preset === 'days' ? options.clock.limit_ms : undefined)
      ?? (rules?.usual.clock.kind === 'per_move' ? rules.usual.clock.limit_ms : 3 * 86_400_000);
    this.card.show({
      names: setup.names, featured: FEATURED_RULE_SETS, ruleSet: options.rule_set ?? '', lexica: setup.fittingLexica,
      lexicon: options.lexicon ?? '', presets: PRESETS, preset: setup.preset, days: Math.round(days / 86_400_000),
      seats: options.seats ?? 2, minSeats: rules?.min_seats ?? 2, maxSeats: rules?.max_seats ?? 4,
      unusual: setup.unusual.length > 0 ? optionsText(/** @type {any} */ (options)) : '', isBusy: this.isBusy,
    });
    // A screen has one filled button: while the welcome card has it, this one is plain.
    this.card.go.classList.toggle('go', !this.#isWelcoming() || this.#bots().length === 0);
  }

  #renderHero() {
    const { heroPlace } = this.layout;
    if (!this.#isWelcoming()) return heroPlace.replaceChildren();
    if (!this.hero.node.isConnected) heroPlace.replaceChildren(this.hero.node);
    const table = this.#heroTable();
    this.hero.show({ table, layout: this.#layoutOf('classic'), hasBots: this.#bots().length > 0, isBusy: this.isBusy });
  }

  /** The game that a visitor sees: the one that went on last, and then the same until it is not shown any more. */
  #heroTable() {
    const since = (/** @type {string} */ game) => this.boards.tableOf(game)?.clocks.running?.since ?? 0;
    const games = [...this.boards.followed.keys()].filter((game) => this.boards.tableOf(game));
    if (!games.includes(this.heroGame)) this.heroGame = games.sort((a, b) => since(b) - since(a))[0] ?? '';
    return this.boards.tableOf(this.heroGame);
  }

  #isWelcoming() {
    return this.isFirstVisit && this.lists.own.length === 0;
  }

  #renderOffers() {
    const { lobby } = words();
    const { layout, lists } = this;
    const { seeking, connection, rulebook } = this.context;
    const about = (/** @type {any} */ seek) => offerOf(seek, {
      identity: connection.identity, ruleSetName: (id) => rulebook.nameOf(id), isBusy: this.isBusy,
      isRegistered: connection.isRegistered,
    });
    const offers = [...lists.seeks.values()].filter((seek) => !seeking.isMember(seek)).map(about);
    this.waiting.show([...seeking.own.values()].map(about));
    this.offers.show(offers);
    setText(layout.offers.side, offers.length > 0 ? String(offers.length) : '');
    setAttribute(layout.offerList, 'hidden', offers.length === 0);
    setText(layout.noOffers, lists.isLoaded ? lobby.noOffers : lobby.loading);
    setAttribute(layout.noOffers, 'hidden', offers.length > 0);
  }

  /** @param {string} game */
  #boardChanged(game) {
    const table = this.boards.tableOf(game);
    if (table?.phase === 'ended') this.lists.askOwn().catch(() => {});
    if (table?.seat !== undefined) this.#turnTold(game, table.onTurn === table.seat);
    this.#later();
  }

  /**
   * The server tells of turns only where a game is not followed, so here the lobby does.
   *
   * @param {string} game
   * @param {boolean} isOnTurn
   */
  #turnTold(game, isOnTurn) {
    if (isOnTurn && this.turns.get(game) === false) this.context.yourTurn(game);
    this.turns.set(game, isOnTurn);
  }

  /**
   * @param {Record<string, any>} summary
   * @returns {import('../view/gamecards.js').CardItem}
   */
  #cardOf(summary) {
    const { connection, rulebook } = this.context;
    return {
      summary, table: this.boards.tableOf(summary.game), layout: this.#layoutOf(summary.rule_set),
      ruleSet: rulebook.nameOf(summary.rule_set), identity: connection.identity,
      href: `/games/${encodeURIComponent(summary.game)}`,
    };
  }

  /**
   * The premium squares of a rule set, once they are known.
   *
   * @param {string} ruleSet
   */
  #layoutOf(ruleSet) {
    const known = this.layouts.get(ruleSet);
    if (known) return known;
    if (this.context.connection.state.state !== 'open') return undefined;
    this.layouts.set(ruleSet, []);
    this.context.rulebook.get(ruleSet).then(({ rule_set: { board } }) => {
      this.layouts.set(ruleSet, board.layout);
      this.#later();
    }, () => {});
    return undefined;
  }

  /** @param {Record<string, any>} summary */
  #isOwn({ seats }) {
    return seats.some((/** @type {any} */ { identity }) => identity === this.context.connection.identity);
  }

  /** @returns {string[]} */
  #bots() {
    return this.context.connection.hello?.bots ?? [];
  }

  /** @param {string} bot */
  #botRow(bot) {
    const { lobby } = words();
    const [name, about] = lobby.bots[bot] ?? [bot, ''];
    const button = el('button', {
      class: 'btn small', type: 'button', text: lobby.play, 'aria-label': lobby.playNamed(name),
      onclick: () => this.#playBot(bot),
    });
    const node = el('li', {}, el('b', { text: name }), el('span', { text: about }), button);
    return { node, update: () => setAttribute(button, 'disabled', this.isBusy) };
  }

  /**
   * Fills the other seats of the game that is set up, and begins it.
   *
   * @param {string} bot
   * @param {boolean} [isQuick] Whether the server checks the words, unless the player has chosen how to challenge.
   */
  #playBot(bot, isQuick = false) {
    this.#do(async () => {
      const { options: { rated, ...options }, ...level } = await this.setup.wish();
      if (isQuick && this.setup.canCheckWords) options.challenge = { kind: 'void' };
      if (bot === 'beginner') options.hints ??= BEGINNER_HINTS;
      // Games against house bots are never rated.
      await this.context.seeking.offer({ options, ...level }, { bots: Array(options.seats - 1).fill(bot) });
    });
  }

  /**
   * Sends something once, and tells the player if it is refused.
   *
   * @param {() => Promise<any>} act
   */
  async #do(act) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.#later();
    try {
      return await act();
    } catch (refused) {
      this.context.frame.toast(refusedText(/** @type {any} */ (refused)));
    } finally {
      this.isBusy = false;
      this.#later();
    }
  }

  async #askOptions() {
    const { frame, seeking } = this.context;
    const script = await loadScript(frame, 'pages');
    await this.setup.settled;
    if (this.isClosed) return;
    script?.pages.askOptions(frame, this.setup, seeking).catch((refused) => frame.toast(refusedText(refused)));
  }

  /** @returns {import('../view/newgame.js').NewGameActs} */
  #setupActs() {
    const { frame, seeking } = this.context;
    const failed = (/** @type {any} */ refused) => void frame.toast(refusedText(refused));
    return {
      rules: (id) => void this.setup.choose(id).catch(failed),
      lexicon: (name) => void this.setup.setLexicon(name).catch(failed),
      preset: (preset) => void this.setup.setPreset(/** @type {import('./setup.js').Preset} */ (preset)),
      seats: (count) => void this.setup.setSeats(count),
      reset: () => void this.setup.reset(),
      more: () => void this.#askOptions(),
      find: () => void this.#do(async () => seeking.find(await this.setup.wish())),
      invite: () => void this.#do(async () => {
        const wish = await this.setup.wish({ isPrivate: true });
        const { seek } = await seeking.offer(wish, { private: true });
        if (this.setup.options.rated) frame.toast(words().lobby.linkIsCasual);
        frame.go(`/seeks/${encodeURIComponent(seek)}`);
      }),
    };
  }

  /** @returns {import('../view/offers.js').OfferActs} */
  #offerActs() {
    const { frame, seeking } = this.context;
    return {
      join: (seek) => void this.#do(() => seeking.join({ seek }, this.setup.level)),
      leave: (seek) => void this.#do(() => seeking.leave(seek)),
      begin: (seek) => void this.#do(() => seeking.begin(seek)),
      link: (seek) => frame.go(`/seeks/${encodeURIComponent(seek)}`),
    };
  }
}

/** @param {import('../view/gamecards.js').CardItem} item */
function cardKey({ summary }) {
  return summary.game;
}

/** @param {import('../view/offers.js').Offer} offer */
function offerKey({ seek }) {
  return seek;
}
