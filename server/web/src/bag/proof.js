// Recomputes every draw of a finished game from the secret that the server has revealed (P-BAG). What a player was not
// shown is not compared, but whoever has the native record sees all of it.

import { BLANK_FACE, tileOfFace } from '../play/faces.js';
import { laidSquares, squareOf } from '../play/squares.js';
import { bytesOfText } from './base64.js';
import { chacha20Stream, shuffledBy } from './chacha20.js';
import { sha256 } from './sha256.js';

/**
 * @typedef {'incomplete' | 'no_secret' | 'commitment' | 'nonce' | 'board' | 'order' | 'bag' | 'draw' | 'exchange' |
 * 'rack'} BagFault
 */

/**
 * @typedef {object} BagProof
 * @property {boolean} ok
 * @property {number} draws How many draws were proved.
 * @property {{ seq: number, what: BagFault }} [problem] The first event that differs.
 */

/** A difference, which ends the proof. */
class BagProblem extends Error {
  /**
   * @param {number} seq
   * @param {BagFault} what
   */
  constructor(seq, what) {
    super(what);
    this.problem = { seq, what };
  }
}

/**
 * Checks the bag of a game.
 *
 * @param {readonly any[]} events All events of a finished game, from the first one on; `bag_shuffled` can have the
 * `order` that a record knows.
 * @param {Protocol.GameSetup} [announced] The setup that the players saw before the first draw; the events must begin
 * with the same.
 * @returns {BagProof}
 */
export function proveBag(events, announced) {
  const proof = new BagCheck();
  try {
    proof.prepare(events);
    if (announced) proof.compare(events[0], announced);
    for (const event of events) proof.take(event);
    return { ok: true, draws: proof.draws };
  } catch (error) {
    if (!(error instanceof BagProblem)) throw error;
    return { ok: false, draws: proof.draws, problem: error.problem };
  }
}

/**
 * The tiles of a bag in the order in which they are drawn.
 *
 * @param {Uint8Array} seed
 * @param {string} label
 * @param {readonly string[]} tiles In the order of the alphabet, blanks last.
 */
export function mixedTiles(seed, label, tiles) {
  return shuffledBy(chacha20Stream(sha256(joinedBytes([seed, new TextEncoder().encode(label)]))), tiles);
}

/**
 * The seed of a game: secret, id and nonces of all seats.
 *
 * @param {Uint8Array} secret
 * @param {string} game
 * @param {readonly Uint8Array[]} nonces
 */
export function bagSeed(secret, game, nonces) {
  const parts = nonces.flatMap((nonce) => [Uint8Array.of(nonce.length), nonce]);
  return sha256(joinedBytes([secret, new TextEncoder().encode(game), ...parts]));
}

/** The bag and the racks as they must have been, event by event. */
class BagCheck {
  draws = 0;
  /** @type {Protocol.GameSetup} */
  #setup = /** @type {any} */ (undefined);
  /** @type {Uint8Array} */
  #seed = /** @type {Uint8Array} */ (new Uint8Array());
  /** @type {string[]} */
  #alphabet = [];
  /** @type {string[]} */
  #bag = [];
  /** @type {string[]} */
  #aside = [];
  /** @type {string[][]} */
  #racks = [];
  #exchanges = 0;
  /** @type {Protocol.ExchangedTiles[]} */
  #exchanged = [];
  /** @type {{ seat: number, tiles: string[] }} */
  #lastPlay = { seat: 0, tiles: [] };

  /**
   * Finds the seed, and compares what was committed to.
   *
   * @param {readonly any[]} events
   */
  prepare(events) {
    const [created, ended] = [events[0], events[events.length - 1]];
    const hole = events.findIndex(({ seq }, i) => seq !== i + 1);
    if (created?.kind !== 'created' || ended.kind !== 'ended' || hole >= 0)
      throw new BagProblem(hole + 1, 'incomplete');
    if (!ended.secret) throw new BagProblem(ended.seq, 'no_secret');
    this.#setup = created.setup;
    const secret = bytesOfText(ended.secret);
    if (!isSameBytes(sha256(secret), this.#setup.commitment)) throw new BagProblem(ended.seq, 'commitment');
    const nonces = this.#setup.seats.map(() => /** @type {Uint8Array} */ (new Uint8Array()));
    for (const { seq, kind, seat, nonce } of events) {
      if (kind !== 'seat_ready' || !nonce) continue;
      nonces[seat] = bytesOfText(nonce);
      const announced = this.#setup.nonce_hashes.find((other) => other.seat === seat)?.hash;
      if (!announced || !isSameBytes(sha256(nonces[seat]), announced)) throw new BagProblem(seq, 'nonce');
    }
    this.#seed = bagSeed(secret, this.#setup.game, nonces);
    this.#exchanged = ended.exchanges ?? [];
    const { tiles } = this.#setup.rule_set;
    const letters = tiles.filter(({ face }) => face !== BLANK_FACE);
    const inOrder = [...letters, ...tiles.filter(({ face }) => face === BLANK_FACE)];
    this.#alphabet = inOrder.map(({ face }) => face);
    this.#bag = inOrder.flatMap(({ face, count }) => Array(count).fill(face));
    this.#racks = this.#setup.seats.map(() => []);
  }

  /**
   * Compares what was promised with what the events say was promised.
   *
   * @param {{ seq: number }} created
   * @param {Protocol.GameSetup} announced
   */
  compare(created, { game, commitment, nonce_hashes: hashes }) {
    const told = this.#setup;
    this.#check(created, 'commitment', told.game === game && told.commitment === commitment);
    const isSame = (/** @type {Protocol.NonceHash} */ { seat, hash }) =>
      told.nonce_hashes.some((other) => other.seat === seat && other.hash === hash);
    this.#check(created, 'nonce', told.nonce_hashes.length === hashes.length && hashes.every(isSame));
  }

  /** @param {any} event */
  take(event) {
    switch (event.kind) {
      case 'board_drawn':
        return this.#check(event, 'board', this.#drawnLayout().join() === event.layout.join());
      case 'order_drawn':
        return this.#orderDrawn(event);
      case 'bag_shuffled':
        return this.#shuffled(event);
      case 'tiles_drawn':
        return this.#drawn(event);
      case 'exchanged':
        return this.#gaveBack(event);
      case 'play_made': {
        const tiles = laidSquares(event.start, event.tiles, this.#setup.rule_set.board.cols).map(([, face]) =>
          tileOfFace(face),
        );
        this.#lastPlay = { seat: event.seat, tiles };
        return this.#takeFromRack(event, tiles);
      }
      case 'challenge_decided':
        return void (event.upheld && this.#racks[this.#lastPlay.seat].push(...this.#lastPlay.tiles));
      case 'ended': {
        const isSame = (/** @type {Protocol.SeatResult} */ { seat, rack }) =>
          this.#sorted(rack).join() === this.#sorted(this.#racks[seat]).join();
        return this.#check(event, 'rack', event.results.every(isSame));
      }
    }
  }

  /**
   * @param {{ seq: number }} event
   * @param {BagFault} what
   * @param {boolean} holds
   */
  #check({ seq }, what, holds) {
    if (!holds) throw new BagProblem(seq, what);
  }

  /** @param {readonly string[]} tiles */
  #sorted(tiles) {
    return [...tiles].sort((a, b) => this.#alphabet.indexOf(a) - this.#alphabet.indexOf(b));
  }

  #drawnLayout() {
    const { layout, start, cols } = this.#setup.rule_set.board;
    const symbols = [...layout.join('')];
    const fixed = squareOf(start, cols) ?? 0;
    const [middle] = symbols.splice(fixed, 1);
    const mixed = mixedTiles(this.#seed, 'layout', symbols);
    mixed.splice(fixed, 0, middle);
    return layout.map((_, row) => mixed.slice(row * cols, (row + 1) * cols).join(''));
  }

  /** @param {Protocol.OrderDrawnEvent} event */
  #orderDrawn(event) {
    event.rounds.forEach((drawn, i) => {
      const mixed = mixedTiles(this.#seed, `order/${i + 1}`, this.#bag);
      this.#check(
        event,
        'order',
        drawn.every(({ tile }, place) => tile === mixed[place]),
      );
      this.draws++;
    });
  }

  /** @param {Protocol.BagShuffledEvent & { order?: string[] }} event */
  #shuffled(event) {
    const label = this.#exchanges > 0 ? `exchange/${this.#exchanges}` : 'bag';
    this.#bag = mixedTiles(this.#seed, label, this.#sorted([...this.#bag, ...this.#aside]));
    this.#aside = [];
    const isSame = event.label === label && event.count === this.#bag.length;
    this.#check(event, 'bag', isSame && (!event.order || event.order.join() === this.#bag.join()));
  }

  /** @param {Protocol.TilesDrawnEvent} event */
  #drawn(event) {
    const tiles = this.#bag.splice(0, event.count);
    const isSame = tiles.length === event.count && this.#bag.length === event.bag;
    this.#check(event, 'draw', isSame && (!event.tiles || event.tiles.join() === tiles.join()));
    this.#racks[event.seat].push(...tiles);
    this.draws++;
  }

  /** @param {Protocol.ExchangedEvent} event */
  #gaveBack(event) {
    const revealed = this.#exchanged.find(
      (other) => other.turn_no === event.turn_no && other.seat === event.seat,
    )?.tiles;
    const tiles = revealed ?? event.tiles ?? [];
    const isSame =
      tiles.length === event.count && this.#sorted(event.tiles ?? tiles).join() === this.#sorted(tiles).join();
    this.#check(event, 'exchange', isSame);
    this.#takeFromRack(event, tiles);
    this.#aside.push(...tiles);
    this.#exchanges++;
  }

  /**
   * @param {{ seq: number, seat: number }} event
   * @param {readonly string[]} tiles
   */
  #takeFromRack(event, tiles) {
    const rack = this.#racks[event.seat];
    for (const tile of tiles) {
      const at = rack.indexOf(tile);
      this.#check(event, 'rack', at >= 0);
      rack.splice(at, 1);
    }
  }
}

/** @param {readonly Uint8Array[]} parts */
function joinedBytes(parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/**
 * @param {Uint8Array} bytes
 * @param {string} text base64url
 */
function isSameBytes(bytes, text) {
  return bytes.join() === bytesOfText(text).join();
}
