// The events of a native record (docs/records.md) in the form in which the protocol tells them, with nothing hidden.

import { bytesToText } from '../bag/base64.js';
import { BLANK_FACE, blankFace } from '../play/faces.js';
import { startName } from '../play/squares.js';

/** Identities of house bots begin so. */
const BOT_IDENTITY = /^bot-/;

/**
 * Reads the events of one record.
 */
export class RecordReader {
  #ruleSet;
  #letters;
  /** @type {number[]} */
  #debts = [];
  /** @type {Protocol.ExchangedTiles[]} */
  #exchanges = [];

  /** @param {Protocol.RuleSetInfo} ruleSet */
  constructor(ruleSet) {
    this.#ruleSet = ruleSet;
    this.#letters = ruleSet.tiles.map(({ face }) => face).filter((face) => face !== BLANK_FACE);
  }

  /**
   * The event of a line; the lines must come in their order.
   *
   * @param {any} line
   * @param {string} game
   * @returns {any}
   */
  event({ seq, at, event }, game) {
    const [[kind, fields]] = Object.entries(event.public ?? event);
    return withoutNulls({ game, seq, at, kind, ...this.#fields(kind, fields, at) });
  }

  /**
   * @param {string} kind
   * @param {any} from
   * @param {number} at
   * @returns {any}
   */
  #fields(kind, from, at) {
    switch (kind) {
      case 'created':
        return { setup: this.#setup(from, at) };
      case 'seat_ready':
        return { ...from, nonce: from.nonce.length > 0 ? bytesToText(from.nonce) : null };
      case 'order_drawn': {
        const rounds = from.rounds.map((/** @type {Array<[number, number]>} */ round) =>
          round.map(([seat, tile]) => ({ seat, tile: this.#face(tile) })),
        );
        return { ...from, rounds };
      }
      case 'bag_shuffled':
        return { label: from.label, count: from.order.length, order: this.#faces(from.order) };
      case 'tiles_drawn':
        return { ...from, count: from.tiles.length, tiles: this.#faces(from.tiles) };
      case 'play_made':
        return this.#play(from);
      case 'exchanged':
        return this.#exchange(from);
      case 'turn_lost':
        this.#debts[from.seat] = Math.max(0, (this.#debts[from.seat] ?? 0) - 1);
        return from;
      case 'challenge_decided':
        return this.#verdict(from);
      case 'ended':
        return this.#end(from);
      default:
        return from;
    }
  }

  /** @param {number} tile */
  #face(tile) {
    return tile === 0 ? BLANK_FACE : (this.#letters[tile - 1] ?? BLANK_FACE);
  }

  /** @param {number[]} tiles */
  #faces(tiles) {
    return tiles.map((tile) => this.#face(tile));
  }

  /**
   * @param {any} from
   * @param {number} at
   * @returns {Protocol.GameSetup}
   */
  #setup(from, at) {
    const { game, options, players, lexicon_hash: hash, commitment } = from;
    const hashes = players.flatMap((/** @type {any} */ { nonce_hash: nonceHash }, /** @type {number} */ seat) =>
      nonceHash ? [{ seat, hash: bytesToText(hexBytes(nonceHash)) }] : [],
    );
    return {
      game,
      options: recordedOptions(options),
      rule_set: this.#ruleSet,
      nonce_hashes: hashes,
      seats: players.map((/** @type {any} */ { identity, name, level }) => ({
        identity,
        name,
        level,
        bot: BOT_IDENTITY.test(identity),
      })),
      lexicon: { name: options.lexicon, hash: bytesToText(hexBytes(hash)) },
      commitment: bytesToText(hexBytes(commitment)),
      created_at: at,
      private: false,
    };
  }

  /** @param {any} from */
  #play(from) {
    const { start, direction, tiles, words, window } = from;
    const faces = tiles.map((/** @type {{ tile: number, letter: number } | null} */ laid) => {
      if (!laid) return '.';
      return laid.tile === 0 ? blankFace(this.#face(laid.letter)) : this.#face(laid.tile);
    });
    const { cols } = this.#ruleSet.board;
    return {
      ...from,
      start: startName(start.row * cols + start.col, direction === 'across', cols),
      direction: null,
      tiles: faces,
      words: words.map((/** @type {any} */ { word, score }) => [word, score]),
      bonus: from.bonus || null,
      window: window && {
        closes_at: window.closes_at,
        eligible: window.eligible,
        final: window.final_clocks ? true : null,
      },
      clocks: window?.final_clocks,
    };
  }

  /** @param {any} from */
  #exchange(from) {
    const tiles = this.#faces(from.tiles);
    this.#exchanges.push({ turn_no: from.turn_no, seat: from.seat, tiles });
    return { ...from, count: tiles.length, tiles };
  }

  /** @param {any} from */
  #verdict({ verdict, points, ...from }) {
    if (verdict === 'stands_turn_lost') this.#debts[from.seat] = (this.#debts[from.seat] ?? 0) + 1;
    return {
      ...from,
      upheld: verdict === 'off' || verdict === 'withdrawn',
      withdrawn: verdict === 'withdrawn',
      points: points.map((/** @type {[number, number]} */ [seat, of]) => ({ seat, points: of })),
      turn_debt: this.#debts[from.seat] ?? 0,
    };
  }

  /** @param {any} from */
  #end(from) {
    const results = from.results.map((/** @type {any} */ result) => ({
      ...result,
      time_penalty: -result.time_penalty || 0,
      rack: this.#faces(result.rack),
    }));
    return { ...from, results, secret: bytesToText(hexBytes(from.secret)), exchanges: this.#exchanges };
  }
}

/**
 * @param {any} from
 * @returns {Protocol.GameOptions}
 */
function recordedOptions({
  rule_set,
  seats,
  lexicon,
  language,
  clock,
  challenge,
  inactivity,
  ties,
  first,
  timing,
  ...more
}) {
  const [[kind, figures]] = typeof clock === 'string' ? [[clock, {}]] : Object.entries(clock);
  const { per_active_seat: perSeat, total } = inactivity.limit;
  return {
    rule_set,
    seats,
    lexicon,
    language,
    ties,
    first: first === 'draw' ? first : 'owner',
    clock: { kind, ...figures },
    challenge: {
      kind: challenge.kind,
      window_ms: challenge.window_ms ?? 0,
      per_word: challenge.points_per === 'word',
      consent: challenge.consent === 'asked',
    },
    end: {
      limit: perSeat ?? total,
      per_seat: perSeat !== undefined,
      counts: inactivity.counts,
      unless_all_zero: inactivity.unless_all_zero,
    },
    vanish_claim_ms: timing?.vanish_claim_ms,
    all_played: more.all_played,
    uncatchable: more.uncatchable,
    spectators: more.spectators,
    vanish: more.vanish,
    hints: more.hints,
  };
}

/** @param {string} text */
function hexBytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * A value without the `null`s of a record, which the protocol does not have.
 *
 * @param {any} value
 * @returns {any}
 */
function withoutNulls(value) {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)]));
}
