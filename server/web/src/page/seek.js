// An offer with a page of its own: an invitation to send, or one that the player has got.

import { copyText } from '../view/copy.js';
import { el, icon, setAttribute, setText } from '../view/dom.js';
import { KeyedList } from '../view/keyed.js';
import { initialOf } from '../view/bar.js';
import { criteriaText } from './criteria.js';
import { nameField, rename } from './name.js';
import { optionsText } from './offer.js';
import { withVanish } from './options.js';
import { LobbyLists } from './lists.js';
import { loadScript } from './scripts.js';
import { ratingText } from '../view/ratings.js';
import { refusedText, words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */

/**
 * Opens an invitation by its code, or an offer by its id.
 *
 * @param {PageContext & { seek?: string, code?: string }} context
 * @returns {import('./routes.js').Page}
 */
export function openSeek(context) {
  return context.seek === undefined ? openInvitation(context) : openOffer(context, context.seek);
}

/**
 * The page behind the link of an invitation: whose it is and to which game, a name, and a button to join.
 *
 * @param {PageContext & { code?: string }} context
 */
function openInvitation(context) {
  const { frame, connection, account, seeking, code = '' } = context;
  const { lobby, pages: { seek: texts } } = words();
  const title = el('h1', {});
  const about = el('p', { class: 'lead' });
  const name = nameField(connection.name ?? '', texts.yourName);
  setAttribute(name, 'readonly', account.kind !== 'guest');
  const problem = el('p', { class: 'bad small', role: 'alert' });
  const button = el('button', { class: 'btn go wide tall', text: texts.join });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setAttribute(button, 'disabled', true);
    try {
      // Until the server has said the own name, the field is empty.
      if (name.value !== '') await rename(connection, name.value);
      account.show();
      const { seek } = await seeking.join({ code });
      if (seeking.own.has(seek)) frame.go(`/seeks/${encodeURIComponent(seek)}`);
    } catch (refused) {
      const { code: why } = /** @type {any} */ (refused);
      problem.textContent = refusedText(/** @type {any} */ (refused));
      setAttribute(button, 'disabled', false);
      if (why === 'bad_name') name.focus();
    }
  };
  const form = el(
    'form', { class: 'card form padded', onsubmit: submit },
    el('label', {}, el('span', { class: 'label', text: texts.yourName }), name), problem, button,
  );
  const register = registerPart();
  const home = el('a', { class: 'btn', href: '/', text: texts.toLobby });
  const node = el('div', { class: 'page narrow' }, title, about, form, register, el('div', { class: 'acts-row' }, home));
  /** @param {{ heading?: string, text: string, seek?: Record<string, any>, canJoin?: boolean }} view */
  const show = ({ heading = texts.joinTitle, text, seek, canJoin = seek !== undefined }) => {
    const isOff = seek?.options.rated === true && !connection.isRegistered;
    setText(title, heading);
    frame.setTitle(heading);
    setText(about, text);
    setAttribute(form, 'hidden', !canJoin || isOff);
    setAttribute(register, 'hidden', !isOff);
    setAttribute(home, 'hidden', canJoin);
  };
  let isClosed = false;
  const find = async () => {
    try {
      const { seek } = await connection.request('find_seek', { code });
      if (isClosed) return;
      if (seeking.isMember(seek)) return frame.go(`/seeks/${encodeURIComponent(seek.seek)}`);
      const owner = seek.members.find((/** @type {any} */ { identity }) => identity === seek.owner);
      show({ heading: texts.invitedBy(owner?.name ?? ''), text: aboutInvitation(context, seek), seek });
    } catch (refused) {
      const { code: why } = /** @type {any} */ (refused);
      // A server that cannot show the offer can let the player join it.
      const canJoin = why === 'unknown_op';
      if (!isClosed) show({ text: canJoin ? '' : refusedText(/** @type {any} */ (refused)), canJoin });
    }
  };
  show({ text: code === '' ? texts.noCode : lobby.loading, canJoin: false });
  if (code !== '') void find();
  const off = connection.on('welcome', () => {
    if (name.value === '') name.value = connection.name ?? '';
  });
  return {
    node,
    close() {
      isClosed = true;
      off();
    },
  };
}

/**
 * The game of an invitation in a few words, and who has joined already.
 *
 * @param {PageContext} context
 * @param {Record<string, any>} seek
 */
function aboutInvitation({ rulebook, connection }, seek) {
  const { lobby } = words();
  const { options, members } = seek;
  const isTable = options.seats > 2;
  return withVanish([
    rulebook.nameOf(options.rule_set), isTable && lobby.seatsTaken(members.length, options.seats), optionsText(options),
    !options.rated && lobby.setup.casual, criteriaText(seek, connection.serverNow()),
  ].filter(Boolean).join(', '), options);
}

/** Only registered players join rated games. */
function registerPart() {
  const { lobby } = words();
  return el(
    'p', {}, `${lobby.ratedOnly} `, el('a', { class: 'text-link', href: '/register', text: lobby.bar.register }));
}

/**
 * The page of an offer that is open.
 *
 * @param {PageContext} context
 * @param {string} id
 */
function openOffer(context, id) {
  const { frame, connection, seeking, rulebook } = context;
  const { lobby, pages: { seek: texts } } = words();
  const title = el('h1', {});
  const about = el('p', { class: 'lead' });
  const share = shareBox(frame);
  const members = el('ul', { class: 'card members' });
  const list = new KeyedList(members, (/** @type {Member} */ member) => member.key, memberRow);
  const act = (/** @type {() => Promise<any>} */ send) => () => {
    send().catch((refused) => frame.toast(refusedText(refused)));
  };
  /** @param {string} kind @param {string} text @param {() => Promise<any>} send */
  const actButton = (kind, text, send) => el(
    'button', { class: `btn ${kind}`, type: 'button', text, onclick: act(send) });
  const leave = actButton('', lobby.leave, async () => {
    await seeking.leave(id);
    frame.go('/');
  });
  const begin = actButton('go', lobby.start, () => seeking.begin(id));
  const join = actButton('go', texts.join, () => seeking.join({ seek: id }));
  const home = el('a', { class: 'btn', href: '/', text: texts.toLobby });
  const register = registerPart();
  const body = el(
    'div', {}, share.node, el('h2', { class: 'label', text: texts.players }), members, register,
  );
  const acts = el('div', { class: 'acts-row' }, begin, join, leave, home);
  const node = el('div', { class: 'page narrow' }, title, about, body, acts);

  const askAbout = async (/** @type {Protocol.Person} */ person) => {
    const script = await loadScript(frame, 'people');
    await script?.people.askAbout(context, person);
  };
  /** @param {Record<string, any>} seek */
  const aboutOf = (seek) => withVanish([
    rulebook.nameOf(seek.options.rule_set), optionsText(seek.options), criteriaText(seek, connection.serverNow()),
  ].filter(Boolean).join(', '), seek.options);
  const render = () => {
    const seek = seeking.own.get(id) ?? lists.seeks.get(id);
    const isOwn = seeking.own.has(id);
    const heading = !isOwn ? texts.offerTitle : seek?.private ? texts.title : lobby.waiting;
    setText(title, heading);
    frame.setTitle(heading);
    setAttribute(body, 'hidden', !seek);
    setText(about, seek ? aboutOf(seek) : lists.isLoaded ? texts.gone : lobby.loading);
    for (const button of [begin, join, leave, register]) setAttribute(button, 'hidden', !seek);
    if (!seek) return;
    share.show(isOwn ? seek : undefined);
    list.show(membersOf(seek, connection.identity, askAbout));
    const isOwner = seek.owner === connection.identity;
    setAttribute(begin, 'hidden', !isOwner || seek.members.length < 2);
    const isOff = seek.options.rated === true && !connection.isRegistered;
    setAttribute(join, 'hidden', isOwn || isOff);
    setAttribute(register, 'hidden', isOwn || !isOff);
    setAttribute(leave, 'hidden', !isOwn);
    setText(leave, isOwner ? lobby.withdraw : lobby.leave);
  };
  const lists = new LobbyLists(connection, seeking, render);
  const off = seeking.on(render);
  // The range of a quick match widens while it waits.
  const timer = setInterval(render, 1000);
  render();
  return {
    node,
    close() {
      off();
      clearInterval(timer);
      lists.close();
    },
  };
}

/** @typedef {{ key: string, name: string, isFree: boolean, note: string, about?: () => void }} Member */

/**
 * The members and the free seats.
 *
 * @param {Record<string, any>} seek
 * @param {string | undefined} identity
 * @param {(person: Protocol.Person) => void} about Shows what the player can do about a member.
 * @returns {Member[]}
 */
function membersOf({ members, options }, identity, about) {
  const { lobby, pages } = words();
  return Array.from({ length: options.seats }, (_, i) => {
    const member = members[i];
    if (!member) return { key: `free ${i}`, name: pages.seek.freeSeat, isFree: true, note: '' };
    const who = member.identity === identity ? lobby.you : member.bot && lobby.bot;
    const notes = [member.rating && ratingText(member.rating), who];
    const hasActs = member.identity !== identity && !member.bot;
    return {
      key: member.identity + i, name: member.name, isFree: false, note: notes.filter(Boolean).join(', '),
      ...(hasActs && { about: () => about(member) }),
    };
  });
}

/** @returns {import('../view/keyed.js').Entry<Member>} */
function memberRow() {
  const face = el('span', { class: 'face', 'aria-hidden': 'true' });
  const name = el('bdi', {});
  const note = el('span', { class: 'muted small' });
  let about = () => {};
  const more = el('button', { class: 'btn sq', type: 'button', onclick: () => about() }, icon('more'));
  const node = el('li', {}, face, name, note, more);
  return {
    node,
    update(member) {
      about = member.about ?? about;
      setAttribute(more, 'hidden', !member.about);
      setAttribute(more, 'aria-label', words().pages.more.about(member.name));
      node.classList.toggle('free', member.isFree);
      setText(face, member.isFree ? '' : initialOf(member.name));
      setText(name, member.name);
      setText(note, member.note);
    },
  };
}

/**
 * The link of a private offer, to copy or to share.
 *
 * @param {import('../view/frame.js').Frame} frame
 */
function shareBox(frame) {
  const { seek: texts } = words().pages;
  const field = el('input', { class: 'field', readonly: true, 'aria-label': texts.link });
  const input = /** @type {HTMLInputElement} */ (field);
  const copy = el('button', { class: 'btn', type: 'button', onclick: async () => {
    if (await copyText(input.value)) return void frame.toast(texts.copied);
    input.focus();
    input.select();
    frame.toast(texts.copySelf);
  } }, icon('link'), texts.copy);
  const send = el('button', {
    class: 'btn', type: 'button', text: texts.send, hidden: typeof navigator.share !== 'function',
    onclick: () => navigator.share({ title: texts.shareText, url: input.value }).catch(() => {}),
  });
  const code = el('b', { class: 'code' });
  const hint = el('p', { class: 'small muted' });
  const node = el(
    'div', { class: 'card form padded share' }, el('p', { text: texts.share }),
    el('div', { class: 'with-button' }, input, copy, send), el('p', { class: 'small' }, `${texts.code}: `, code), hint,
  );
  return {
    node,
    /** @param {Record<string, any> | undefined} seek The own offer, if it is one. */
    show(seek) {
      setAttribute(node, 'hidden', !seek?.code);
      if (!seek?.code) return;
      const link = `${location.origin}/join#code=${encodeURIComponent(seek.code)}`;
      if (input.value !== link) input.value = link;
      setText(code, seek.code);
      const isSlow = seek.options.clock.kind === 'per_move' && seek.options.clock.limit_ms >= 3_600_000;
      setText(hint, isSlow ? texts.mayLeave : texts.keepOpen);
    },
  };
}
