// The form of all options of a game, each with an explanation and a mark where it is not the usual choice.

import { el, setAttribute, setText } from './dom.js';
import { fillSelect } from './choices.js';
import { words } from '../text/words.js';

/**
 * One option: where it stands in the options, how it is chosen, and when it can be; `off` says why it cannot be now. A
 * number is shown in `unit`, of which one is `scale` of the protocol's.
 *
 * @typedef {{
 *   path: string, group: string, kind: 'select' | 'number' | 'check', choices?: string[][], unit?: string,
 *   scale?: number, min?: number, max?: number, initial?: any, when?: (options: Record<string, any>) => boolean,
 *   off?: (options: Record<string, any>) => string | undefined,
 * }} OptionField
 */

/**
 * Builds the form.
 *
 * @param {OptionField[]} fields
 * @param {Record<string, any>} options What is chosen at first.
 * @param {Record<string, any>} usual
 */
export function optionsForm(fields, options, usual) {
  const { form } = words().pages.setup;
  let values = structuredClone(options);
  const rows = fields.map((field) => optionRow(field, usual, () => read()));
  const groups = new Map(Object.entries(form.groups).map(([name, title]) => [
    name, el('fieldset', {}, el('legend', { text: title })),
  ]));
  for (const { field, node } of rows) groups.get(field.group)?.append(node);
  const node = el('div', { class: 'options' }, ...groups.values());

  const read = () => {
    for (const { field, node: row, read: readRow } of rows) {
      if (!row.hidden) values = withOption(values, field.path, readRow());
    }
    show();
  };
  const show = () => {
    for (const { field, node: row, show: showRow } of rows) {
      const isOn = isFieldOn(field, values);
      setAttribute(row, 'hidden', !isOn);
      if (!isOn) continue;
      const off = field.off?.(values);
      if (off) values = withOption(values, field.path, field.initial);
      if (optionAt(values, field.path) === undefined) values = withOption(values, field.path, field.initial);
      showRow(optionAt(values, field.path), off);
    }
    for (const [name, group] of groups) {
      setAttribute(group, 'hidden', !rows.some(({ field, node: row }) => field.group === name && !row.hidden));
    }
  };
  show();
  return {
    node,
    /** The options that are chosen, without those that do not go with the others. */
    value() {
      let chosen = values;
      for (const { field } of rows) if (!isFieldOn(field, values)) chosen = withOption(chosen, field.path, undefined);
      return chosen;
    },
    /** Whether all numbers are within their ranges; if not, the first that is not gets the focus. */
    check() {
      const wrong = rows.find(({ node: row, input }) => !row.hidden && !input.checkValidity());
      wrong?.input.reportValidity();
      return wrong === undefined;
    },
  };
}

/**
 * @param {OptionField} field
 * @param {Record<string, any>} usual
 * @param {() => void} onChange
 */
function optionRow(field, usual, onChange) {
  const { options, form, values: names } = words().pages.setup;
  const { path, kind, choices = [], unit, scale = 1, min = 0, max = 0 } = field;
  const [label, hint] = options[path] ?? [path, ''];
  const id = `option-${path.replace('.', '-')}`;
  const describes = `${id}-hint`;
  const tag = kind === 'select' ? 'select' : 'input';
  const types = {
    number: { type: 'number', min, max, step: 'any', inputmode: 'decimal', required: true, class: 'field' },
    check: { type: 'checkbox' },
    select: { class: 'field' },
  };
  const input = /** @type {HTMLInputElement} */ (el(tag, {
    id, 'aria-describedby': describes, ...types[kind], onchange: onChange,
    // Fields that depend on a number appear while it is typed.
    oninput: () => kind === 'number' && input.checkValidity() && onChange(),
  }));
  const mark = el('span', { class: 'differs' });
  const about = el('span', {});
  const text = el('p', { id: describes, class: 'small muted' }, about, ' ', mark);
  const node = el(
    'div', { class: `option ${kind}` }, el('label', { for: id, text: label }),
    unit ? el('span', { class: 'amount' }, input, el('span', { class: 'muted', text: unit })) : input, text,
  );
  const usualValue = optionAt(usual, path) ?? (path.startsWith('clock.') ? undefined : field.initial);
  const shown = (/** @type {any} */ value) => {
    if (kind === 'check') return value ? form.yes : form.no;
    if (kind === 'number') return `${numberShown(value, scale)} ${unit ?? ''}`.trim();
    return choices.find(([name]) => name === value)?.[1] ?? names[value] ?? String(value);
  };
  return {
    field, node, input,
    read() {
      if (kind === 'check') return input.checked;
      if (kind === 'number') return Math.round(Number(input.value) * scale);
      return input.value;
    },
    /** @param {any} value @param {string} [off] Why it cannot be chosen. */
    show(value, off) {
      setAttribute(input, 'disabled', off !== undefined);
      setText(about, off ?? hint);
      if (kind === 'check') input.checked = value === true;
      else if (kind === 'select') fillSelect(/** @type {any} */ (input), choices, value);
      else if (input.value === '' || Math.round(Number(input.value) * scale) !== value)
        input.value = numberShown(value, scale);
      const differs = value !== usualValue && usualValue !== undefined;
      node.classList.toggle('unusual', differs);
      setText(mark, differs ? `${form.usual}: ${shown(usualValue)}` : '');
    },
  };
}

/**
 * @param {number} value
 * @param {number} scale
 */
function numberShown(value, scale) {
  return String(Math.round((value / scale) * 1000) / 1000);
}

/**
 * @param {OptionField} field
 * @param {Record<string, any>} values
 */
function isFieldOn({ when }, values) {
  return when === undefined || when(values);
}

/**
 * @param {Record<string, any>} options
 * @param {string} path
 */
function optionAt(options, path) {
  return path.split('.').reduce((/** @type {any} */ at, name) => at?.[name], options);
}

/**
 * @param {Record<string, any>} options
 * @param {string} path
 * @param {any} value `undefined` takes it out.
 * @returns {Record<string, any>}
 */
function withOption(options, path, value) {
  const [first, ...rest] = path.split('.');
  const inner = rest.length > 0 ? withOption(options[first] ?? {}, rest.join('.'), value) : value;
  const changed = { ...options, [first]: inner };
  if (inner === undefined || (rest.length > 0 && Object.keys(inner).length === 0)) delete changed[first];
  return changed;
}
