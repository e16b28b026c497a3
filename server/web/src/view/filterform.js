// The filters of finished games, behind a fold that names those that are set.

import { el, setAttribute } from './dom.js';
import { words } from '../text/words.js';

/** @typedef {import('../model/archive.js').Filters} Filters */

/**
 * @typedef {{
 *   ruleSets: { id: string, name: string }[], lexica: { name: string }[], pools: string[],
 *   poolName: (pool: string) => string,
 * }} FilterChoices
 */

/**
 * @param {Filters} filters Those that are set.
 * @param {FilterChoices} choices
 * @param {(filters: Filters) => void} show
 */
export function filterForm(filters, choices, show) {
  const { filter: texts } = words().archive;
  const fields = fieldsOf(filters, choices);
  const whose = fields.whose.input;
  const settle = () => {
    setAttribute(fields.player.node, 'hidden', whose.value !== 'player');
    for (const name of ['opponent', 'result', 'score_min', 'score_max']) {
      setAttribute(fields[name].node, 'hidden', whose.value === 'all');
    }
  };
  whose.addEventListener('change', settle);
  settle();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const player = { me: 'me', player: fields.player.input.value.trim() || 'me', all: '' }[whose.value] ?? 'me';
    const set = Object.entries(fields).filter(([name, { node, input }]) => (
      name !== 'whose' && name !== 'player' && !node.hidden && input.value !== ''));
    show({ player, ...Object.fromEntries(set.map(([name, { input }]) => [name, input.value.trim()])) });
  };
  const named = Object.entries(filters).filter(([name, value]) => name !== 'player' && fields[name] && value !== '')
    .map(([name, value]) => (name === 'rated' ? '' : `${fields[name].label}: `) + fields[name].shown(value));
  const isSet = named.length > 0 || filters.player !== 'me';
  const clear = isSet && el('button', {
    class: 'btn', type: 'button', text: texts.clear, onclick: () => show({ player: 'me' }),
  });
  return el(
    'details', { class: 'card fold' }, el('summary', {}, [texts.title, ...named].join(' · ')),
    el(
      'form', { class: 'form padded', onsubmit: submit },
      el('div', { class: 'filters' }, ...Object.values(fields).map(({ node }) => node)),
      el('div', { class: 'acts-row' }, el('button', { class: 'btn go', text: texts.show }), clear)));
}

/**
 * @typedef {{ label: string, node: HTMLElement, input: HTMLInputElement, shown: (value: string) => string }} FilterField
 */

/**
 * @param {Filters} filters
 * @param {FilterChoices} choices
 * @returns {Record<string, FilterField>}
 */
function fieldsOf(filters, { ruleSets, lexica, pools, poolName }) {
  const { filter: texts, results, reasons } = words().archive;
  const { player = '' } = filters;
  const whose = player === 'me' ? 'me' : player === '' ? 'all' : 'player';
  const input = (/** @type {string} */ name, /** @type {string} */ label, /** @type {Record<string, any>} */ more) => (
    fieldOf(label, 'input', { value: filters[name], autocomplete: 'off', ...more }, []));
  const list = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ values) => {
    const value = filters[name];
    const isKnown = !value || values.some(([known]) => known === value);
    const all = /** @type {[string, string][]} */ ([['', texts.any], ...values, ...(isKnown ? [] : [[value, value]])]);
    return fieldOf(label, 'select', {}, all, value ?? '');
  };
  const handle = { maxlength: 64, autocapitalize: 'none', spellcheck: 'false' };
  const score = { type: 'number', min: -9999, max: 9999, step: 1, inputmode: 'numeric' };
  return {
    whose: fieldOf(
      texts.whose, 'select', {}, [['me', texts.mine], ['player', texts.player], ['all', texts.everybody]], whose),
    player: fieldOf(texts.handle, 'input', { ...handle, value: whose === 'player' ? player : undefined }, []),
    opponent: input('opponent', texts.opponent, handle),
    result: list('result', texts.result, Object.entries(results)),
    rule_set: list('rule_set', texts.ruleSet, ruleSets.map(({ id, name }) => [id, name])),
    lexicon: list('lexicon', texts.lexicon, lexica.map(({ name }) => [name, name])),
    rated: list('rated', texts.rated, [['true', texts.yes], ['false', texts.no]]),
    pool: list('pool', texts.pool, pools.map((pool) => [pool, poolName(pool)])),
    reason: list('reason', texts.reason, Object.entries(reasons)),
    from: input('from', texts.from, { type: 'date' }),
    until: input('until', texts.until, { type: 'date' }),
    score_min: input('score_min', texts.scoreMin, score),
    score_max: input('score_max', texts.scoreMax, score),
  };
}

/**
 * @param {string} label
 * @param {'input' | 'select'} tag
 * @param {Record<string, any>} attributes
 * @param {[string, string][]} values Of a list.
 * @param {string} [chosen]
 * @returns {FilterField}
 */
function fieldOf(label, tag, attributes, values, chosen) {
  const options = values.map(([value, text]) => el('option', { value, text, selected: value === chosen }));
  const input = /** @type {HTMLInputElement} */ (el(tag, { class: 'field', ...attributes }, ...options));
  const node = el('label', {}, el('span', { class: 'label', text: label }), input);
  return { label, node, input, shown: (value) => values.find(([known]) => known === value)?.[1] ?? value };
}
