// The texts about reports and moderation, in English. The same keys as moderation-de.js.

/** The texts about reports and moderation, in English. */
export const moderationEn = {
  title: 'Moderation', forbidden: 'Only moderators can see this page.',
  reports: 'Reports', noReports: 'No reports.', more: 'More',
  open: 'Open', closed: (/** @type {number} */ number) => `Closed by action ${number}`,
  line: (/** @type {string} */ reason, /** @type {string} */ date) => `${reason}, ${date}`,
  by: (/** @type {string} */ name) => `Reported by ${name}`,
  show: 'Show', showNamed: (/** @type {string} */ name) => `Show the report about ${name}`,
  context: 'Surrounding messages', noContext: 'No message was reported.', game: 'The game',
  reported: 'Reported message',
  reasons: /** @type {Record<string, string>} */ ({
    abuse: 'Insults, threats, spam', cheating: 'Cheating (outside help)', stalling: 'Stalling',
    name: 'Inappropriate username', other: 'Other',
  }),
  report: {
    act: 'Report', title: (/** @type {string} */ name) => `Report ${name}`, reason: 'Reason', words: 'What happened?',
    hint: (/** @type {string} */ name) => `Only moderators read this. ${name} won’t be told.`, send: 'Send',
    done: 'Thank you. Your report has been sent to the moderators.',
  },
  act: {
    title: 'Take action', action: 'Action', reason: 'Reason (shown to the player)', hours: 'Hours (empty = until lifted)',
    handle: 'New username', send: 'Apply', done: (/** @type {number} */ number) => `Done: action ${number}.`,
    actions: /** @type {Record<string, string>} */ ({
      close: 'Close report', hide_lines: 'Hide message', mute: 'Mute in chat', no_rated: 'No rated games',
      no_public: 'No public games', suspend: 'Suspend', rename: 'Force rename', forgive: 'Clear abandonment points',
    }),
  },
  done: /** @type {Record<string, string>} */ ({
    muted: 'muted in chat', rated_games_forbidden: 'no rated games', public_games_forbidden: 'no public games',
    suspended: 'suspended', lines_hidden: 'messages hidden:', renamed: 'renamed', report_closed: 'report closed',
    undone: 'undone:', waiting_time: 'waiting time', forgiven: 'abandonment points cleared',
    role_granted: 'role granted:', role_revoked: 'role revoked:',
  }),
  points: (/** @type {number} */ points) => `Abandonment points: ${points}.`,
  server: 'The server',
  history: 'Moderation history', audit: 'Moderation log', nothing: 'No actions yet.',
  entry: (/** @type {string} */ actor, /** @type {string} */ action, /** @type {string} */ target) => (
    `${actor}: ${action}, ${target}`),
  until: (/** @type {string} */ date) => `until ${date}`,
  undo: 'Undo', undoNamed: (/** @type {number} */ number) => `Undo action ${number}`,
  undoReason: 'Reason for undoing',
};
