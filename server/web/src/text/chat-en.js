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
  empty: 'Nobody has written here yet.', newer: 'New messages', write: 'Write a line', send: 'Send', you: 'You',
  sending: 'on its way …', stillSending: 'Your last line is still on its way.',
  count: (/** @type {number} */ count) => `${count} of 300 characters`,
  tooLong: (/** @type {number} */ count) => `A line has at most 300 characters; this one has ${count}.`,
  more: (/** @type {string} */ name) => `More about ${name}`, profile: 'Profile', block: 'Block', report: 'Report',
  registerFirst: 'Register to block or report players.',
  guest: 'Guests cannot be blocked: they come back with another name.',
  readOnly: 'You can read here. Only registered players write.', notFriends: 'You write to players who are your friends.',
  muted: (/** @type {number | undefined} */ until, /** @type {string | undefined} */ reason) => (
    `A moderator has muted you${until ? ` until ${momentText('en', until)}` : ''}${reason ? `: ${reason}` : '.'}`),
  heard: (/** @type {string} */ name) => `${name} has written.`,
  noMessages: 'No messages yet. Write to a friend from your list of friends.', friends: 'Friends', back: 'Back',

  /** @type {Record<string, string>} */
  codes: {
    chat_off: 'Chat is switched off.', no_such_room: 'This room is not open to you.',
    not_in_room: 'You are not in this room.', too_many_rooms: 'You are in too many rooms at once.', cannot_say: 'You can read here, but not write.',
    bad_text: 'A line has between 1 and 300 characters.', repeated_line: 'You wrote the same a moment ago.',
    too_many_lines: 'You write very fast.', muted: 'A moderator has muted you.',
    busy: 'The server is busy, and games come first.',
  },
};
