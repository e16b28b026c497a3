// The texts of the chat, in German. The same keys as chat-en.js.

import { timeText } from './dates.js';
import { momentText } from './units.js';

/** For so long a time of day says enough. */
const CLOCK_MS_DE = 12 * 3_600_000;

/**
 * The texts of the chat, in German.
 *
 * @type {typeof import('./chat-en.js').chatEn}
 */
export const chatDe = {
  title: 'Chat', messages: 'Nachrichten', room: 'Raum', players: 'Spieler', spectators: 'Zuschauer', lobby: 'Chat',
  time: (at) => (Date.now() - at < CLOCK_MS_DE ? timeText : momentText)('de', at),
  opens: (name, count) => (count > 0 ? `${name}, ${count} neu` : name),
  fresh: (count) => `${count} neu`,
  withFriend: (name) => `Nachrichten mit ${name}`,
  empty: 'Noch keine Nachrichten.', newer: 'Neue Nachrichten', write: 'Nachricht schreiben', send: 'Senden', you: 'Du',
  sending: 'wird gesendet …', stillSending: 'Deine letzte Nachricht wird noch gesendet.',
  count: (count) => `${count} von 300 Zeichen`,
  tooLong: (count) => `Nachrichten haben höchstens 300 Zeichen; diese hat ${count}.`,
  more: (name) => `Mehr zu ${name}`, profile: 'Profil', block: 'Blockieren', report: 'Melden',
  registerFirst: 'Registriere dich, um andere zu blockieren oder zu melden.',
  guest: 'Gäste lassen sich nicht blockieren: Sie könnten unter einem anderen Namen wiederkommen.',
  readOnly: 'Registriere dich, um hier zu schreiben.', notFriends: 'Du kannst nur Freunden schreiben.',
  muted: (until, reason) => (
    `Ein Moderator hat dich${until ? ` bis ${momentText('de', until)}` : ''} stumm geschaltet${reason ? `: ${reason}` : '.'}`),
  heard: (name) => `Neue Nachricht von ${name}.`,
  noMessages: 'Noch keine Nachrichten. Schreib einem Freund aus deiner Liste.', friends: 'Freunde', back: 'Zurück',

  codes: {
    chat_off: 'Der Chat ist ausgeschaltet.', no_such_room: 'Diesen Raum kannst du nicht betreten.',
    not_in_room: 'Du bist nicht in diesem Raum.', too_many_rooms: 'Du bist in zu vielen Räumen zugleich.',
    cannot_say: 'Du kannst hier lesen, aber nicht schreiben.', bad_text: 'Nachrichten haben 1 bis 300 Zeichen.',
    repeated_line: 'Das hast du gerade erst geschrieben.', too_many_lines: 'Du schreibst zu schnell.',
    muted: 'Du bist stumm geschaltet.', busy: 'Der Server ist ausgelastet, und Partien gehen vor. Bitte versuch es noch einmal.',
  },
};
