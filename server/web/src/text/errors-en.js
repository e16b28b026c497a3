// The server's refusals, in English sentences for players. The same keys as errors-de.js.

/** A fault of this page: players can do nothing but reload. */
const FAULT_EN = 'Something went wrong. Please reload the page.';
const MOVED_ON_EN = 'The game has already moved on.';

/** @param {Record<string, any>} detail */
const listedEn = ({ words: list }) => new Intl.ListFormat('en').format((list ?? []).map(String));

/** The texts about refusals and connections, in English. */
export const errorsEn = {
  /** @type {Record<string, string | ((detail: Record<string, any>) => string)>} */
  codes: {
    bad_frame: FAULT_EN, bad_message: FAULT_EN, unknown_op: 'This server doesn’t offer that yet.',
    bad_field: FAULT_EN, too_large: 'That is too long.', rate_limited: 'Too many requests – please slow down.',
    not_authenticated: FAULT_EN, already_authenticated: FAULT_EN,
    bad_token: 'You have been signed out on this device.',
    revoked: 'Your access has been closed by the operator.',
    unsupported_version: 'This page is older than the server. Please reload it.', request_id_reused: FAULT_EN,
    busy: 'The server is busy.', shutting_down: 'The server is about to restart.',
    internal: 'Server error. Nothing was changed.', unknown_seek: 'This offer is no longer open.', cmd_id_reused: FAULT_EN,
    unknown_game: 'Game not found. It may no longer be stored.',
    not_a_player: 'You are not a player in this game.',
    code_required: 'This game is private: you need its link to watch.',
    game_over: 'The game is over.', not_started: 'The game hasn’t started yet.',
    already_ready: 'You are already ready.', not_your_turn: 'It is not your turn.', wrong_position: MOVED_ON_EN,
    gap: 'The tiles leave a gap.', not_in_line: 'The tiles must be in one line.',
    off_board: 'A tile is off the board.', occupied: 'This square is already occupied.',
    not_adjacent: 'The play must touch a tile on the board.',
    centre_missed: 'The first play must cover the start square.', tile_not_in_rack: 'You don’t have this tile.',
    too_few_tiles: 'The first play needs more tiles.', no_tiles: 'This play has no tiles.',
    blank_unassigned: 'Choose a letter for the blank.',
    invalid_words: (detail) => (
      detail.words?.length ? `Not valid: ${listedEn(detail)}.` : 'Not a valid play.'),
    window_closed: 'The play can no longer be challenged.',
    final_phase: 'The final play can still be challenged. No more moves.',
    storage_paused: 'The server can’t save right now. Nothing is lost.',
    command_in_flight: 'Your last action is still being processed.', stopped: 'No connection.',
  },
  /** @param {string} code */
  unknown: (code) => `The server refused this (${code.slice(0, 40)}).`,
  /** @param {string} message */
  said: (message) => `The server says: ${message.slice(0, 300)}`,
  later: 'The server can’t do this right now. Please try again.',
  /** @param {number} ms */
  wait: (ms) => `Please wait ${Math.ceil(ms / 1000)} s.`,
  offline: 'No connection. Reconnecting …',
  /** @param {number} seconds */
  offlineFor: (seconds) => `No connection. Retrying in ${seconds} s.`,
  tryNow: 'Retry now',
  restarting: 'The server is restarting. Your games will resume in a moment.',
  full: 'The server is full. Retrying automatically…',
  stopped: 'Disconnected.',
  reconnect: 'Reconnect',
  tooManyTabs: 'You are connected in too many tabs or devices. Close some of them.',
  newGuest: 'Your guest identity has expired; you are now a new guest.',
  lostIdentity: 'You have been signed out on this device.',
  loggedOut: 'You are signed out: your session on this device has ended.',
  asNewGuest: 'New guest',
  revokedTitle: 'Your access has been closed',
  revokedText: 'The operator of this server has closed it. Games in progress continue without you.',
  /** @param {string} text */
  revokedReason: (text) => `Reason: ${text.slice(0, 500)}`,
  fault: 'Something went wrong. Reloading usually helps.',
  reload: 'Reload',
  noScript: 'Part of the page could not be loaded.',
  noScriptHint: 'You may be offline, or a new version of the page may be available.',
  tryAgain: 'Try again',
};
