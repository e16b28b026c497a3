// The page of one game, live or finished: keeps what is known of it, and shows it whenever it changes.

import { el } from '../view/dom.js';
import { createSounds } from '../view/sounds.js';
import { createZoom } from '../view/zoom.js';
import { listenToPointer } from '../input/pointer.js';
import { listenToKeys } from '../input/keyboard.js';
import { emptyTable, takeAttached, takeEvent, takePush, takeSnapshot, takeWaiting } from '../model/table.js';
import { placementOf } from '../play/placement.js';
import { Refused } from '../wire/requests.js';
import { RackStore } from '../store/racks.js';
import { browserStorage } from '../store/identity.js';
import { plainText } from '../text/rich.js';
import { words } from '../text/words.js';
import { GameSend } from './gamesend.js';
import { GameHand } from './gamehand.js';
import { GameHistory } from './gamehistory.js';
import { GameWords } from './gamewords.js';
import { GameActs } from './gameacts.js';
import { GameNews } from './gamenews.js';
import { GameScene } from './gamescene.js';
import { loadScript } from './scripts.js';
import { keyActs, pointerActs } from './gameinput.js';
import { stripOf } from './gamestrip.js';
import { isOutOfTime, nameOf } from './gameview.js';

const SURE_MS = 3000;

/** @typedef {import('./routes.js').PageContext & { game: string, code?: string }} GameContext */

/**
 * Opens the page of a game.
 *
 * @param {GameContext} context
 * @returns {import('./routes.js').Page}
 */
export function openGame(context) {
  const page = new GamePage(context);
  return { node: page.node, close: () => page.close(), isBusy: () => page.isPlaying };
}

/** @typedef {import('../play/placement.js').Placement | import('../play/placement.js').Misplacement} PlacementOrNot */

/** One game on the screen. */
export class GamePage {
  /** @param {GameContext} context */
  constructor({ frame, connection, account, nonces, seeking, game, code }) {
    this.frame = frame;
    this.connection = connection;
    this.account = account;
    this.nonces = nonces;
    this.seeking = seeking;
    this.game = game;
    this.code = code;
    /** Once the game is over. @type {import('./rematch.js').Rematch | undefined} */
    this.rematch = undefined;
    /** While the game goes on. @type {typeof import('./manners.js') | undefined} */
    this.manners = undefined;
    /** The last push about a rematch. @type {any} */
    this.rematchTold = undefined;
    this.isClosed = false;
    this.lostText = /** @type {string | undefined} */ (undefined);
    /** How the game has changed the ratings, by seat. @type {import('../model/ratings.js').RatingStep[]} */
    this.ratings = [];
    this.table = emptyTable(game, connection.identity);
    this.racks = new RackStore(browserStorage());
    this.sounds = createSounds(() => frame.settings.get('sounds'));
    this.send = new GameSend(this);
    this.hand = new GameHand(this);
    this.history = new GameHistory(this);
    this.words = new GameWords(this);
    this.acts = new GameActs(this);
    this.news = new GameNews(this);
    /** @type {{ key: unknown[], value: PlacementOrNot }} */
    this.placed = { key: [], value: { ok: false, code: 'no_tiles', squares: [] } };
    this.sure = { what: '', until: 0 };
    this.frameAsked = 0;
    this.wasOut = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.node = el('div', { class: 'game' });
    document.documentElement.classList.add('in-game');
    this.scene = new GameScene(this);
    /** @type {ReturnType<typeof createZoom> | undefined} */
    this.zoom = undefined;
    this.pointer = listenToPointer(this.node, pointerActs(this));
    this.ends = [listenToKeys(keyActs(this)), ...this.#listen()];
    this.stream = connection.attach(game, this.#observer(), code);
    this.changed();
  }

  get board() {
    return this.scene.board;
  }

  /**
   * Whether the draft is a play, and which.
   *
   * @returns {PlacementOrNot}
   */
  get placement() {
    const { table, hand } = this;
    const key = [hand.draft, table.seq, table.isKnown];
    if (table.isKnown && key.some((part, i) => part !== this.placed.key[i])) {
      this.placed = { key, value: placementOf(table, hand.tiles) };
    }
    return this.placed.value;
  }

  /** The shown game: the present one, or the game after an earlier turn. */
  get shown() {
    return this.history.table();
  }

  /** Whether an earlier turn is looked at, or the replay of a finished game. */
  get isLooking() {
    return this.table.isKnown && this.history.turn !== undefined;
  }

  /** The line about a lost connection, while there is none. */
  get offline() {
    return this.frame.lines.get('connection');
  }

  /**
   * Sends a command about this game. One that waited for a connection could be carried out when the player no longer
   * wants it.
   *
   * @param {string} op
   * @param {Record<string, any>} [body]
   */
  async command(op, body) {
    if (this.offline) throw new Refused({ code: 'stopped' });
    return this.connection.command(op, { game: this.game, ...body });
  }

  get isPlayer() {
    return this.table.seat !== undefined;
  }

  /** Whether the player must not be taken away. */
  get isPlaying() {
    return this.isPlayer && this.table.phase !== 'ended';
  }

  /** Whether the strip has room for few words only. */
  isNarrow() {
    return this.scene.strip.node.clientWidth < 480;
  }

  /**
   * Whether the strip has room for a sentence beside its buttons.
   *
   * @param {number} letters
   */
  hasRoomFor(letters) {
    return this.scene.strip.node.clientWidth > letters * 7.2 + 330;
  }

  #listen() {
    const onHash = () => {
      this.history.takeHash();
      this.changed();
    };
    const observer = new ResizeObserver(() => this.changed());
    observer.observe(this.node);
    window.addEventListener('hashchange', onHash);
    this.frame.onLine = () => this.#takeLine();
    return [
      () => (this.frame.onLine = () => {}),
      () => window.removeEventListener('hashchange', onHash),
      () => observer.disconnect(),
      this.connection.on('welcome', () => this.changed()),
      this.connection.on('push', (op, body) => {
        if (body.game !== this.game) return;
        if (op === 'rematch') {
          this.rematchTold = body;
          this.rematch?.take(body);
        }
        if (op !== 'rating') return;
        this.ratings[this.table.seat ?? 0] ??= body;
        this.changed();
      }),
    ];
  }

  /** The connection is lost: everything stands still until the game is heard of again. */
  #takeLine() {
    const { offline, table } = this;
    if (offline && table.lostAt === undefined) {
      table.lostAt = this.connection.serverNow();
      this.frame.announce(offline.text, true);
    }
    this.changed();
  }

  /** @returns {import('../wire/stream.js').GameObserver} */
  #observer() {
    return {
      attached: (ok) => {
        this.table.identity = this.connection.identity;
        takeAttached(this.table, ok);
        this.changed();
      },
      snapshot: (body) => {
        this.table.identity = this.connection.identity;
        takeSnapshot(this.table, body);
        this.#came();
      },
      event: (event) => {
        takeEvent(this.table, event);
        if (event.seq > this.stream.head) {
          this.news.take(event);
          this.manners?.hearManners(this, event);
        }
        this.#came();
      },
      waiting: (body) => {
        takeWaiting(this.table, body);
        this.changed();
      },
      push: (op, body) => {
        takePush(this.table, op, body, this.connection.serverNow());
        this.changed();
      },
      lost: (code) => {
        const texts = words().game;
        this.table.lostAt = undefined;
        this.lostText = texts.lost[code] ?? texts.lostOther;
        this.changed();
      },
    };
  }

  #came() {
    // The board is known only when every event that had happened has arrived.
    if (this.table.seq >= this.stream.head) this.hand.sync();
    void this.send.readyWhenAsked();
    if (this.table.phase === 'ended') {
      void this.history.load();
      void this.#loadRematch();
    } else if (!this.manners) void this.#loadManners();
    this.changed();
  }

  async #loadManners() {
    this.manners = await loadScript(this.frame, 'manners');
    this.changed();
  }

  async #loadRematch() {
    if (this.rematch) return;
    const script = await loadScript(this.frame, 'record');
    if (!script || this.isClosed || this.rematch) return;
    this.rematch = script.rematchOf(this);
    if (this.rematchTold) this.rematch.take(this.rematchTold);
    this.changed();
  }

  /** Shows everything anew with the next frame. */
  changed() {
    if (this.frameAsked || this.isClosed) return;
    this.frameAsked = requestAnimationFrame(() => this.paint());
    // Hidden pages get no frames, but their title and their state must be right.
    if (document.visibilityState === 'hidden') {
      cancelAnimationFrame(this.frameAsked);
      this.frameAsked = 0;
      queueMicrotask(() => this.paint());
    }
  }

  paint() {
    this.frameAsked = 0;
    if (this.isClosed) return;
    this.scene.paint();
    if (this.board && !this.zoom) this.zoom = createZoom(this.board);
    this.#zoomFor(this.hand.picked !== undefined);
    this.frame.setTitle(this.#title());
    this.tick();
  }

  /** @param {boolean} isPicked Whether a tile is picked up. */
  #zoomFor(isPicked) {
    if (isPicked) this.zoom?.begin(this.focusSquare());
    else if (!document.documentElement.classList.contains('dragging')) this.zoom?.end();
  }

  /** The square around which the player acts. */
  focusSquare() {
    return [...this.hand.tiles.keys()].at(-1) ?? this.table.lastPlay?.squares[0]?.[0] ?? this.table.start;
  }

  /** Paints clocks and deadlines, and asks to be called when the next digit changes. */
  tick() {
    clearTimeout(this.timer);
    if (this.isClosed || !this.table.isKnown) return;
    const now = this.connection.serverNow();
    const nextMs = this.scene.paintTime(now);
    this.news.clock(now);
    const isOut = isOutOfTime(this.table, now);
    if (isOut !== this.wasOut) this.changed();
    this.wasOut = isOut;
    if (Number.isFinite(nextMs)) this.timer = setTimeout(() => this.tick(), Math.max(30, nextMs));
  }

  #title() {
    const texts = words().game;
    const { table } = this;
    if (!table.isKnown) return '';
    const others = table.seats.flatMap((_, seat) => (seat === table.seat ? [] : [nameOf(table, seat)]));
    const name = texts.list(others);
    if (this.isLooking && table.phase === 'ended') return texts.replayOf(name);
    if (table.phase === 'ended') return texts.titleOver(name);
    if (table.onTurn === undefined || table.seat === undefined) return texts.titlePlain(name);
    return table.onTurn === table.seat ? texts.titleYour(name) : texts.titleOther(nameOf(table, table.onTurn), name);
  }

  /**
   * Whether this was pressed a moment ago, so that another press means it.
   *
   * @param {string} what
   */
  isSure(what) {
    return this.sure.what === what && Date.now() < this.sure.until;
  }

  /**
   * Asks for a second press.
   *
   * @param {string} what
   * @param {string} [text] What screen readers say; the strip if nothing.
   */
  askSure(what, text) {
    this.sure = { what, until: Date.now() + SURE_MS };
    setTimeout(() => this.changed(), SURE_MS + 20);
    this.changed();
    this.frame.announce(text ?? plainText(stripOf(this).view.say), true);
  }

  /** The strip in a sentence. */
  readStrip() {
    const { view } = stripOf(this);
    return [plainText(view.say), plainText(view.more ?? ''), this.scene.stripLeft].filter(Boolean).join(', ');
  }

  sayStrip() {
    this.frame.announce(this.readStrip());
  }

  close() {
    this.isClosed = true;
    document.documentElement.classList.remove('in-game', 'dragging');
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frameAsked);
    this.pointer.close();
    this.stream.detach();
    this.sounds.close();
    for (const end of this.ends) end();
  }
}
