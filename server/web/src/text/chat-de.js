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
  title: 'Chat', messages: 'Nachrichten', room: 'Raum', players: 'Spielende', spectators: 'Zuschauende', lobby: 'Chat',
  time: (at) => (Date.now() - at < CLOCK_MS_DE ? timeText : momentText)('de', at),
  opens: (name, count) => (count > 0 ? `${name}, ${count} neu` : name),
  fresh: (count) => `${count} neu`,
  withFriend: (name) => `Nachrichten mit ${name}`,
  empty: 'Hier hat noch niemand geschrieben.', newer: 'Neue Nachrichten', write: 'Schreib etwas', send: 'Senden', you: 'Du',
  sending: 'unterwegs …', stillSending: 'Deine letzte Zeile ist noch unterwegs.',
  count: (count) => `${count} von 300 Zeichen`,
  tooLong: (count) => `Eine Zeile hat höchstens 300 Zeichen; diese hat ${count}.`,
  more: (name) => `Mehr zu ${name}`, profile: 'Profil', block: 'Blockieren', report: 'Melden',
  registerFirst: 'Registriere dich, um andere zu blockieren oder zu melden.',
  guest: 'Gäste kann niemand blockieren: sie kommen mit einem anderen Namen wieder.',
  readOnly: 'Du kannst hier lesen. Nur Registrierte schreiben.', notFriends: 'Du schreibst nur mit deinen Freunden.',
  muted: (until, reason) => (
    `Die Moderation hat dich${until ? ` bis ${momentText('de', until)}` : ''} stumm geschaltet${reason ? `: ${reason}` : '.'}`),
  heard: (name) => `${name} hat geschrieben.`,
  noMessages: 'Noch keine Nachrichten. Schreib einem Freund aus deiner Liste.', friends: 'Freunde', back: 'Zurück',

  codes: {
    chat_off: 'Der Chat ist ausgeschaltet.', no_such_room: 'Dieser Raum steht dir nicht offen.',
    not_in_room: 'Du bist nicht in diesem Raum.', too_many_rooms: 'Du bist in zu vielen Räumen zugleich.',
    cannot_say: 'Du kannst hier lesen, aber nicht schreiben.', bad_text: 'Eine Zeile hat 1 bis 300 Zeichen.',
    repeated_line: 'Das hast du gerade erst geschrieben.', too_many_lines: 'Du schreibst sehr schnell.',
    muted: 'Du bist stumm geschaltet.', busy: 'Der Server ist ausgelastet, und Spiele gehen vor.',
  },
};
