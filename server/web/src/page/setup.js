// The setup of the player's next game: rule set, clock, players and all other options. The page keeps it for the next visit.

/** @typedef {Record<string, any>} Options As on the wire, with every default filled in. */
/** @typedef {'blitz' | 'rapid' | 'standard' | 'long' | 'days' | 'none'} Preset */

/** The presets of the clock in the order in which they stand. */
export const PRESETS = /** @type {Preset[]} */ (['blitz', 'rapid', 'standard', 'long', 'days', 'none']);

/** The rule sets that have a button of their own; all others are in the list. */
export const FEATURED_RULE_SETS = ['classic', 'wordfeud', 'words-with-friends', 'super'];

const SETUP_MINUTE_MS = 60_000;
const SETUP_DAY_MS = 86_400_000;
const CORRESPONDENCE_MS = 3_600_000;

/** The choice in the lobby. */
export class Setup {
  /**
   * @param {import('./rulebook.js').Rulebook} rulebook
   * @param {import('../store/settings.js').Settings} settings
   * @param {() => void} onChange
   */
  constructor(rulebook, settings, onChange) {
    this.rulebook = rulebook;
    this.settings = settings;
    this.onChange = onChange;
    /** @type {import('./rulebook.js').RuleSet | undefined} */
    this.rules = undefined;
    /** @type {Options} */
    this.options = {};
    /** @type {string | undefined} */
    this.level = undefined;
    /** @type {Preset | undefined} The preset that the player has chosen, kept when the rule set changes. */
    this.wanted = undefined;
    this.names = /** @type {{ id: string, name: string, languages?: string[] }[]} */ ([]);
    this.lexica = /** @type {{ name: string, language?: string }[]} */ ([]);
    /** Kept when all changes so far are made. @type {Promise<unknown>} */
    this.settled = Promise.resolve();
  }

  /**
   * Makes changes one after the other: a button that the player presses while the server describes a rule set acts on
   * that rule set.
   *
   * @template T
   * @param {() => T | Promise<T>} change
   * @returns {Promise<T>}
   */
  #inTurn(change) {
    const made = this.settled.then(change);
    this.settled = made.catch(() => {});
    return made;
  }

  /**
   * Begins with the options of the last game, or with the first rule set.
   *
   * @param {string} [ruleSet] The one to begin with, from a link.
   */
  open(ruleSet) {
    return this.#inTurn(() => this.#open(ruleSet));
  }

  /** @param {string} ruleSet Begins with the usual options of a rule set. */
  choose(ruleSet) {
    return this.#inTurn(() => this.#choose(ruleSet));
  }

  /**
   * @param {Options} options
   * @param {string} [level]
   */
  use(options, level) {
    return this.#inTurn(() => this.#use(options, level));
  }

  /** @param {string} lexicon */
  setLexicon(lexicon) {
    return this.#inTurn(() => this.#use({ ...this.options, lexicon }, this.level));
  }

  /** @param {Preset} preset */
  setPreset(preset) {
    return this.#inTurn(() => {
      if (!this.rules) return;
      this.wanted = preset;
      this.#setClock(presetClock(preset, this.rules));
      this.onChange();
    });
  }

  /** @param {number} seats */
  setSeats(seats) {
    return this.#inTurn(() => {
      this.options = { ...this.options, seats };
      this.onChange();
    });
  }

  /** Goes back to the usual options, but keeps a preset of the clock and the players. */
  reset() {
    return this.#inTurn(() => {
      const { rules } = this;
      if (!rules) return;
      const clock = this.preset ? this.options.clock : rules.usual.clock;
      const { seats, lexicon } = this.options;
      this.options = { ...structuredClone(rules.usual), seats, lexicon };
      this.#setClock(clock);
      this.onChange();
    });
  }

  /**
   * The body of a seek, when the server has described the rules.
   *
   * @param {{ isPrivate?: boolean }} [more] Whether only those with the link may join and watch.
   * @returns {Promise<import('./seeking.js').Wish>}
   */
  wish({ isPrivate = false } = {}) {
    return this.#inTurn(async () => {
      // The server may have refused to describe them before.
      if (!this.rules) await this.#open();
      // The options can be those of a game of another identity, or have changed since they were chosen.
      if (this.options.rated && this.unrated(this.options)) delete this.options.rated;
      this.settings.set('lastGame', { options: this.options, level: this.level });
      const options = { ...this.options };
      // Everybody may watch a rated game.
      if (isPrivate) delete options.rated;
      return this.level === undefined ? { options } : { options, level: this.level };
    });
  }

  /** @param {string} [ruleSet] */
  async #open(ruleSet) {
    this.names = await this.rulebook.names();
    this.lexica = this.rulebook.connection.hello?.lexica ?? [];
    const last = this.settings.get('lastGame');
    const isKnown = (/** @type {string | undefined} */ id) => this.names.some((name) => name.id === id);
    const id = [ruleSet, last?.options?.rule_set, 'classic'].find(isKnown) ?? this.names[0]?.id;
    if (id === undefined) return;
    await this.#choose(id);
    if (!last || last.options?.rule_set !== id) return;
    if (this.lexica.some(({ name }) => name === last.options.lexicon)) await this.#use(last.options, last.level);
  }

  /** @param {string} ruleSet */
  async #choose(ruleSet) {
    const { language } = this.lexica.find(({ name }) => name === this.options.lexicon) ?? {};
    const fits = this.names.find(({ id }) => id === ruleSet)?.languages?.includes(language ?? '');
    const rules = await this.rulebook.get(ruleSet, fits ? language : undefined);
    this.rules = rules;
    const seats = Math.min(Math.max(this.options.seats ?? rules.usual.seats, rules.min_seats), rules.max_seats);
    const lexicon = fits ? this.options.lexicon : rules.usual.lexicon;
    this.options = { ...structuredClone(rules.usual), seats, lexicon };
    this.level = rules.targets ? this.level ?? 'intermediate' : undefined;
    const preset = this.wanted ?? (isPerMove(rules.usual.clock) ? 'days' : undefined);
    if (preset) this.#setClock(presetClock(preset, rules));
    this.onChange();
  }

  /**
   * @param {Options} options
   * @param {string} [level]
   */
  async #use(options, level) {
    const language = this.lexica.find(({ name }) => name === options.lexicon)?.language;
    if (language && language !== this.rules?.rule_set.language) {
      this.rules = await this.rulebook.get(options.rule_set, language);
    }
    this.options = { ...options, language };
    if (language === undefined) delete this.options.language;
    if (this.rules?.targets) this.level = level ?? this.level ?? 'intermediate';
    this.onChange();
  }

  /** The preset whose clock is chosen, if one is. */
  get preset() {
    const { rules } = this;
    return rules && PRESETS.find((preset) => isSameOption(presetClock(preset, rules), this.options.clock));
  }

  /** The lexica that the rule set has tiles for. */
  get fittingLexica() {
    const languages = this.rules?.languages ?? [];
    return this.lexica.filter(({ language }) => language === undefined || languages.includes(language));
  }

  /** The paths of the options that are not the usual ones; clock, players and lexicon do not count. */
  get unusual() {
    const { rules } = this;
    if (!rules) return [];
    const own = this.preset ? [] : ['clock'];
    const window = withWindowOf(rules.usual.challenge, this.options.clock, rules);
    const usual = { ...rules.usual, challenge: window };
    const names = Object.keys({ ...usual, ...this.options });
    const free = ['clock', 'seats', 'lexicon', 'language', 'rule_set'];
    return [...own, ...names.filter((name) => !free.includes(name) && !isSameOption(usual[name], this.options[name]))];
  }

  /** Whether the server can check the words in place of the challenges, which are the usual ones of the rule set. */
  get canCheckWords() {
    return (this.rules?.challenges.includes('void') ?? false) && !this.unusual.includes('challenge');
  }

  /**
   * Why a game with these options cannot be rated, as in `not_rateable` (P-LOBBY-19); nothing if it can be.
   *
   * @param {Options} options
   */
  unrated({ seats, challenge, clock }) {
    if (!this.rulebook.connection.isRegistered) return 'guest';
    if (seats !== 2) return 'not_two_seats';
    if (this.rules?.rule_set?.board.drawn) return 'dealt_board';
    if (challenge?.consent) return 'consent';
    if (clock?.kind === 'untimed') return 'untimed';
    return isTooFast(clock) ? 'too_fast' : undefined;
  }

  /** @param {Options} clock */
  #setClock(clock) {
    const rules = /** @type {import('./rulebook.js').RuleSet} */ (this.rules);
    const before = withWindowOf(rules.usual.challenge, this.options.clock, rules);
    const isUsual = isSameOption(before, this.options.challenge);
    const challenge = isUsual ? withWindowOf(rules.usual.challenge, clock, rules) : this.options.challenge;
    this.options = { ...this.options, clock: { ...clock }, challenge };
  }
}

/**
 * Whether a clock leaves each player less than a minute for a game of 16 turns: too little for a rated one (P-LOBBY-19).
 *
 * @param {Options | undefined} clock
 */
function isTooFast({ initial_ms = 0, cap_ms = 0, bank_ms = 0, increment_ms = 0, delay_ms = 0, limit_ms = 0 } = {}) {
  return initial_ms + cap_ms + bank_ms + 16 * (increment_ms + delay_ms + limit_ms) < 60_000;
}

/**
 * The usual challenge rule beside a clock. In a game over days a play can be challenged until the next one.
 *
 * @param {Options} challenge
 * @param {Options} clock
 * @param {import('./rulebook.js').RuleSet} rules
 */
function withWindowOf(challenge, clock, rules) {
  const isSlow = isPerMove(clock) && clock.limit_ms >= CORRESPONDENCE_MS;
  if (!isSlow || challenge.kind === 'void' || isPerMove(rules.usual.clock)) return challenge;
  return { ...challenge, window_ms: 0 };
}

/** @param {Options} clock */
function isPerMove(clock) {
  return clock.kind === 'per_move';
}

/**
 * The clock of a preset. Where the rule set's own clock is of this kind, it is that one.
 *
 * @param {Preset} preset
 * @param {import('./rulebook.js').RuleSet} rules
 * @returns {Options}
 */
export function presetClock(preset, { usual }) {
  const overtime = (/** @type {number} */ minutes) => (
    { kind: 'overtime', initial_ms: minutes * SETUP_MINUTE_MS, penalty_per_minute: 10, cap_ms: 10 * SETUP_MINUTE_MS });
  switch (preset) {
    case 'blitz': return { kind: 'increment', initial_ms: 3 * SETUP_MINUTE_MS, increment_ms: 2000 };
    case 'rapid': return { kind: 'increment', initial_ms: 10 * SETUP_MINUTE_MS, increment_ms: 5000 };
    case 'standard': return usual.clock.initial_ms === 25 * SETUP_MINUTE_MS ? usual.clock : overtime(25);
    case 'long': return overtime(45);
    case 'days': {
      const threeDays = { kind: 'per_move', limit_ms: 3 * SETUP_DAY_MS, bank_ms: 0 };
      return isPerMove(usual.clock) ? usual.clock : threeDays;
    }
    default: return { kind: 'untimed' };
  }
}

/**
 * Whether two values of an option are the same.
 *
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
export function isSameOption(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return (a ?? false) === (b ?? false);
  return Object.keys({ ...a, ...b }).every((name) => isSameOption(a[name], b[name]));
}
