// The sessions of a player in a list: where each is, when it was used, and a button that ends it.

import { el } from './dom.js';
import { words } from '../text/words.js';

/** @typedef {{ id: string, label: string, created_at: number, used_at: number, current: boolean }} SessionView */

/**
 * @param {SessionView} session
 * @param {number} now The server's time, unix ms.
 * @param {() => void} end
 */
export function sessionRow({ label, created_at: createdAt, used_at: usedAt, current }, now, end) {
  const { account: texts, ago, date } = words().accounts;
  const name = label.trim() || texts.unnamed;
  const used = current ? texts.here : texts.used(ago(now - usedAt));
  const button = el('button', {
    class: 'btn small', type: 'button', text: texts.end, 'aria-label': texts.endNamed(name), onclick: end,
  });
  const about = el('p', { class: 'small muted', text: `${used}, ${texts.since(date(createdAt))}` });
  return el('li', { class: 'between' }, el('div', {}, el('b', { text: name }), about), !current && button);
}
