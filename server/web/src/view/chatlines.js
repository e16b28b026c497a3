// The lines of a chat room. What players write is text and nothing else: no markup, no links.

import { el, icon, setAttribute } from './dom.js';
import { nameNode } from './parts.js';
import { words } from '../text/words.js';

/**
 * @typedef {object} LineActs
 * @property {(line: Protocol.ChatLine) => boolean} isOwn
 * @property {(line: Protocol.ChatLine) => string | undefined} hrefOf The profile of the writer; guests have none.
 * @property {(line: Protocol.ChatLine) => { block: boolean, report: boolean, why: string }} may What the player may do about
 *   the writer, and why not everything.
 * @property {(line: Protocol.ChatLine) => void} block
 * @property {(line: Protocol.ChatLine) => void} report
 * @property {() => boolean} opensTab Whether a profile opens in a tab of its own, so that the player stays in the game.
 */

/**
 * Makes a line as an entry of a list.
 *
 * @param {LineActs} acts
 * @returns {(line: Protocol.ChatLine) => import('./keyed.js').Entry<Protocol.ChatLine>}
 */
export function chatLine(acts) {
  return (line) => {
    const { chat: texts } = words();
    const isOwn = acts.isOwn(line);
    const time = el('time', { datetime: new Date(line.at).toISOString(), text: texts.time(line.at) });
    const by = el('p', { class: 'by' }, isOwn ? el('b', { text: texts.you }) : writerNode(line, acts), time);
    if (!isOwn) by.append(menuButton(line, acts));
    const said = el('p', { class: 'said', dir: 'auto', text: line.text });
    return { node: el('div', { class: isOwn ? 'chat-line own' : 'chat-line' }, by, said), update() {} };
  };
}

/**
 * The own line that is on its way.
 *
 * @param {string} text
 */
export function sendingLine(text) {
  const by = el('p', { class: 'by' }, el('span', { text: words().chat.sending }));
  return el('div', { class: 'chat-line own sending' }, by, el('p', { class: 'said', dir: 'auto', text }));
}

/** @param {Protocol.ChatLine} line @param {LineActs} acts */
function writerNode(line, acts) {
  const href = acts.hrefOf(line);
  if (href === undefined) return nameNode(line.name);
  const name = el('a', { class: 'writer', href }, nameNode(line.name));
  // Where the player is may change after the line was made.
  name.addEventListener('click', () => setAttribute(name, 'target', acts.opensTab() && '_blank'));
  return name;
}

/** The button that opens what can be done about a writer. @param {Protocol.ChatLine} line @param {LineActs} acts */
function menuButton(line, acts) {
  const { chat: texts } = words();
  const button = el('button', {
    type: 'button', class: 'btn sq more', 'aria-label': texts.more(line.name), 'aria-haspopup': 'true',
    onclick: () => openMenu(button, line, acts),
  }, icon('more'));
  return button;
}

/**
 * @param {HTMLElement} button
 * @param {Protocol.ChatLine} line
 * @param {LineActs} acts
 */
function openMenu(button, line, acts) {
  const { chat: texts } = words();
  const [href, may] = [acts.hrefOf(line), acts.may(line)];
  const item = (/** @type {string} */ name, /** @type {string} */ text, /** @type {() => void} */ act) => el(
    'button', { type: 'button', onclick: () => {
      menu.hidePopover();
      act();
    } }, icon(name), text);
  const menu = el(
    'div', { class: 'drop line-menu', popover: 'auto', tabindex: -1 },
    href !== undefined && el('a', {
      href, target: acts.opensTab() && '_blank', onclick: () => menu.hidePopover(),
    }, icon('person'), texts.profile),
    may.block && item('close', texts.block, () => acts.block(line)),
    may.report && item('letter', texts.report, () => acts.report(line)),
    may.why !== '' && el('p', { class: 'small muted', text: may.why }),
  );
  menu.addEventListener('toggle', (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === 'closed') menu.remove();
  });
  button.after(menu);
  menu.showPopover();
  const { bottom, top, right } = button.getBoundingClientRect();
  const { height } = menu.getBoundingClientRect();
  const isBelow = bottom + height < innerHeight;
  menu.style.setProperty('inset', `${isBelow ? bottom : Math.max(0, top - height)}px ${innerWidth - right}px auto auto`);
  /** @type {HTMLElement} */ (menu.querySelector('a, button') ?? menu).focus();
}
