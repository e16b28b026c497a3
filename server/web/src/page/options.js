// All options of a game in a dialog. The ranges are those of the protocol (P-LOBBY-9).

import { askCriteria } from './criteria.js';
import { optionsForm } from '../view/optionsform.js';
import { refusedText, words } from '../text/words.js';

const OPTION_SECOND_MS = 1000;
const OPTION_MINUTE_MS = 60_000;
const OPTION_HOUR_MS = 3_600_000;

/** @typedef {import('../view/optionsform.js').OptionField} OptionField */
/** @typedef {Record<string, any>} GameOptions */

/**
 * Shows the options of the setup, and takes over what the player has chosen.
 *
 * @param {import('../view/frame.js').Frame} frame
 * @param {import('./setup.js').Setup} setup
 * @param {import('./seeking.js').Seeking} [seeking] If it is there, the player can also offer the game to certain players.
 */
export async function askOptions(frame, setup, seeking) {
  const { rules, options, level } = setup;
  if (!rules) return;
  const { setup: { form: texts }, criteria } = words().pages;
  const { bar } = words().lobby;
  const fields = [...wordFields(setup), ...clockFields(), ...challengeFields(rules), ...endFields(), ...otherFields(setup)];
  const form = optionsForm(fields, level === undefined ? options : { ...options, level }, rules.usual);
  const chosen = await frame.dialog({
    title: texts.title, body: form.node, wide: true,
    actions: [
      { label: bar.cancel, kind: 'flat' },
      ...(seeking ? [{ label: criteria.open, value: 'criteria', check: () => form.check() }] : []),
      { label: texts.apply, value: 'use', kind: 'go', check: () => form.check() },
    ],
  });
  if (!chosen) return;
  const { level: newLevel, ...all } = form.value();
  if (all.spectators && !all.spectators.delay_ms) delete all.spectators;
  if (!all.hints) delete all.hints;
  await setup.use(all, newLevel);
  if (chosen === 'criteria' && seeking) await askCriteria(frame, setup, seeking);
}

/**
 * The description of a game, with what follows when a player stays away, unless it is the usual claim.
 *
 * @param {string} about
 * @param {Record<string, any>} options As on the wire.
 * @returns {string}
 */
export function withVanish(about, { vanish }) {
  const { options, values } = words().pages.setup;
  const follows = vanish && values[vanish];
  return follows ? `${about}. ${options.vanish[0]}: ${follows}.` : about;
}

/**
 * The words and labels of a choice.
 *
 * @param {string[]} values
 */
function choicesOf(values) {
  const { values: names } = words().pages.setup;
  return values.map((value) => [value, names[value] ?? value]);
}

/**
 * @param {import('./setup.js').Setup} setup
 * @returns {OptionField[]}
 */
function wordFields({ fittingLexica, rules }) {
  const { languages } = words().pages.setup;
  const lexica = fittingLexica.map(({ name, language }) => [
    name, language ? `${name} (${languages[language] ?? language})` : name,
  ]);
  const levels = choicesOf(['beginner', 'intermediate', 'expert']);
  return [
    { path: 'lexicon', group: 'words', kind: 'select', choices: lexica },
    { path: 'level', group: 'words', kind: 'select', choices: levels, when: () => rules?.targets !== undefined },
  ];
}

/** @returns {OptionField[]} */
function clockFields() {
  const { form } = words().pages.setup;
  const kinds = choicesOf(['overtime', 'sudden_death', 'increment', 'delay', 'per_move', 'untimed']);
  /**
   * @param {string} name
   * @param {Partial<OptionField>} more
   * @param {string[]} on The kinds of clocks that have it.
   * @returns {OptionField}
   */
  const clock = (name, more, on) => ({
    path: `clock.${name}`, group: 'clock', kind: 'number', ...more,
    when: (options) => on.includes(options.clock.kind),
  });
  const minutes = { unit: form.minutes, scale: OPTION_MINUTE_MS };
  const seconds = { unit: form.seconds, scale: OPTION_SECOND_MS };
  const hours = { unit: form.hours, scale: OPTION_HOUR_MS };
  const timed = ['overtime', 'sudden_death', 'increment', 'delay'];
  return [
    { path: 'clock.kind', group: 'clock', kind: 'select', choices: kinds },
    clock('initial_ms', { ...minutes, min: 0.1, max: 1440, initial: 25 * OPTION_MINUTE_MS }, timed),
    clock('increment_ms', { ...seconds, max: 3600, initial: 10 * OPTION_SECOND_MS }, ['increment']),
    clock('delay_ms', { ...seconds, max: 3600, initial: 5 * OPTION_SECOND_MS }, ['delay']),
    clock('penalty_per_minute', { unit: form.points, max: 1000, initial: 10 }, ['overtime']),
    clock('cap_ms', { ...minutes, max: 1440, initial: 10 * OPTION_MINUTE_MS }, ['overtime']),
    clock('limit_ms', { ...hours, min: 0.01, max: 8784, initial: 72 * OPTION_HOUR_MS }, ['per_move']),
    clock('bank_ms', { ...hours, max: 8784, initial: 0 }, ['per_move']),
  ];
}

/**
 * @param {import('./rulebook.js').RuleSet} rules
 * @returns {OptionField[]}
 */
function challengeFields(rules) {
  const { form } = words().pages.setup;
  const kind = (/** @type {GameOptions} */ options) => options.challenge.kind;
  return [
    { path: 'challenge.kind', group: 'challenge', kind: 'select', choices: choicesOf(rules.challenges) },
    {
      path: 'challenge.window_ms', group: 'challenge', kind: 'number', unit: form.seconds, scale: OPTION_SECOND_MS,
      max: 60, initial: 20 * OPTION_SECOND_MS, when: (options) => kind(options) !== 'void',
    },
    {
      path: 'challenge.per_word', group: 'challenge', kind: 'check', initial: false,
      when: (options) => ['five_point', 'ten_point'].includes(kind(options)),
    },
    {
      path: 'challenge.consent', group: 'challenge', kind: 'check', initial: false,
      when: (options) => !['void', 'triple'].includes(kind(options)),
    },
  ];
}

/** @returns {OptionField[]} */
function endFields() {
  const { form } = words().pages.setup;
  const counts = choicesOf(['scoreless', 'passes', 'without_score']);
  const isVoid = (/** @type {GameOptions} */ { challenge }) => challenge.kind === 'void';
  return [
    { path: 'end.limit', group: 'end', kind: 'number', unit: form.turns, min: 1, max: 100, initial: 3 },
    { path: 'end.per_seat', group: 'end', kind: 'check', initial: false },
    { path: 'end.counts', group: 'end', kind: 'select', choices: counts },
    { path: 'end.unless_all_zero', group: 'end', kind: 'check', initial: false },
    { path: 'all_played', group: 'end', kind: 'check', initial: false, when: isVoid },
    {
      path: 'uncatchable', group: 'end', kind: 'check', initial: false,
      when: (options) => isVoid(options) && options.seats === 2,
    },
    { path: 'ties', group: 'end', kind: 'select', choices: choicesOf(['before_adjustment', 'stand']) },
  ];
}

/**
 * @param {import('./setup.js').Setup} setup
 * @returns {OptionField[]}
 */
function otherFields(setup) {
  const { form } = words().pages.setup;
  const isLate = (/** @type {GameOptions} */ options) => options.spectators?.delay_ms >= OPTION_MINUTE_MS;
  const isLive = (/** @type {GameOptions} */ { clock }) =>
    clock.kind !== 'untimed' && !(clock.kind === 'per_move' && clock.limit_ms >= OPTION_HOUR_MS);
  const unrated = (/** @type {GameOptions} */ options) => {
    const reason = setup.unrated(options);
    return reason && refusedText({ code: 'not_rateable', detail: { reason } });
  };
  return [
    { path: 'rated', group: 'other', kind: 'check', initial: false, off: unrated },
    { path: 'hints', group: 'other', kind: 'number', max: 8, initial: 0, when: ({ rated }) => !rated },
    {
      path: 'vacation', group: 'other', kind: 'check', initial: false,
      when: ({ clock }) => clock.kind === 'per_move' && clock.limit_ms >= OPTION_HOUR_MS,
    },
    { path: 'first', group: 'other', kind: 'select', choices: choicesOf(['draw', 'owner']) },
    {
      path: 'vanish_claim_ms', group: 'other', kind: 'number', unit: form.seconds, scale: OPTION_SECOND_MS,
      max: 366 * 86_400, initial: OPTION_MINUTE_MS,
    },
    {
      path: 'vanish', group: 'other', kind: 'select', choices: choicesOf(['claim', 'adjourn', 'play_on']), initial: 'claim',
      when: isLive,
    },
    {
      path: 'spectators.delay_ms', group: 'other', kind: 'number', unit: form.minutes, scale: OPTION_MINUTE_MS, max: 60,
      initial: 0,
    },
    { path: 'spectators.racks', group: 'other', kind: 'check', initial: false, when: isLate },
  ];
}
