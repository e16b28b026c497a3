// The server's refusals, in English sentences for players. The same keys as errors-de.js.

/** A fault of this page: players can do nothing but reload. */
const FAULT_EN = 'The page sent something that the server does not understand. Please reload it.';
const MOVED_ON_EN = 'The game has moved on in the meantime.';

/** @param {Record<string, any>} detail */
const listedEn = ({ words: list }) => new Intl.ListFormat('en').format((list ?? []).map(String));

/** The texts about refusals and connections, in English. */
export const errorsEn = {
  /** @type {Record<string, string | ((detail: Record<string, any>) => string)>} */
  codes: {
    bad_frame: FAULT_EN, bad_message: FAULT_EN, unknown_op: 'This server does not offer that yet.',
    bad_field: FAULT_EN, too_large: 'That is too long.', rate_limited: 'That was too much at once.',
    not_authenticated: FAULT_EN, already_authenticated: FAULT_EN,
    bad_token: 'The server no longer accepts your identity on this device.',
    revoked: 'The operator has closed your identity.',
    unsupported_version: 'This page is older than the server. Please reload it.', request_id_reused: FAULT_EN,
    busy: 'The server is busy.', shutting_down: 'The server is about to restart.',
    internal: 'The server failed. Nothing was changed.', unknown_seek: 'This offer is gone.', cmd_id_reused: FAULT_EN,
    unknown_game: 'There is no such game, or it is not kept any longer.',
    not_a_player: 'You have no seat in this game.',
    code_required: 'This game is private. Only its link lets you watch.',
    game_over: 'The game is over.', not_started: 'The game has not begun yet.',
    already_ready: 'You are ready already.', not_your_turn: 'It is not your turn.', wrong_position: MOVED_ON_EN,
    gap: 'The tiles leave a gap.', not_in_line: 'The tiles are not in one line.',
    off_board: 'A tile would lie off the board.', occupied: 'A tile lies on this square already.',
    not_adjacent: 'The play does not touch a tile on the board.',
    centre_missed: 'The first play must cover the start square.', tile_not_in_rack: 'You do not have this tile.',
    too_few_tiles: 'The first play needs more tiles.', no_tiles: 'There is no tile in this play.',
    blank_unassigned: 'Choose a letter for the blank.',
    invalid_words: (detail) => (
      detail.words?.length ? `Not in the lexicon: ${listedEn(detail)}.` : 'Not in the lexicon.'),
    window_closed: 'The play can no longer be challenged.',
    final_phase: 'The last play is up for challenge. Nobody can play now.',
    storage_paused: 'The server cannot save at the moment. Nothing is lost.',
    command_in_flight: 'Your last action has not been answered yet.', stopped: 'There is no connection.',
  },
  /** @param {string} code */
  unknown: (code) => `The server refused this (${code.slice(0, 40)}).`,
  /** @param {string} message */
  said: (message) => `The server says: ${message.slice(0, 300)}`,
  later: 'The server cannot do this now. Please try again.',
  /** @param {number} ms */
  wait: (ms) => `Please wait ${Math.ceil(ms / 1000)} s.`,
  offline: 'No connection. Trying again …',
  /** @param {number} seconds */
  offlineFor: (seconds) => `No connection. Next try in ${seconds} s.`,
  tryNow: 'Try now',
  restarting: 'The server restarts. Your games go on in a moment.',
  full: 'The server has no room at the moment. The page tries again by itself.',
  stopped: 'The connection has ended.',
  reconnect: 'Connect again',
  tooManyTabs: 'This identity is open in too many tabs or devices. Close some of them.',
  newGuest: 'The server did not know your old identity any more. You are a new guest now.',
  lostIdentity: 'The server no longer accepts your identity.',
  loggedOut: 'You are logged out: your session on this device has ended.',
  asNewGuest: 'New guest',
  revokedTitle: 'This identity is closed',
  revokedText: 'The operator of this server has closed it. Games in progress go on without you.',
  /** @param {string} text */
  revokedReason: (text) => `Reason: ${text.slice(0, 500)}`,
  fault: 'The page and the server do not understand each other. Reloading the page often helps.',
  reload: 'Reload',
  noScript: 'A part of the page could not be loaded.',
  noScriptHint: 'The connection may be lost, or the server may have a new version of the page.',
  tryAgain: 'Try again',
};
