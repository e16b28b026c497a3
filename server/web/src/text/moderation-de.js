// The texts about reports and moderation, in German. The same keys as moderation-en.js.

/**
 * The texts about reports and moderation, in German.
 *
 * @type {typeof import('./moderation-en.js').moderationEn}
 */
export const moderationDe = {
  title: 'Moderation', forbidden: 'Hier sehen die Moderatoren Meldungen.',
  reports: 'Meldungen', noReports: 'Es gibt keine Meldungen.', more: 'Mehr',
  open: 'Offen', closed: (number) => `Erledigt durch Maßnahme ${number}`,
  line: (reason, date) => `${reason}, ${date}`,
  by: (name) => `Gemeldet von ${name}`,
  show: 'Zeigen', showNamed: (name) => `Die Meldung über ${name} zeigen`,
  context: 'Die Zeilen darum herum', noContext: 'Die Meldung nennt keine Zeile.', game: 'Die Partie',
  reported: 'Gemeldete Zeile',
  reasons: {
    abuse: 'Beleidigung, Drohung, Werbung', cheating: 'Hilfe durch ein Programm oder eine Person',
    stalling: 'Zeit verstreichen lassen', name: 'Der Name', other: 'Etwas anderes',
  },
  report: {
    act: 'Melden', title: (name) => `${name} melden`, reason: 'Grund', words: 'Was ist passiert?',
    hint: (name) => `Das lesen die Moderatoren. ${name} erfährt nichts davon.`, send: 'Senden',
    done: 'Danke. Die Moderatoren haben deine Meldung.',
  },
  act: {
    title: 'Handeln', action: 'Maßnahme', reason: 'Grund, den die Person liest',
    hours: 'Stunden; leer: bis sie aufgehoben wird', handle: 'Neuer Benutzername', send: 'Ausführen',
    done: (number) => `Erledigt: Maßnahme ${number}.`,
    actions: {
      close: 'Meldung schließen', hide_lines: 'Zeile verbergen', mute: 'Kein Chat', no_rated: 'Keine gewerteten Partien',
      no_public: 'Keine öffentlichen Partien', suspend: 'Sperren', rename: 'Anderer Benutzername',
      forgive: 'Punkte erlassen',
    },
  },
  done: {
    muted: 'kein Chat', rated_games_forbidden: 'keine gewerteten Partien',
    public_games_forbidden: 'keine öffentlichen Partien', suspended: 'gesperrt', lines_hidden: 'Zeilen verborgen:',
    renamed: 'anderer Benutzername', report_closed: 'Meldung geschlossen', undone: 'aufgehoben:',
    waiting_time: 'Wartezeit', forgiven: 'Punkte erlassen',
    role_granted: 'Rolle gegeben:', role_revoked: 'Rolle genommen:',
  },
  points: (points) => `Punkte für verlassene Partien: ${points}.`,
  server: 'Der Server',
  history: 'Was wegen dieser Person geschah', audit: 'Protokoll', nothing: 'Es ist nichts geschehen.',
  entry: (actor, action, target) => `${actor}: ${action}, ${target}`,
  until: (date) => `bis ${date}`,
  undo: 'Aufheben', undoNamed: (number) => `Maßnahme ${number} aufheben`,
  undoReason: 'Warum wird sie aufgehoben?',
};
