// The texts of the chat, in English. The same keys as chat-de.js.

import { timeText } from './dates.js';
import { momentText } from './units.js';

/** For so long a time of day says enough. */
const CLOCK_MS_EN = 12 * 3_600_000;

/** The texts of the chat, in English. */
export const chatEn = {
  title: 'Chat', messages: 'Messages', room: 'Room', players: 'Players', spectators: 'Spectators', lobby: 'Chat',
  time: (/** @type {number} */ at) => (Date.now() - at < CLOCK_MS_EN ? timeText : momentText)('en', at),
  opens: (/** @type {string} */ name, /** @type {number} */ count) => (count > 0 ? `${name}, ${count} new` : name),
  fresh: (/** @type {number} */ count) => `${count} new`,
  withFriend: (/** @type {string} */ name) => `Messages with ${name}`,
  empty: 'No messages yet.', newer: 'New messages', write: 'Write a message', send: 'Send', you: 'You',
  sending: 'sending …', stillSending: 'Your last message is still being sent.',
  count: (/** @type {number} */ count) => `${count} of 300 characters`,
  tooLong: (/** @type {number} */ count) => `Messages can have at most 300 characters; this one has ${count}.`,
  more: (/** @type {string} */ name) => `More about ${name}`, profile: 'Profile', block: 'Block', report: 'Report',
  registerFirst: 'Register to block or report players.',
  guest: 'Guests can’t be blocked: they could return under another name.',
  readOnly: 'Register to write here.', notFriends: 'You can only message friends.',
  muted: (/** @type {number | undefined} */ until, /** @type {string | undefined} */ reason) => (
    `A moderator has muted you${until ? ` until ${momentText('en', until)}` : ''}${reason ? `: ${reason}` : '.'}`),
  heard: (/** @type {string} */ name) => `New message from ${name}.`,
  noMessages: 'No messages yet. Message a friend from your friends list.', friends: 'Friends', back: 'Back',

  /** @type {Record<string, string>} */
  codes: {
    chat_off: 'Chat is turned off.', no_such_room: 'You can’t enter this room.',
    not_in_room: 'You are not in this room.', too_many_rooms: 'You are in too many rooms at once.', cannot_say: 'You can read here but not write.',
    bad_text: 'Messages need 1 to 300 characters.', repeated_line: 'You just said that.',
    too_many_lines: 'You’re sending messages too fast.', muted: 'A moderator has muted you.',
    busy: 'The server is busy, and games come first. Please try again.',
  },
};
