// The texts around accounts and players, in English. The same keys as accounts-de.js.

import { agoText, dateText, shortDateText, timeText } from './dates.js';
import { countEn } from './lobby-en.js';

/** @param {number} at Unix ms. */
const dateEn = (at) => dateText('en', at);
const HANDLE_FORM_EN = '3 to 20 letters and digits; single - and _ are allowed in between.';
const NOT_YET_EN = 'This server doesn’t offer that yet.';
const SITE_EN = 'Your name and password are managed by the site you came from.';

/** The texts of the pages around accounts and players, in English. */
export const accountsEn = {
  date: dateEn, day: (/** @type {number} */ at) => shortDateText('en', at),
  moment: (/** @type {number} */ at) => `${dateEn(at)}, ${timeText('en', at)}`,
  /** A time that is over, as in "3 hours ago". @param {number} ms */
  ago: (ms) => agoText('en', ms),

  register: {
    title: 'Register', act: 'Register', busy: 'Registering …',
    /** @param {string} guest */
    lead: (guest) => (guest ? `You are playing as the guest ${guest}. Register to keep your games and seats.`
      : 'You keep your games and seats.'),
    gains: [
      'Nobody else can take your username or a look-alike of it.',
      'Your games are available on every device you sign in on.',
      'No email needed: if you forget your password, a recovery code lets you in.',
    ],
    address: 'Email (optional)',
    addressHint: 'We send a code to confirm it. Later you can sign in with an emailed code instead of the password.',
    known: 'Already registered?',
    /** @param {string} handle */
    done: (handle) => `You are registered as ${handle}.`,
  },
  logIn: {
    title: 'Sign in', act: 'Sign in', busy: 'Signing in …', forgot: 'Forgot your password? Use a recovery code',
    unknown: 'Not registered yet?', byMail: 'Sign in with an emailed code', notByMail: 'Use your password',
    /** @param {string} guest */
    aside: (guest) => (
      `Your guest ${guest} is kept on this device: sign out and you are ${guest} again, with that guest’s games.`),
    /** @param {string} handle */
    done: (handle) => `You are signed in as ${handle}.`,
  },
  recover: {
    title: 'Recover the account', act: 'Set password', busy: 'Setting password …',
    lead: 'Each of your ten recovery codes can be used once to set a new password. You are signed out everywhere else.',
    leadByMail: 'Set a new password with a code sent to your account’s email. You are signed out everywhere else.',
    byMail: 'Use an emailed code', notByMail: 'Use a recovery code',
    wrong: 'Wrong username or code.', code: 'Recovery code', codeHint: 'Capitals, spaces and hyphens don’t matter.',
    /** @param {string} handle */
    done: (handle) => `Your new password is set, and you are signed in as ${handle}.`,
  },
  logOut: {
    title: 'Sign out?', gamesText: 'Your games continue without you and the clocks keep running. Sign in again to play on.',
    /** @param {string} guest */
    asGuest: (guest) => `You are signed out, and the guest ${guest} again.`,
    asNewGuest: 'You are signed out, and a new guest.',
  },

  field: {
    handle: 'Username', handleHint: HANDLE_FORM_EN, password: 'Password', newPassword: 'New password',
    current: 'Current password', passwordHint: 'At least 10 characters. Several uncommon words work well.',
    show: 'Show', hide: 'Hide', showWhat: 'Show password', hideWhat: 'Hide password',
    missing: 'Please fill in this field.',
  },
  /** @param {string} time As in 0:05. */
  wait: (time) => `You can try again in ${time}.`,
  again: 'You can try again now.',

  codesCard: {
    title: 'Your recovery codes',
    lead: 'Keep these codes somewhere off this device: on paper or in a password manager. Each one can be used once to set '
      + 'a new password. They are shown only this once.',
    list: 'Recovery codes', copy: 'Copy', copied: 'Codes copied.', download: 'Download',
    copySelf: 'The codes are selected: copy them with your keyboard.',
    /** @param {string} handle @param {string} host */
    file: (handle, host) => `Recovery codes for ${handle} at ${host}. Each one can be used once to set a new password.`,
    saved: 'I have saved these codes.', savedFirst: 'Save the codes, then tick the box.', done: 'Done',
    /** @param {number} left @param {boolean} hasMail */
    left: (left, hasMail) => (left === 0
      ? `No recovery codes left: if you forget your password, ${hasMail ? 'only an emailed code lets you in' : 'you lose access to your account'}.`
      : `${countEn(left, 'recovery code', 'recovery codes')} left.`),
    unsaved: 'You haven’t saved your recovery codes yet.', showThem: 'Show them',
  },

  account: {
    title: 'Account', guest: 'You are playing as a guest', guestText: 'Registered players have an account.',
    site: 'Your account is managed by the site', siteText: SITE_EN,
    sessions: 'Sessions',
    here: 'this browser', used: (/** @type {string} */ ago) => `used ${ago}`,
    since: (/** @type {string} */ date) => `since ${date}`, unnamed: 'Unknown program',
    end: 'Sign out', endNamed: (/** @type {string} */ label) => `Sign out ${label}`, ended: 'Signed out there.',
    endOthers: 'Sign out everywhere else', othersEnded: 'You are signed out everywhere else.',
    password: 'Change password', passwordText: 'You are signed out everywhere else.', passwordAct: 'Change password',
    passwordDone: 'Password changed. You are signed out everywhere else.',
    byMail: 'Forgot it, or never set one? Set a new password with a code sent to your email. This signs you out here.',
    byMailAct: 'Sign out and set a password by email',
    handle: 'Change username', newHandle: 'New username', handleAct: 'Change username', busy: 'Changing …',
    handleText: 'Once every 30 days. Your old username stays reserved for you for a year; existing games keep it.',
    handleDone: (/** @type {string} */ handle) => `Your username is now ${handle}.`,
    renew: 'New recovery codes', renewAct: 'Get new codes',
    renewText: 'You get ten new codes. Your current codes stop working.',
    points: (/** @type {number} */ points) => `${points === 1 ? '1 abandonment point' : `${points} abandonment points`} for games you left.`,
    waiting: (/** @type {string} */ date) => `No public games until ${date}.`,
  },

  player: {
    title: 'Player', registered: (/** @type {string} */ date) => `Registered on ${date}`, rolesLabel: 'Roles',
    unknownTitle: 'Player not found', unknownText: 'The username may have been changed.',
    bot: 'Bot', botText: 'A computer player.',
    roles: /** @type {Record<string, string>} */ ({ moderator: 'Moderator', director: 'Director', admin: 'Admin' }),
  },

  relations: {
    title: 'Friends', friends: 'Friends', followedTitle: 'Following', blockedTitle: 'Blocked',
    guestText: 'Register to follow other players and see which of your friends are online.',
    none: 'You have no friends yet. Follow players from their profiles: players who follow each other become friends and '
      + 'see when the other is online and playing.',
    online: 'online', offline: 'offline', plays: 'in a game', watch: 'Watch',
    watchNamed: (/** @type {string} */ handle) => `Watch ${handle}’s game`,
    message: 'Message', messageNamed: (/** @type {string} */ handle) => `Message ${handle}`,
    since: (/** @type {string} */ date) => `since ${date}`,
    report: 'Report', follow: 'Follow', unfollow: 'Unfollow', block: 'Block', unblock: 'Unblock',
    unblockNamed: (/** @type {string} */ handle) => `Unblock ${handle}`,
    followed: (/** @type {string} */ handle) => `You are following ${handle}.`,
    unfollowed: (/** @type {string} */ handle) => `You no longer follow ${handle}.`,
    blocked: (/** @type {string} */ handle) => `You have blocked ${handle}.`,
    unblocked: (/** @type {string} */ handle) => `You have unblocked ${handle}.`,
    blockTitle: (/** @type {string} */ handle) => `Block ${handle}?`,
    blockText: (/** @type {string} */ handle) => (
      `You won’t be paired or see each other’s offers, and you stop following ${handle}. A game in progress continues. `
      + `${handle} won’t be told.`),
    isFriend: 'You are friends: you follow each other.',
    isFollowed: (/** @type {string} */ handle) => `You are following ${handle}. You become friends when ${handle} follows you back.`,
    isBlocked: (/** @type {string} */ handle) => `You have blocked ${handle}: you won’t be paired or see each other’s offers.`,
  },

  /** The moderator's action about the player. */
  moderated: {
    kinds: /** @type {Record<string, string>} */ ({
      mute: 'A moderator has muted you in chat', no_rated: 'You can’t play rated games',
      no_public: 'You can’t play public games', suspend: 'A moderator has suspended your account',
      hide_lines: 'A moderator has hidden some of your messages', rename: 'A moderator has changed your username',
      undo: 'A moderator has lifted an action on your account', wait: 'You can’t create or join public games',
      forgive: 'A moderator has cleared your abandonment points',
    }),
    other: 'A moderator has taken action on your account',
    sentence: (/** @type {string} */ done, /** @type {string} */ until, /** @type {string} */ reason) => (
      `${done}${until && ` until ${until}`}: ${reason}`),
  },
  invitations: {
    open: 'Invitations', invite: 'Invite', inviteNamed: (/** @type {string} */ handle) => `Invite ${handle}`,
    isSent: 'Invited by you', isReceived: 'Invites you',
    send: (/** @type {string} */ handle) => `Invite ${handle} to this game`,
    sent: (/** @type {string} */ handle) => `You have invited ${handle}.`,
    arrived: (/** @type {string} */ handle, /** @type {string} */ game) => `${handle} invites you: ${game}.`,
    accept: 'Accept', decline: 'Decline', cancel: 'Cancel', later: 'Later',
    acceptNamed: (/** @type {string} */ handle) => `Accept ${handle}’s invitation`,
    declineNamed: (/** @type {string} */ handle) => `Decline ${handle}’s invitation`,
    cancelNamed: (/** @type {string} */ handle) => `Cancel the invitation to ${handle}`,
    blockNamed: (/** @type {string} */ handle) => `Block ${handle}`,
    declineTitle: (/** @type {string} */ handle) => `Decline ${handle}’s invitation?`,
    declineText: 'They will see your reason.',
    reasons: { busy: 'Not right now', other_options: 'Different settings, please', no: 'No, thanks' },
    declined: (/** @type {string} */ handle, /** @type {string} */ reason) => {
      const why = reason === 'busy' ? ': not right now' : reason === 'other_options' ? ': different settings, please' : '';
      return `${handle} declined your invitation${why}.`;
    },
    expired: (/** @type {string} */ handle) => `Your invitation to ${handle} has expired.`,
    from: 'Invitations', fromText: 'Who can invite you? Nobody is told what you choose.',
    fromLabel: 'Allow invitations from', saved: 'Saved.',
    inviters: { anybody: 'everyone', followed: 'players I follow', nobody: 'nobody' },
  },
  person: {
    profile: 'Profile', players: 'Players',
    registerFirst: 'Register to block or report players.',
    guest: 'Guests can’t be blocked: they could return under another name.',
  },
  chat: {
    title: 'Chat', label: 'Enable chat',
    text: 'Turns chat off on all your devices: you won’t see or receive messages. Nobody is told what you choose.',
    isOn: 'Chat is on.', isOff: 'Chat is off. Nobody can message you.',
  },
  letters: {
    title: 'Email notifications',
    text: 'Emails about your correspondence games while you are away. Emails about your account are always sent.',
    none: 'You have no email set, so no emails are sent.',
    to: (/** @type {string} */ address) => `Emails go to ${address}.`,
    refused: (/** @type {string} */ address) => `Emails to ${address} bounce. Set it again, or use another one.`,
    kinds: 'Email me',
    of: {
      turn: 'when it’s my turn', update: 'when others move', reminder: 'when my time is running out',
      result: 'when a game ends', invitation: 'when someone invites me',
    },
    language: 'Email language', languages: { en: 'English', de: 'German' }, saved: 'Saved.',
    confirm: 'Confirm email', noPassword: 'No password yet? Set one first under “Change password”.',
    changed: 'Your email is set.', remove: 'Remove email', removed: 'Your email is removed.',
  },
  mailCode: {
    address: 'Email', code: 'Code from the email', ask: 'Send a code', asking: 'Sending …',
    sent: (/** @type {string} */ address) => `A code has been sent to ${address}. It is valid for 15 minutes.`,
    sentIfKnown: (/** @type {string} */ address) => (
      `If an account uses ${address}, a code has been sent there. It is valid for 15 minutes.`),
    delayed: () => 'This server can’t send email at the moment. The code comes later, or try again later.',
    again: 'Send another code', other: 'Use another email',
  },
  pushes: {
    title: 'Notifications', kinds: 'Notify me', devices: 'Browsers with notifications',
    text: 'Get notifications about your correspondence games in this browser while the page is closed. They are sent through '
      + 'the browser’s push service, which can’t read them, and stop when you sign out.',
    off: 'This server doesn’t send notifications.', missing: 'This browser doesn’t support notifications here.',
    denied: 'This browser blocks notifications from this page. You can change that in its settings.',
    here: 'Notifications are on in this browser.', notHere: 'Notifications are off in this browser.',
    start: 'Notify me in this browser', stop: 'Stop notifications in this browser',
    started: 'Notifications turned on.', stopped: 'Notifications turned off.',
    failed: 'The browser could not reach its push service. Please try again.', unused: 'no notifications yet', used: (/** @type {string} */ ago) => `last notification ${ago}`,
    remove: 'Remove', removeNamed: (/** @type {string} */ label) => `Remove ${label}`,
  },
  vacation: {
    title: 'Vacation', days: 'Days', take: 'Go on vacation', busy: 'Sending …', end: 'End the vacation',
    text: 'In correspondence games with vacation enabled, your deadlines are extended by these days. You get 30 days per 365.',
    here: 'You are not on vacation.', away: (/** @type {string} */ date) => `You are on vacation until ${date}.`,
    left: (/** @type {number} */ days) => `${countEn(days, 'day', 'days')} left.`,
    taken: 'Your deadlines are extended.', ended: 'Your vacation is over. Unused whole days are returned to you.',
    wrong: 'Enter a number of days from 1 to 30.',
  },
  ownData: {
    title: 'Your data', export: 'Download everything', exporting: 'Downloading …',
    text: 'A ZIP file with everything the server stores about you: account, games, messages, ratings and more.',
    exported: 'Your data has been downloaded.', failed: 'The download was interrupted. Please try again.',
    eraseTitle: 'Delete the account',
    eraseText: 'After a waiting period (usually 14 days), your current games are resigned and your account, messages and '
      + 'friends are deleted. Your games stay under another name. You can cancel until then.',
    confirm: 'Type your username to confirm', erase: 'Delete the account', busy: 'Sending …',
    asked: (/** @type {string} */ date) => `Deletion requested: your account will be deleted on ${date}.`,
    due: (/** @type {string} */ date) => `Your account will be deleted on ${date}.`,
    keep: 'Cancel deletion', kept: 'Your account will not be deleted.',
  },

  ratings: {
    of: (/** @type {string} */ pool) => `Rating: ${pool}`,
    point: (/** @type {string} */ date, /** @type {number} */ rating, /** @type {number} */ deviation,
      /** @type {boolean} */ isProvisional) => (
      `${date}: ${rating} ± ${deviation}${isProvisional ? ', provisional' : ''}`),
    table: 'As a table', day: 'Day', rating: 'Rating', deviation: 'Deviation',
  },
  versus: {
    title: 'You vs. this player',
  },
  figures: {
    title: 'Statistics',
    names: {
      games: 'Games', won: 'Won (two players)', lost: 'Lost (two players)', shared: 'Tied (two players)',
      three: 'By place (three players)', four: 'By place (four players)', finished: 'Games completed',
      counted: 'Games counted', perTurn: 'Points per turn', perGame: 'Points per game',
      high: 'Highest score', low: 'Lowest score', highestPlay: 'Highest play', bingos: 'Bingos per game',
      phonies: 'Phonies played', caught: 'Phonies caught', challengesWon: 'Challenges won',
      challengesLost: 'Challenges lost', exchanges: 'Exchanges', first: 'Went first', turnTime: 'Average time per turn',
    },
  },

  /** @type {Record<string, string | ((detail: Record<string, any>) => string)>} */
  codes: {
    unreachable: 'Can’t reach the server. Please try again.',
    handle_too_short: 'Usernames need at least 3 characters.', handle_too_long: 'Usernames can have at most 20 characters.',
    handle_character: HANDLE_FORM_EN, handle_no_letter: 'A username needs at least one letter.',
    handle_mixed_scripts: 'All letters of a username must be from one script: Latin, Greek, Cyrillic …',
    handle_reserved: 'This username is reserved. Please choose another.',
    handle_taken: 'This username, or one that looks like it, is already taken.',
    handle_changed_recently: ({ until }) => (until === undefined ? 'You have changed your username in the last 30 days.'
      : `You can change your username again from ${dateEn(until)}.`),
    password_too_short: 'Passwords need at least 10 characters.',
    password_too_long: 'Passwords can have at most 128 characters.',
    password_too_weak: 'This password is easy to guess. Use several uncommon words without your username, or let your '
      + 'browser suggest one.',
    bad_credentials: 'Wrong username or password.',
    wrong_proof: 'This is not your current password.', too_many_tries: 'Too many wrong attempts.',
    session_ended: 'Your session has ended. Please sign in again.', no_such_session: 'This session has already ended.',
    already_registered: 'You are already registered.', no_change: 'This is already your username.',
    not_registered: 'Only registered players can do this.', site_account: SITE_EN,
    suspended: ({ until, reason = '' }) => (until === undefined ? `Your account is suspended: ${reason}`
      : `Your account is suspended until ${dateEn(until)}: ${reason}`),
    bad_words: 'Use at most 500 characters.', bad_reason: 'Give a reason of 1 to 500 characters.',
    bad_until: 'The end must be in the future, and only restrictions can have one.',
    bad_lines: 'Select 1 to 50 messages from one room.',
    unknown_line: 'Message not found.', unknown_report: 'Report not found.',
    unknown_act: 'Action not found.', cannot_undo: 'This can’t be undone.',
    no_effect: 'No effect: this is over or has been replaced.',
    too_many_reports: 'You have sent 10 reports in the last 24 hours.',
    push_off: 'This server doesn’t send notifications.', unknown_device: 'Notifications are already off in that browser.',
    bad_endpoint: 'The push service of this browser can’t be used.', bad_push_keys: 'This browser gave no usable keys.',
    push_key_changed: 'The server’s key has changed. Please try again.',
    too_many_devices: 'Too many browsers have notifications on. Remove one first.',
    mail_off: 'This server doesn’t send email.', mail_taken: 'Another account uses this email.',
    mail_code_wrong: 'This is not the code from the email.', mail_code_invalid: 'This code is no longer valid. Request a new one.',
    bad_address: 'This is not a valid email.', no_credential: 'An account without a password needs its email.',
    forbidden: 'You are not allowed to do this.', origin: 'The server doesn’t allow this from this site.',
    yourself: 'This is you.', blocked_by_you: 'You have blocked this player. Unblock them first.',
    too_many_followed: 'You are already following 500 players.', too_many_blocked: 'You have already blocked 1,000 players.',
    unknown_player: 'Player not found.',
    bad_days: 'Enter a number of days from 1 to 30.', too_few_days: 'You don’t have that many days left.',
    not_on_vacation: 'You are not on vacation.',
    not_confirmed: 'This is not your username.', no_erasure: 'There is no deletion to cancel.',
    already_invited: 'You have already invited this player to this kind of game.',
    too_many_invitations: 'You have too many open invitations. Cancel one first.',
    unknown_invitation: 'This invitation is no longer open.', not_found: NOT_YET_EN,
    method_not_allowed: NOT_YET_EN,
  },
};
