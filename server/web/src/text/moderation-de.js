// The texts about reports and moderation, in German. The same keys as moderation-en.js.

/**
 * The texts about reports and moderation, in German.
 *
 * @type {typeof import('./moderation-en.js').moderationEn}
 */
export const moderationDe = {
  title: 'Moderation', forbidden: 'Nur Moderatoren können diese Seite sehen.',
  reports: 'Meldungen', noReports: 'Keine Meldungen.', more: 'Mehr',
  open: 'Offen', closed: (number) => `Erledigt durch Maßnahme ${number}`,
  line: (reason, date) => `${reason}, ${date}`,
  by: (name) => `Gemeldet von ${name}`,
  show: 'Zeigen', showNamed: (name) => `Die Meldung über ${name} zeigen`,
  context: 'Nachrichten davor und danach', noContext: 'Keine Nachricht wurde gemeldet.', game: 'Die Partie',
  reported: 'Gemeldete Nachricht',
  reasons: {
    abuse: 'Beleidigung, Drohung, Werbung', cheating: 'Betrug (fremde Hilfe)',
    stalling: 'Zeitspiel', name: 'Unpassender Benutzername', other: 'Etwas anderes',
  },
  report: {
    act: 'Melden', title: (name) => `${name} melden`, reason: 'Grund', words: 'Was ist passiert?',
    hint: (name) => `Das lesen nur die Moderatoren. ${name} erfährt nichts davon.`, send: 'Senden',
    done: 'Danke. Deine Meldung ging an die Moderatoren.',
  },
  act: {
    title: 'Maßnahme ergreifen', action: 'Maßnahme', reason: 'Grund (sieht der Spieler)',
    hours: 'Stunden (leer = bis zur Aufhebung)', handle: 'Neuer Benutzername', send: 'Anwenden',
    done: (number) => `Erledigt: Maßnahme ${number}.`,
    actions: {
      close: 'Meldung schließen', hide_lines: 'Nachricht ausblenden', mute: 'Im Chat stumm schalten', no_rated: 'Keine gewerteten Partien',
      no_public: 'Keine öffentlichen Partien', suspend: 'Sperren', rename: 'Umbenennen',
      forgive: 'Strafpunkte erlassen',
    },
  },
  done: {
    muted: 'im Chat stumm geschaltet', rated_games_forbidden: 'keine gewerteten Partien',
    public_games_forbidden: 'keine öffentlichen Partien', suspended: 'gesperrt', lines_hidden: 'Nachrichten ausgeblendet:',
    renamed: 'umbenannt', report_closed: 'Meldung geschlossen', undone: 'aufgehoben:',
    waiting_time: 'Wartezeit', forgiven: 'Strafpunkte erlassen',
    role_granted: 'Rolle gegeben:', role_revoked: 'Rolle genommen:',
  },
  points: (points) => `Strafpunkte für verlassene Partien: ${points}.`,
  server: 'Der Server',
  history: 'Bisherige Maßnahmen', audit: 'Moderationsprotokoll', nothing: 'Noch keine Maßnahmen.',
  entry: (actor, action, target) => `${actor}: ${action}, ${target}`,
  until: (date) => `bis ${date}`,
  undo: 'Aufheben', undoNamed: (number) => `Maßnahme ${number} aufheben`,
  undoReason: 'Grund der Aufhebung',
};
