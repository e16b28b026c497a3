// Asks what to report of a player, and sends the report.

import { el } from '../view/dom.js';
import { refusedText, words } from '../text/words.js';

/** As the server counts them. */
const REPORT_WORDS_MAX = 500;

/**
 * Shows a dialog until a report is sent or the dialog is dismissed.
 *
 * @param {Pick<import('./routes.js').PageContext, 'frame' | 'connection' | 'account'>} context
 * @param {import('./moderation.js').ApiTools} tools
 * @param {{ name: string, player: string }} who `player`: a handle or an identity.
 * @param {{ game?: string, room?: string, line?: number, code?: string }} [matter] What the report is about.
 */
export async function reportPlayer(context, { callAsPlayer }, { name, player }, matter = {}) {
  const { lobby: { bar }, moderation: { report: texts, reasons } } = words();
  const choices = Object.entries(reasons).map(([value, text]) => el('option', { value, text }));
  const attributes = { class: 'field', 'aria-label': texts.reason };
  const reason = /** @type {HTMLSelectElement} */ (el('select', attributes, ...choices));
  const said = /** @type {HTMLTextAreaElement} */ (el('textarea', {
    class: 'field', rows: 4, maxlength: REPORT_WORDS_MAX, 'aria-label': texts.words,
  }));
  const problem = el('p', { class: 'bad small', role: 'alert' });
  const body = el(
    'div', { class: 'form' },
    el('label', {}, el('span', { class: 'label', text: texts.reason }), reason),
    el('label', {}, el('span', { class: 'label', text: texts.words }), said),
    problem, el('p', { class: 'small', text: texts.hint(name) }),
  );
  for (;;) {
    const pressed = await context.frame.dialog({
      title: texts.title(name), body,
      actions: [{ label: bar.cancel, kind: 'flat' }, { label: texts.send, value: 'send', kind: 'go' }],
    });
    if (pressed !== 'send') return;
    try {
      const report = { player, reason: reason.value, words: said.value, ...matter };
      await callAsPlayer(context, '/reports', { method: 'POST', body: report });
      context.frame.toast(texts.done);
      return;
    } catch (refused) {
      problem.textContent = refusedText(/** @type {any} */ (refused));
    }
  }
}
