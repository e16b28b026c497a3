// The card in which the player chooses the next game: rules, time, players.

import { el, icon, setAttribute, setText } from './dom.js';
import { fillSelect, segments, valueOfEvent } from './choices.js';
import { words } from '../text/words.js';

/**
 * @typedef {{
 *   rules(id: string): void, lexicon(name: string): void, preset(preset: string): void, seats(count: number): void,
 *   find(): void, invite(): void, more(): void, reset(): void,
 * }} NewGameActs
 *
 * @typedef {{
 *   names: { id: string, name: string }[], featured: string[], ruleSet: string, lexica: { name: string }[],
 *   lexicon: string, presets: string[], preset?: string, days: number, seats: number, minSeats: number,
 *   maxSeats: number, unusual: string, isBusy: boolean,
 * }} NewGameView
 */

/** The form of a new game. It shows a view and calls its acts. */
export class NewGameCard {
  /** @param {NewGameActs} acts */
  constructor(acts) {
    const { setup } = words().lobby;
    this.acts = acts;
    this.ruleList = /** @type {HTMLSelectElement} */ (el('select', {
      class: 'quiet', 'aria-label': setup.allRules, onchange: () => this.ruleList.value && acts.rules(this.ruleList.value),
    }));
    this.rules = segments('rules', (value) => acts.rules(value));
    this.lexica = /** @type {HTMLSelectElement} */ (el('select', {
      class: 'field', onchange: () => acts.lexicon(this.lexica.value),
    }));
    this.lexiconRow = el('label', { hidden: true }, el('span', { class: 'label', text: setup.lexicon }), this.lexica);
    const choose = (/** @type {Event} */ event) => acts.preset(valueOfEvent(event));
    this.times = el('div', { class: 'times', onchange: choose });
    this.players = segments('players', (value) => acts.seats(Number(value)));
    this.about = /** @type {HTMLAnchorElement} */ (el('a', { class: 'text-link small', text: setup.about }));
    this.unusual = el('span', {});
    this.custom = el(
      'p', { class: 'custom small', hidden: true }, this.unusual,
      el('button', { class: 'text-link', type: 'button', text: setup.reset, onclick: () => acts.reset() }),
    );
    this.go = /** @type {HTMLButtonElement} */ (el('button', { class: 'btn go wide tall', text: setup.find }));
    this.waiting = el('ul', { class: 'waiting' });
    this.node = this.#layout();
  }

  /** @param {NewGameView} view */
  show(view) {
    const { setup, shortRuleSets } = words().lobby;
    const featured = view.featured.flatMap((id) => view.names.filter((name) => name.id === id));
    const shown = featured.length < 2 ? [] : featured;
    // Those with a button are not in the list, which says what it is for while one of them is chosen.
    const others = view.names.filter((name) => !shown.includes(name)).map(({ id, name }) => [id, name]);
    const isShown = shown.some(({ id }) => id === view.ruleSet);
    fillSelect(this.ruleList, isShown ? [['', setup.moreRules], ...others] : others, isShown ? '' : view.ruleSet);
    setAttribute(this.ruleList, 'hidden', others.length === 0);
    this.rules.show(shown.map(({ id, name }) => [id, shortRuleSets[id] ?? name]), view.ruleSet);
    setAttribute(this.rules.node, 'hidden', shown.length === 0);
    fillSelect(this.lexica, view.lexica.map(({ name }) => [name, name]), view.lexicon);
    setAttribute(this.lexiconRow, 'hidden', view.lexica.length < 2);
    this.#showTimes(view);
    const counts = [2, 3, 4].filter((count) => count <= Math.max(4, view.maxSeats));
    this.players.show(counts.map((count) => [String(count), String(count)]), String(view.seats));
    this.players.disable((value) => Number(value) < view.minSeats || Number(value) > view.maxSeats);
    setAttribute(this.about, 'href', `/rules/${encodeURIComponent(view.ruleSet)}`);
    setText(this.unusual, `${setup.custom}: ${view.unusual}`);
    setAttribute(this.custom, 'hidden', view.unusual === '');
    setAttribute(this.go, 'disabled', view.isBusy || view.ruleSet === '');
  }

  /** @param {NewGameView} view */
  #showTimes({ presets, preset, days }) {
    const { setup } = words().lobby;
    const key = `${presets} ${days}`;
    if (this.times.dataset.key !== key) {
      this.times.dataset.key = key;
      this.times.replaceChildren(...presets.map((name) => {
        const text = /** @type {Record<string, any>} */ (setup.presets)[name];
        const [main, below] = typeof text === 'function' ? text(days) : text;
        const hint = /** @type {Record<string, string>} */ (setup.presetHint)[name];
        return el(
          'label', { title: hint ?? false }, el('input', { type: 'radio', name: 'time', value: name }),
          el('b', { text: main }), el('span', { text: below }),
        );
      }));
    }
    for (const input of this.times.querySelectorAll('input')) input.checked = input.value === preset;
  }

  #layout() {
    const { setup } = words().lobby;
    const { acts } = this;
    /** @param {string} name @param {string} text @param {...HTMLElement} choices */
    const group = (name, text, ...choices) => el(
      'div', { class: name, role: 'group', 'aria-labelledby': `new-${name}` },
      el('span', { class: 'label', id: `new-${name}`, text }), ...choices);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      acts.find();
    };
    return el(
      'form', { class: 'card new', onsubmit: submit, 'aria-labelledby': 'new-title' },
      el('header', {}, el('h2', { id: 'new-title', text: setup.title }), this.about),
      el(
        'div', { class: 'left' }, group('rules', setup.rules, this.ruleList, this.rules.node), this.lexiconRow,
        group('players', setup.players, this.players.node),
      ),
      el('div', { class: 'right' }, group('time', setup.time, this.times)),
      this.custom, this.go,
      el(
        'div', { class: 'two' },
        el('button', { class: 'btn', type: 'button', onclick: () => acts.invite() }, icon('link'), setup.invite),
        el('button', { class: 'btn', type: 'button', onclick: () => acts.more() }, icon('gear'), setup.more),
      ),
      this.waiting,
    );
  }
}
