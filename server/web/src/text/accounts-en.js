// The texts around accounts and players, in English. The same keys as accounts-de.js.

import { agoText, dateText, shortDateText, timeText } from './dates.js';
import { countEn } from './lobby-en.js';

/** @param {number} at Unix ms. */
const dateEn = (at) => dateText('en', at);
const HANDLE_FORM_EN = '3 to 20 letters and digits; single - and _ may stand between them.';
const NOT_YET_EN = 'This server does not offer that yet.';
const SITE_EN = 'The site around this page keeps your name and your password.';

/** The texts of the pages around accounts and players, in English. */
export const accountsEn = {
  date: dateEn, day: (/** @type {number} */ at) => shortDateText('en', at),
  moment: (/** @type {number} */ at) => `${dateEn(at)}, ${timeText('en', at)}`,
  /** A time that is over, as in "3 hours ago". @param {number} ms */
  ago: (ms) => agoText('en', ms),

  register: {
    title: 'Register', act: 'Register', busy: 'Registering …',
    /** @param {string} guest */
    lead: (guest) => (guest ? `You play as the guest ${guest}. Register, and your games and seats stay yours.`
      : 'Your games and seats stay yours.'),
    gains: [
      'Your handle is yours alone, and so is everything that looks like it.',
      'Your games are there on every device on which you log in.',
      'No mail address is needed: if you forget the password, a recovery code lets you in.',
    ],
    address: 'Mail address (optional)',
    addressHint: 'A code comes there first. Later, such a code lets you in without the password.',
    known: 'Registered already?',
    /** @param {string} handle */
    done: (handle) => `You are registered as ${handle}.`,
  },
  logIn: {
    title: 'Log in', act: 'Log in', busy: 'Logging in …', forgot: 'Forgot the password? Use a recovery code',
    unknown: 'Not registered yet?', byMail: 'Log in with a code sent by mail', notByMail: 'Use the password',
    /** @param {string} guest */
    aside: (guest) => (
      `The guest ${guest} waits on this device: when you log out, you are ${guest} again, with the guest’s games.`),
    /** @param {string} handle */
    done: (handle) => `You are logged in as ${handle}.`,
  },
  recover: {
    title: 'Recover the account', act: 'Set the password', busy: 'Setting the password …',
    lead: 'Each of your ten recovery codes sets a new password once. All other sessions end.',
    leadByMail: 'A code sent to the mail address of your account sets a new password. All other sessions end.',
    byMail: 'Use a code sent by mail', notByMail: 'Use a recovery code',
    wrong: 'The handle or the code is wrong.', code: 'Recovery code', codeHint: 'Case, blanks and hyphens do not count.',
    /** @param {string} handle */
    done: (handle) => `The new password is set, and you are logged in as ${handle}.`,
  },
  logOut: {
    title: 'Log out?', gamesText: 'Your games go on without you, and so do their clocks. Log in again to play on.',
    /** @param {string} guest */
    asGuest: (guest) => `You are logged out, and the guest ${guest} again.`,
    asNewGuest: 'You are logged out, and a new guest.',
  },

  field: {
    handle: 'Handle', handleHint: HANDLE_FORM_EN, password: 'Password', newPassword: 'New password',
    current: 'Current password', passwordHint: 'At least 10 characters. Several uncommon words make a good one.',
    show: 'Show', hide: 'Hide', showWhat: 'Show the password', hideWhat: 'Hide the password',
    missing: 'Please fill this in.',
  },
  /** @param {string} time As in 0:05. */
  wait: (time) => `You can try again in ${time}.`,
  again: 'You can try again now.',

  codesCard: {
    title: 'Your recovery codes',
    lead: 'Keep these codes where you find them without this device: on paper, or in a password manager. Each one sets a '
      + 'new password once, and this is the only time that they are shown.',
    list: 'Recovery codes', copy: 'Copy', copied: 'The codes are copied.', download: 'Download',
    copySelf: 'The codes are selected: copy them with your keyboard.',
    /** @param {string} handle @param {string} host */
    file: (handle, host) => `Recovery codes of ${handle} at ${host}. Each one sets a new password once.`,
    saved: 'I have kept the codes.', savedFirst: 'Keep the codes first, then tick the box.', done: 'Done',
    /** @param {number} left @param {boolean} hasMail */
    left: (left, hasMail) => (left === 0
      ? `No recovery code is left: if you forget the password, ${hasMail ? 'only a code by mail lets you in' : 'nobody can let you in'}.`
      : `${countEn(left, 'recovery code is', 'recovery codes are')} left.`),
    unsaved: 'You have not kept your recovery codes yet.', showThem: 'Show them',
  },

  account: {
    title: 'Account', guest: 'You play as a guest', guestText: 'Registered players have an account.',
    site: 'Your account belongs to the site', siteText: SITE_EN,
    sessions: 'Sessions',
    here: 'this browser', used: (/** @type {string} */ ago) => `used ${ago}`,
    since: (/** @type {string} */ date) => `since ${date}`, unnamed: 'An unknown program',
    end: 'End', endNamed: (/** @type {string} */ label) => `End the session ${label}`, ended: 'The session has ended.',
    endOthers: 'End all other sessions', othersEnded: 'All other sessions have ended.',
    password: 'Change the password', passwordText: 'All other sessions end.', passwordAct: 'Change the password',
    passwordDone: 'The password is changed, and all other sessions have ended.',
    byMail: 'Forgotten, or never set? A code sent to your mail address sets a new password. For that you log out here.',
    byMailAct: 'Log out and set a password by mail',
    handle: 'Change the handle', newHandle: 'New handle', handleAct: 'Change the handle', busy: 'Changing …',
    handleText: 'Once in 30 days. The old one stays reserved for you for a year; games that exist keep it.',
    handleDone: (/** @type {string} */ handle) => `Your handle is ${handle} now.`,
    renew: 'New recovery codes', renewAct: 'Get new codes',
    renewText: 'You get ten new codes. The codes that you have now stop working.',
    points: (/** @type {number} */ points) => `${points === 1 ? '1 point' : `${points} points`} for games that you left.`,
    waiting: (/** @type {string} */ date) => `No public games until ${date}.`,
  },

  player: {
    title: 'Player', registered: (/** @type {string} */ date) => `Registered on ${date}`, rolesLabel: 'Roles',
    unknownTitle: 'No player has this handle', unknownText: 'It may have been changed.',
    bot: 'Bot', botText: 'A program plays.',
    roles: /** @type {Record<string, string>} */ ({ moderator: 'Moderator', director: 'Director', admin: 'Admin' }),
  },

  relations: {
    title: 'Friends', friends: 'Friends', followedTitle: 'You follow', blockedTitle: 'You block',
    guestText: 'Registered players follow each other, and see which of their friends are here.',
    none: 'You have no friends yet. Follow players on their pages: two who follow each other are friends, and see when '
      + 'the other one is online and what the other one plays.',
    online: 'online', offline: 'offline', plays: 'in a game', watch: 'Watch',
    watchNamed: (/** @type {string} */ handle) => `Watch the game of ${handle}`,
    message: 'Message', messageNamed: (/** @type {string} */ handle) => `Message ${handle}`,
    since: (/** @type {string} */ date) => `since ${date}`,
    report: 'Report', follow: 'Follow', unfollow: 'Unfollow', block: 'Block', unblock: 'Unblock',
    unblockNamed: (/** @type {string} */ handle) => `Unblock ${handle}`,
    followed: (/** @type {string} */ handle) => `You follow ${handle}.`,
    unfollowed: (/** @type {string} */ handle) => `You no longer follow ${handle}.`,
    blocked: (/** @type {string} */ handle) => `You block ${handle}.`,
    unblocked: (/** @type {string} */ handle) => `You no longer block ${handle}.`,
    blockTitle: (/** @type {string} */ handle) => `Block ${handle}?`,
    blockText: (/** @type {string} */ handle) => (
      'No offer and no search for a game brings the two of you together, and you no longer follow each other. A game that '
      + `you play now goes on. ${handle} is not told.`),
    isFriend: 'You are friends: you follow each other.',
    isFollowed: (/** @type {string} */ handle) => `You follow ${handle}. You are friends once ${handle} follows you too.`,
    isBlocked: (/** @type {string} */ handle) => `You block ${handle}: no offer brings the two of you together.`,
  },

  /** The moderator's action about the player. */
  moderated: {
    kinds: /** @type {Record<string, string>} */ ({
      mute: 'A moderator has muted you in chat', no_rated: 'A moderator keeps you from rated games',
      no_public: 'A moderator keeps you from public games', suspend: 'A moderator has suspended you',
      hide_lines: 'A moderator has hidden lines that you wrote', rename: 'A moderator has given you another handle',
      undo: 'A moderator has undone an action about you', wait: 'You cannot open or join public games',
      forgive: 'A moderator has taken your points for games that you left away',
    }),
    other: 'A moderator has acted on your account',
    sentence: (/** @type {string} */ done, /** @type {string} */ until, /** @type {string} */ reason) => (
      `${done}${until && ` until ${until}`}: ${reason}`),
  },
  invitations: {
    open: 'Invitations', invite: 'Invite', inviteNamed: (/** @type {string} */ handle) => `Invite ${handle}`,
    isSent: 'You have invited', isReceived: 'Invites you',
    send: (/** @type {string} */ handle) => `Invite ${handle} to this game`,
    sent: (/** @type {string} */ handle) => `You have invited ${handle}.`,
    arrived: (/** @type {string} */ handle, /** @type {string} */ game) => `${handle} invites you: ${game}.`,
    accept: 'Accept', decline: 'Decline', cancel: 'Cancel', later: 'Later',
    acceptNamed: (/** @type {string} */ handle) => `Accept the invitation of ${handle}`,
    declineNamed: (/** @type {string} */ handle) => `Decline the invitation of ${handle}`,
    cancelNamed: (/** @type {string} */ handle) => `Cancel the invitation to ${handle}`,
    blockNamed: (/** @type {string} */ handle) => `Block ${handle}`,
    declineTitle: (/** @type {string} */ handle) => `Decline the invitation of ${handle}?`,
    declineText: 'The other player gets your reason.',
    reasons: { busy: 'No time now', other_options: 'Other options, please', no: 'No, thanks' },
    declined: (/** @type {string} */ handle, /** @type {string} */ reason) => {
      const why = reason === 'busy' ? ': no time now' : reason === 'other_options' ? ': other options would be better' : '';
      return `${handle} declines your invitation${why}.`;
    },
    expired: (/** @type {string} */ handle) => `Your invitation to ${handle} has expired.`,
    from: 'Invitations', fromText: 'Whose invitations do you want to get? Nobody is told of your choice.',
    fromLabel: 'Invitations from', saved: 'Your choice is saved.',
    inviters: { anybody: 'anybody', followed: 'players that I follow', nobody: 'nobody' },
  },
  person: {
    profile: 'Profile', players: 'Players',
    registerFirst: 'Register to block or report players.',
    guest: 'Guests cannot be blocked: they come back with another name.',
  },
  chat: {
    title: 'Chat', label: 'I want chat',
    text: 'Without chat you are in no room, on all your devices, and nobody can write to you. Nobody is told of your choice.',
    isOn: 'Chat is on.', isOff: 'Chat is off. Nobody can write to you.',
  },
  letters: {
    title: 'Letters by mail',
    text: 'The server writes to you about games by correspondence when you are not here. Messages about your account always come.',
    none: 'You have no mail address here: no letters come.',
    to: (/** @type {string} */ address) => `Letters come to ${address}.`,
    refused: (/** @type {string} */ address) => `Mail servers refuse ${address}. Set the address again, or another one.`,
    kinds: 'Letters that I want',
    of: {
      turn: 'when it is my turn', update: 'about turns of others', reminder: 'when my time runs out',
      result: 'when a game has ended', invitation: 'when a player invites me',
    },
    language: 'Language of the letters', languages: { en: 'English', de: 'German' }, saved: 'Your choice is saved.',
    confirm: 'Confirm the address', noPassword: 'Without a password, set one first: see “Change the password”.',
    changed: 'Your mail address is set.', remove: 'Remove the address', removed: 'Your mail address is removed.',
  },
  mailCode: {
    address: 'Mail address', code: 'Code in the letter', ask: 'Send a code', asking: 'Sending …',
    sent: (/** @type {string} */ address) => `A code comes to ${address}. It is valid for 15 minutes.`,
    sentIfKnown: (/** @type {string} */ address) => (
      `If an account has the address ${address}, a code comes there. It is valid for 15 minutes.`),
    again: 'Send another code', other: 'Another address',
  },
  pushes: {
    title: 'Notifications', kinds: 'Notifications that I want', devices: 'Browsers that get them',
    text: 'This browser can tell you about games by correspondence while the page is closed. The server sends them through the '
      + 'push service of the browser, which cannot read them. They end when you log out.',
    off: 'This server sends no notifications.', missing: 'This browser cannot get notifications here.',
    denied: 'This browser does not allow notifications from this page. You can change that in its settings.',
    here: 'This browser gets notifications.', notHere: 'This browser gets no notifications.',
    start: 'Notify me in this browser', stop: 'Notify me here no more', started: 'Notifications come to this browser.',
    stopped: 'No more notifications come there.', failed: 'The browser could not reach its push service. Please try again.',
    unused: 'no notification yet', used: (/** @type {string} */ ago) => `last notification ${ago}`,
    remove: 'Remove', removeNamed: (/** @type {string} */ label) => `Remove ${label}`,
  },
  vacation: {
    title: 'Vacation', days: 'Days', take: 'Go on vacation', busy: 'Sending …', end: 'End the vacation',
    text: 'In games by correspondence that have vacations, your deadlines move by these days. You have 30 days in any 365.',
    here: 'You are not on vacation.', away: (/** @type {string} */ date) => `You are on vacation until ${date}.`,
    left: (/** @type {number} */ days) => `${countEn(days, 'day is', 'days are')} left.`,
    taken: 'Your deadlines have moved.', ended: 'The vacation is over. Whole days that you did not use are yours again.',
    wrong: 'Write a number of days from 1 to 30.',
  },
  ownData: {
    title: 'Your data', export: 'Download everything', exporting: 'Downloading …',
    text: 'A ZIP file with everything that the server has about you: account, games, lines, ratings and more.',
    exported: 'The file is on this device.', failed: 'The file ended early. Please try again.',
    eraseTitle: 'Erase the account',
    eraseText: 'After 14 days, or as the operator has set, your games are resigned, and account, lines and friends are gone. '
      + 'Games stay, with another name in your place. Until then you can take it back.',
    confirm: 'Type your handle to confirm', erase: 'Erase everything about me', busy: 'Sending …',
    asked: (/** @type {string} */ date) => `You will be erased on ${date}.`,
    due: (/** @type {string} */ date) => `Everything about you is erased on ${date}.`,
    keep: 'Take it back', kept: 'Nothing is erased.',
  },

  ratings: {
    of: (/** @type {string} */ pool) => `Rating: ${pool}`,
    point: (/** @type {string} */ date, /** @type {number} */ rating, /** @type {number} */ deviation,
      /** @type {boolean} */ isProvisional) => (
      `${date}: ${rating} ± ${deviation}${isProvisional ? ', provisional' : ''}`),
    table: 'As a table', day: 'Day', rating: 'Rating', deviation: 'Deviation',
  },
  versus: {
    title: 'You against this player',
  },
  figures: {
    title: 'Statistics',
    names: {
      games: 'Games', won: 'Won (two players)', lost: 'Lost (two players)', shared: 'Tied (two players)',
      three: 'By place (three players)', four: 'By place (four players)', finished: 'Stayed to the end',
      counted: 'Counted games', perTurn: 'Points a turn', perGame: 'Points a game',
      high: 'Highest score', low: 'Lowest score', highestPlay: 'Highest play', bingos: 'Bingos a game',
      phonies: 'Phonies played', caught: 'Phonies caught', challengesWon: 'Challenges won',
      challengesLost: 'Challenges lost', exchanges: 'Exchanges', first: 'Had the first turn', turnTime: 'Time for a turn',
    },
  },

  /** @type {Record<string, string | ((detail: Record<string, any>) => string)>} */
  codes: {
    unreachable: 'The server cannot be reached. Please try again.',
    handle_too_short: 'A handle has at least 3 characters.', handle_too_long: 'A handle has at most 20 characters.',
    handle_character: HANDLE_FORM_EN, handle_no_letter: 'A handle needs at least one letter.',
    handle_mixed_scripts: 'The letters of a handle belong to one script: Latin, Greek, Cyrillic …',
    handle_reserved: 'This handle is reserved. Please choose another one.',
    handle_taken: 'This handle, or one that looks like it, belongs to somebody else.',
    handle_changed_recently: ({ until }) => (until === undefined ? 'You have changed your handle within 30 days.'
      : `You can change your handle again from ${dateEn(until)}.`),
    password_too_short: 'A password has at least 10 characters.',
    password_too_long: 'A password has at most 128 characters.',
    password_too_weak: 'This password is easy to guess. Take several uncommon words without your handle, or let your '
      + 'browser make one up.',
    bad_credentials: 'The handle or the password is wrong.',
    wrong_proof: 'This is not your current password.', too_many_tries: 'That was wrong too often.',
    session_ended: 'Your session has ended. Please log in again.', no_such_session: 'This session has ended already.',
    already_registered: 'You are registered already.', no_change: 'This is your handle already.',
    not_registered: 'Only registered players can do this.', site_account: SITE_EN,
    suspended: ({ until, reason = '' }) => (until === undefined ? `Your account is suspended: ${reason}`
      : `Your account is suspended until ${dateEn(until)}: ${reason}`),
    bad_words: 'Write at most 500 characters.', bad_reason: 'Give a reason of 1 to 500 characters.',
    bad_until: 'The end must be in the future, and only a restriction has one.',
    bad_lines: 'Name 1 to 50 lines of one room.',
    unknown_line: 'There is no such line.', unknown_report: 'There is no such report.',
    unknown_act: 'There is no such action.', cannot_undo: 'This cannot be undone.',
    no_effect: 'This changes nothing: it is over, or something else has replaced it.',
    too_many_reports: 'You have sent 10 reports within 24 hours.',
    push_off: 'This server sends no notifications.', unknown_device: 'That browser gets no notifications already.',
    bad_endpoint: 'The push service of this browser cannot be used.', bad_push_keys: 'This browser gave no usable keys.',
    push_key_changed: 'The key of the server has changed. Please try again.',
    too_many_devices: 'Too many browsers get notifications already. Remove one first.',
    mail_off: 'This server sends no mail.', mail_taken: 'Another account has this mail address.',
    mail_code_wrong: 'This is not the code in the letter.', mail_code_invalid: 'This code is no longer valid. Ask for another one.',
    bad_address: 'This is not a mail address.', no_credential: 'An account without a password needs its mail address.',
    forbidden: 'You may not do this.', origin: 'The server does not let pages of this address do that.',
    yourself: 'This is you.', blocked_by_you: 'You block this player. Unblock first.',
    too_many_followed: 'You follow 500 players already.', too_many_blocked: 'You block 1,000 players already.',
    unknown_player: 'No player has this handle.',
    bad_days: 'Write a number of days from 1 to 30.', too_few_days: 'You have fewer days left.',
    not_on_vacation: 'You are not on vacation.',
    not_confirmed: 'This is not your handle.', no_erasure: 'There is nothing to take back.',
    already_invited: 'You have invited this player to such a game already.',
    too_many_invitations: 'You have as many open invitations as possible. Cancel one first.',
    unknown_invitation: 'This invitation is no longer open.', not_found: NOT_YET_EN,
    method_not_allowed: NOT_YET_EN,
  },
};
