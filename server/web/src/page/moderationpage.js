// The page of moderators: reports with their context, actions, and the audit.

import { el, setText } from '../view/dom.js';
import { block } from '../view/lobbylayout.js';
import { refusedText, words } from '../text/words.js';

const HOUR_MS_OF_ACTIONS = 3_600_000;
/** Actions that last, and so can have an end. */
const ACTIONS_THAT_LAST = new Set(['mute', 'no_rated', 'no_public', 'suspend']);

/**
 * @typedef {{ identity: string, name: string }} ReportedPerson
 * @typedef {{ number: number, at: number, reporter: ReportedPerson, target: ReportedPerson, reason: string,
 *   words?: string, game?: string, room?: string, line?: number, closed?: number }} ReportLine
 * @typedef {{ line: number, name: string, text: string }} ContextLine
 * @typedef {{ number: number, at: number, actor: string, actor_name?: string, action: string, target: string,
 *   target_name?: string, reason: string, until?: number }} AuditEntry
 */

/** The page while it is on the screen. */
export class ModerationPage {
  isClosed = false;

  /**
   * @param {import('./routes.js').PageContext} context
   * @param {import('./moderation.js').ApiTools} tools
   */
  constructor(context, tools) {
    this.context = context;
    this.tools = tools;
    const { lobby, moderation: texts } = words();
    context.frame.setTitle(texts.title);
    this.status = el('p', { class: 'small muted', role: 'status', text: lobby.loading });
    this.reports = el('ul', { class: 'card sessions' });
    this.shown = el('div', {});
    this.audit = el('ul', { class: 'card sessions' });
    this.more = el('button', { class: 'btn small', type: 'button', text: texts.more, hidden: true });
    const reports = block('reports', texts.reports);
    reports.node.append(this.reports, this.more);
    const audit = block('audit', texts.audit);
    audit.node.append(this.audit);
    this.node = el(
      'div', { class: 'page narrow' }, el('h1', { text: texts.title }),
      el('div', { class: 'stack' }, this.status, this.shown, reports.node, audit.node));
    this.ready = this.#load();
  }

  close() {
    this.isClosed = true;
  }

  async #load() {
    const { moderation: texts } = words();
    try {
      const [reports, audit] = await Promise.all([
        this.tools.callAsPlayer(this.context, '/moderation/reports'),
        this.tools.callAsPlayer(this.context, '/moderation/audit'),
      ]);
      if (this.isClosed) return;
      this.reports.replaceChildren();
      this.#addReports(reports);
      this.audit.replaceChildren(...audit.entries.map((/** @type {AuditEntry} */ entry) => this.#entry(entry)));
      setText(this.status, reports.reports.length === 0 ? texts.noReports : '');
      void this.tools.countReports(this.context);
    } catch (refused) {
      const { code } = /** @type {any} */ (refused);
      setText(this.status, code === 'forbidden' ? texts.forbidden : refusedText(/** @type {any} */ (refused)));
    }
  }

  /** @param {{ reports: ReportLine[], next?: string, server_time: number }} page */
  #addReports({ reports, next, server_time: now }) {
    this.reports.append(...reports.map((report) => this.#line(report, now)));
    this.more.hidden = next === undefined;
    this.more.onclick = () => void this.tools.tryToDo(this.context, async () => {
      const path = `/moderation/reports?behind=${encodeURIComponent(next ?? '')}`;
      this.#addReports(await this.tools.callAsPlayer(this.context, path));
    });
  }

  /** @param {ReportLine} report @param {number} now */
  #line(report, now) {
    const { moderation: texts, accounts: { ago, date } } = words();
    const state = report.closed === undefined ? texts.open : texts.closed(report.closed);
    const about = `${texts.line(texts.reasons[report.reason] ?? report.reason, ago(now - report.at))}. ${state}`;
    const show = el('button', {
      class: 'btn small', type: 'button', text: texts.show, 'aria-label': texts.showNamed(report.target.name),
      onclick: () => void this.tools.tryToDo(this.context, () => this.#show(report.number)),
    });
    return el(
      'li', { class: 'between' },
      el(
        'div', { class: 'report' }, el('span', { text: report.target.name }),
        report.words !== undefined && el('p', {}, el('bdi', { text: report.words })),
        el('p', { class: 'small muted', title: date(report.at), text: about })),
      show);
  }

  /** @param {number} number */
  async #show(number) {
    const { moderation: texts } = words();
    const { report, context } = await this.tools.callAsPlayer(this.context, `/moderation/reports/${number}`);
    const identity = encodeURIComponent(report.target.identity);
    const history = await this.tools.callAsPlayer(this.context, `/moderation/players/${identity}`);
    if (this.isClosed) return;
    const { node } = block('report', report.target.name);
    const lines = context.map((/** @type {ContextLine} */ line) => el(
      'p', { class: line.line === report.line ? 'marked' : '' },
      line.line === report.line && el('span', { class: 'mark', text: texts.reported }),
      ` ${line.name}: `, el('bdi', { text: line.text })));
    const entries = history.entries.map((/** @type {AuditEntry} */ entry) => this.#entry(entry));
    const heading = (/** @type {string} */ text) => el('h3', { class: 'label', text });
    node.append(el(
      'div', { class: 'stack' },
      el('p', { text: `${texts.reasons[report.reason] ?? report.reason}. ${texts.by(report.reporter.name)}` }),
      el('p', {}, el('bdi', { text: report.words ?? '' })),
      ...(report.game === undefined ? [] : [el('p', {}, gameLink(report.game))]),
      heading(texts.context),
      ...(lines.length > 0 ? lines : [el('p', { class: 'muted', text: texts.noContext })]),
      heading(texts.act.title), this.#form(report),
      heading(texts.history),
      history.conduct.points > 0 && el('p', { text: texts.points(history.conduct.points) }),
      entries.length > 0 ? el('ul', { class: 'card sessions' }, ...entries)
        : el('p', { class: 'muted', text: texts.nothing }),
    ));
    this.shown.replaceChildren(node);
    node.querySelector('h2')?.scrollIntoView();
  }

  /** @param {ReportLine} report */
  #form(report) {
    const { act: texts } = words().moderation;
    const field = (/** @type {string} */ label, /** @type {HTMLElement} */ node) => el(
      'label', {}, el('span', { class: 'label', text: label }), node);
    const possible = Object.entries(texts.actions).filter(([name]) => name !== 'hide_lines' || report.line !== undefined);
    const choices = possible.map(([value, text]) => el('option', { value, text }));
    const action = /** @type {HTMLSelectElement} */ (el('select', { class: 'field' }, ...choices));
    const input = (/** @type {Record<string, any>} */ more) => /** @type {HTMLInputElement} */ (
      el('input', { class: 'field', ...more }));
    const [reason, handle] = [input({ maxlength: 500 }), input({ maxlength: 20 })];
    const hours = input({ type: 'number', min: 1, max: 87_600 });
    const problem = el('p', { class: 'bad small', role: 'alert' });
    const send = async () => {
      const until = this.context.connection.serverNow() + Number(hours.value) * HOUR_MS_OF_ACTIONS;
      const order = {
        action: action.value, reason: reason.value, report: report.number,
        ...(ACTIONS_THAT_LAST.has(action.value) && hours.value !== '' && { until: Math.round(until) }),
        ...(action.value === 'rename' && { handle: handle.value.trim() }),
        ...(action.value === 'hide_lines' && { room: report.room, lines: [report.line] }),
      };
      try {
        const request = { method: 'POST', body: order };
        const { number } = await this.tools.callAsPlayer(this.context, '/moderation/actions', request);
        this.context.frame.toast(texts.done(number));
        this.shown.replaceChildren();
        await this.#load();
      } catch (refused) {
        setText(problem, refusedText(/** @type {any} */ (refused)));
      }
    };
    const [ofHours, ofHandle] = [field(texts.hours, hours), field(texts.handle, handle)];
    const showFields = () => {
      ofHours.hidden = !ACTIONS_THAT_LAST.has(action.value);
      ofHandle.hidden = action.value !== 'rename';
    };
    action.addEventListener('change', showFields);
    showFields();
    const form = el(
      'form', { class: 'form' }, field(texts.action, action), field(texts.reason, reason), ofHours, ofHandle, problem,
      el('button', { class: 'btn go', type: 'submit', text: texts.send }));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send();
    });
    return form;
  }

  /** @param {AuditEntry} entry */
  #entry(entry) {
    const { moderation: texts, accounts: { date } } = words();
    const { number, action, until, reason } = entry;
    const title = texts.entry(actorText(entry), actionText(action), entry.target_name ?? entry.target);
    const end = until === undefined ? '' : ` ${texts.until(date(until))}`;
    const undo = el('button', {
      class: 'btn small', type: 'button', text: texts.undo, 'aria-label': texts.undoNamed(number),
      onclick: () => void this.#undo(number),
    });
    return el(
      'li', { class: 'between' },
      el(
        'div', {}, el('span', { text: `${number}. ${title}${end}` }),
        el('p', { class: 'small muted' }, `${date(entry.at)}: `, el('bdi', { text: reason }))),
      canBeUndone(action) && undo);
  }

  /** @param {number} number */
  async #undo(number) {
    const { lobby: { bar }, moderation: texts } = words();
    const reason = /** @type {HTMLInputElement} */ (
      el('input', { class: 'field', maxlength: 500, 'aria-label': texts.undoReason }));
    const pressed = await this.context.frame.dialog({
      title: texts.undoNamed(number),
      body: el('label', {}, el('span', { class: 'label', text: texts.undoReason }), reason),
      actions: [{ label: bar.cancel, kind: 'flat' }, { label: texts.undo, value: 'undo', kind: 'go' }],
    });
    if (pressed !== 'undo') return;
    await this.tools.tryToDo(this.context, async () => {
      const body = { reason: reason.value };
      const path = `/moderation/actions/${number}/undo`;
      const done = await this.tools.callAsPlayer(this.context, path, { method: 'POST', body });
      this.context.frame.toast(texts.act.done(done.number));
      await this.#load();
    });
  }
}

/** @param {string} game */
function gameLink(game) {
  const { game: text } = words().moderation;
  return el('a', { class: 'text-link', href: `/games/${encodeURIComponent(game)}`, text });
}

/** The name of the actor. The server acts by itself, too. @param {AuditEntry} entry */
function actorText({ actor, actor_name: name }) {
  return name ?? (actor === 'server' ? words().moderation.server : actor);
}

/** The name of an action: the audit has codes, some with the object of the action behind a colon. @param {string} action */
function actionText(action) {
  const { done } = words().moderation;
  const [code, ...about] = action.split(':');
  return [done[code] ?? code, ...about].join(' ');
}

/** Whether an action has an effect that can be undone. @param {string} action As in the audit. */
function canBeUndone(action) {
  const lasting = ['muted', 'rated_games_forbidden', 'public_games_forbidden', 'suspended', 'waiting_time'];
  return lasting.includes(action) || action.startsWith('lines_hidden:');
}
