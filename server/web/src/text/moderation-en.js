// The texts about reports and moderation, in English. The same keys as moderation-de.js.

/** The texts about reports and moderation, in English. */
export const moderationEn = {
  title: 'Moderation', forbidden: 'Moderators see reports here.',
  reports: 'Reports', noReports: 'There are no reports.', more: 'More',
  open: 'Open', closed: (/** @type {number} */ number) => `Closed by action ${number}`,
  line: (/** @type {string} */ reason, /** @type {string} */ date) => `${reason}, ${date}`,
  by: (/** @type {string} */ name) => `Reported by ${name}`,
  show: 'Show', showNamed: (/** @type {string} */ name) => `Show the report about ${name}`,
  context: 'The lines around it', noContext: 'The report names no line.', game: 'The game',
  reported: 'Reported line',
  reasons: /** @type {Record<string, string>} */ ({
    abuse: 'Insults, threats, spam', cheating: 'Help by a program or a person', stalling: 'Letting the time run out',
    name: 'The name', other: 'Something else',
  }),
  report: {
    act: 'Report', title: (/** @type {string} */ name) => `Report ${name}`, reason: 'Reason', words: 'What happened?',
    hint: (/** @type {string} */ name) => `Moderators read this. ${name} is not told.`, send: 'Send',
    done: 'Thank you. The moderators have your report.',
  },
  act: {
    title: 'Act', action: 'Action', reason: 'Reason, which the player reads', hours: 'Hours; empty: until it is undone',
    handle: 'New handle', send: 'Do it', done: (/** @type {number} */ number) => `Done: action ${number}.`,
    actions: /** @type {Record<string, string>} */ ({
      close: 'Close the report', hide_lines: 'Hide the line', mute: 'No chat', no_rated: 'No rated games',
      no_public: 'No public games', suspend: 'Suspend', rename: 'Another handle', forgive: 'Forgive the points',
    }),
  },
  done: /** @type {Record<string, string>} */ ({
    muted: 'no chat', rated_games_forbidden: 'no rated games', public_games_forbidden: 'no public games',
    suspended: 'suspended', lines_hidden: 'lines hidden:', renamed: 'another handle', report_closed: 'report closed',
    undone: 'undone:', waiting_time: 'waiting time', forgiven: 'points forgiven',
    role_granted: 'role given:', role_revoked: 'role taken:',
  }),
  points: (/** @type {number} */ points) => `Points for games left: ${points}.`,
  server: 'The server',
  history: 'What was done about this player', audit: 'Audit', nothing: 'Nothing was done.',
  entry: (/** @type {string} */ actor, /** @type {string} */ action, /** @type {string} */ target) => (
    `${actor}: ${action}, ${target}`),
  until: (/** @type {string} */ date) => `until ${date}`,
  undo: 'Undo', undoNamed: (/** @type {number} */ number) => `Undo action ${number}`,
  undoReason: 'Why is it undone?',
};
