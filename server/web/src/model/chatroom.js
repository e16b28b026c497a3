// The page's state of one chat room: its lines in order and each once, the line that is being sent, and the number of lines that
// are new to the player.

/** The longest line, characters. */
export const CHAT_TEXT_MAX = 300;
/** The most lines of one answer: where more are missing, there is a gap. */
const CHAT_ANSWER_MAX = 200;
/** The most lines that the page keeps of a room. */
const CHAT_LINES_KEPT = 500;

/** @typedef {Protocol.ChatLine} ChatLine */

/**
 * A line on its way. `line`: its number, once it is stored; `isSeen`: whether it stands among the lines already.
 *
 * @typedef {{ cmdId: string, text: string, line?: number, isSeen: boolean }} SendingLine
 */

/**
 * @typedef {object} RoomState
 * @property {ChatLine[]} lines The oldest first.
 * @property {boolean} isLoaded Whether the server has told the lines that there were.
 * @property {boolean} canSay
 * @property {SendingLine | undefined} sending
 * @property {{ cmdId: string, text: string } | undefined} refused The last line, if it was refused: the server may have it
 *   all the same, so it goes out again under its old `cmd_id` (P-CHAT-5).
 */

/**
 * A room without any data yet.
 *
 * @returns {RoomState}
 */
export function emptyRoom() {
  return { lines: [], isLoaded: false, canSay: false, sending: undefined, refused: undefined };
}

/**
 * The number of the last line, 0 before the first.
 *
 * @param {RoomState} room
 */
export function lastLine({ lines }) {
  return lines.at(-1)?.line ?? 0;
}

/**
 * The number after which the server is asked for lines; `undefined`: the newest ones.
 *
 * @param {RoomState} room
 */
export function askAfter(room) {
  return room.isLoaded ? lastLine(room) || undefined : undefined;
}

/**
 * The connection has joined the room. Lines before a gap go: what is missing between them could never be told.
 *
 * @param {RoomState} room
 * @param {Pick<Protocol.ChatAnswer, 'lines' | 'can_say'>} answer
 */
export function takeJoined(room, { lines = [], can_say: canSay = false }) {
  const last = lastLine(room);
  const isGap = lines.length > 0 && lines[0].line > last + 1 && lines[lines.length - 1].line - last > CHAT_ANSWER_MAX;
  if (isGap) room.lines = [];
  mergeLines(room, lines);
  Object.assign(room, { canSay, isLoaded: true });
}

/**
 * A line was pushed. Returns whether it is new.
 *
 * @param {RoomState} room
 * @param {ChatLine} line
 * @param {string | undefined} identity The own one.
 */
export function takeLine(room, line, identity) {
  const { lines, sending } = room;
  if (lines.some((other) => other.line === line.line)) return false;
  mergeLines(room, [line]);
  // The push can come before the answer, which has the number.
  if (sending && line.identity === identity && line.text === oneLine(sending.text)) sending.isSeen = true;
  return true;
}

/**
 * @param {RoomState} room
 * @param {ChatLine[]} lines
 */
function mergeLines(room, lines) {
  const all = new Map([...room.lines, ...lines].map((line) => [line.line, line]));
  room.lines = [...all.values()].sort((a, b) => a.line - b.line).slice(-CHAT_LINES_KEPT);
  dropStored(room);
}

/** The line on its way has arrived, once it is among the others. @param {RoomState} room */
function dropStored(room) {
  const { sending, lines } = room;
  if (sending?.line !== undefined && lines.some(({ line }) => line === sending.line)) room.sending = undefined;
}

/**
 * The player writes a line.
 *
 * @param {RoomState} room
 * @param {string} text
 * @param {string} newId The `cmd_id` of a new line.
 * @returns {SendingLine}
 */
export function beginLine(room, text, newId) {
  const cmdId = room.refused?.text === text ? room.refused.cmdId : newId;
  room.refused = undefined;
  room.sending = { cmdId, text, isSeen: false };
  return room.sending;
}

/**
 * The server has stored the line.
 *
 * @param {RoomState} room
 * @param {string} cmdId
 * @param {number} line
 */
export function lineStored(room, cmdId, line) {
  if (room.sending?.cmdId !== cmdId) return;
  room.sending.line = line;
  dropStored(room);
}

/**
 * The server has refused the line: it is not on its way any more.
 *
 * @param {RoomState} room
 * @param {string} cmdId
 */
export function lineRefused(room, cmdId) {
  if (room.sending?.cmdId !== cmdId) return;
  room.refused = { cmdId, text: room.sending.text };
  room.sending = undefined;
}

/**
 * The line that the server has not answered.
 *
 * @param {RoomState} room
 */
export function unanswered({ sending }) {
  return sending?.line === undefined ? sending : undefined;
}

/**
 * Takes away what a player has written.
 *
 * @param {RoomState} room
 * @param {string} identity
 */
export function hideWriter(room, identity) {
  room.lines = room.lines.filter((line) => line.identity !== identity);
}

/**
 * Takes lines away that a moderator has hidden (P-CHAT-11). Returns whether one was there.
 *
 * @param {RoomState} room
 * @param {number[]} numbers
 */
export function hideLines(room, numbers) {
  const { length } = room.lines;
  room.lines = room.lines.filter(({ line }) => !numbers.includes(line));
  return room.lines.length < length;
}

/**
 * How many lines are new to the player. Who has answered a line has read it, also on another device.
 *
 * @param {RoomState} room
 * @param {number} read The last line that was read on this device.
 * @param {string | undefined} identity The own one.
 */
export function unreadLines({ lines }, read, identity) {
  const from = lines.reduce((last, line) => (line.identity === identity ? line.line : last), 0);
  return lines.filter(({ line }) => line > read && line > from).length;
}

/**
 * A text as the server keeps it, as far as the page needs to know: one space for each white space.
 *
 * @param {string} text
 */
export function oneLine(text) {
  return text.trim().replace(/\s+/g, ' ');
}

/**
 * How many characters a text has, as the server counts them.
 *
 * @param {string} text
 */
export function charactersOfLine(text) {
  return [...oneLine(text)].length;
}
