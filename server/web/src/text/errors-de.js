// The server's refusals, in German sentences for players. The same keys as errors-en.js.

const FAULT_DE = 'Etwas ist schiefgegangen. Bitte lade die Seite neu.';
const MOVED_ON_DE = 'Die Partie ist inzwischen weitergegangen.';

/** @param {Record<string, any>} detail */
const listedDe = ({ words: list }) => new Intl.ListFormat('de').format((list ?? []).map(String));

/**
 * The texts about refusals and connections, in German.
 *
 * @type {typeof import('./errors-en.js').errorsEn}
 */
export const errorsDe = {
  codes: {
    bad_frame: FAULT_DE, bad_message: FAULT_DE, unknown_op: 'Dieser Server kann das noch nicht.', bad_field: FAULT_DE,
    too_large: 'Das ist zu lang.', rate_limited: 'Zu viele Anfragen. Bitte langsamer.', not_authenticated: FAULT_DE,
    already_authenticated: FAULT_DE, bad_token: 'Du wurdest auf diesem Gerät abgemeldet.',
    revoked: 'Der Betreiber hat deinen Zugang geschlossen.',
    unsupported_version: 'Diese Seite ist älter als der Server. Bitte neu laden.', request_id_reused: FAULT_DE,
    busy: 'Der Server ist ausgelastet.', shutting_down: 'Der Server startet gleich neu.',
    internal: 'Fehler im Server. Nichts wurde geändert.', unknown_seek: 'Dieses Angebot gibt es nicht mehr.',
    cmd_id_reused: FAULT_DE, unknown_game: 'Partie nicht gefunden. Vielleicht ist sie nicht mehr gespeichert.',
    not_a_player: 'Du spielst in dieser Partie nicht mit.',
    code_required: 'Diese Partie ist privat: Zum Zusehen brauchst du ihren Link.',
    game_over: 'Die Partie ist zu Ende.', not_started: 'Die Partie hat noch nicht begonnen.',
    already_ready: 'Du bist schon bereit.', not_your_turn: 'Du bist nicht am Zug.', wrong_position: MOVED_ON_DE,
    gap: 'Zwischen den Steinen ist eine Lücke.', not_in_line: 'Die Steine liegen nicht in einer Linie.',
    off_board: 'Ein Stein liegt außerhalb des Bretts.', occupied: 'Auf diesem Feld liegt schon ein Stein.',
    not_adjacent: 'Der Zug muss einen Stein auf dem Brett berühren.',
    centre_missed: 'Der erste Zug muss das Startfeld belegen.', tile_not_in_rack: 'Diesen Stein hast du nicht.',
    too_few_tiles: 'Der erste Zug braucht mehr Steine.', no_tiles: 'In diesem Zug ist kein Stein.',
    blank_unassigned: 'Wähle einen Buchstaben für das Blanko.',
    invalid_words: (detail) => (
      detail.words?.length ? `Ungültig: ${listedDe(detail)}.` : 'Kein gültiger Zug.'),
    window_closed: 'Der Zug kann nicht mehr angezweifelt werden.',
    final_phase: 'Der letzte Zug kann noch angezweifelt werden. Niemand ist am Zug.',
    storage_paused: 'Der Server kann gerade nicht speichern. Nichts geht verloren.',
    command_in_flight: 'Deine letzte Aktion wird noch verarbeitet.', stopped: 'Keine Verbindung.',
  },
  unknown: (code) => `Der Server hat das abgelehnt (${code.slice(0, 40)}).`,
  said: (message) => `Der Server meldet: ${message.slice(0, 300)}`,
  later: 'Das geht gerade nicht. Bitte versuch es noch einmal.',
  wait: (ms) => `Bitte warte ${Math.ceil(ms / 1000)} s.`,
  offline: 'Keine Verbindung. Wird neu verbunden …',
  offlineFor: (seconds) => `Keine Verbindung. Nächster Versuch in ${seconds} s.`,
  tryNow: 'Jetzt versuchen',
  restarting: 'Der Server startet neu. Deine Partien gehen gleich weiter.',
  full: 'Der Server ist voll. Neuer Versuch läuft automatisch …',
  stopped: 'Verbindung getrennt.',
  reconnect: 'Neu verbinden',
  tooManyTabs: 'Du bist in zu vielen Tabs oder auf zu vielen Geräten verbunden. Schließ einige davon.',
  newGuest: 'Deine Gast-Identität ist abgelaufen; du bist jetzt ein neuer Gast.',
  lostIdentity: 'Du wurdest auf diesem Gerät abgemeldet.',
  loggedOut: 'Du bist abgemeldet: Deine Sitzung auf diesem Gerät ist beendet.',
  asNewGuest: 'Neuer Gast',
  revokedTitle: 'Dein Zugang ist geschlossen',
  revokedText: 'Der Betreiber dieses Servers hat ihn geschlossen. Laufende Partien gehen ohne dich weiter.',
  revokedReason: (text) => `Grund: ${text.slice(0, 500)}`,
  fault: 'Etwas ist schiefgegangen. Meist hilft es, die Seite neu zu laden.',
  reload: 'Neu laden',
  noScript: 'Ein Teil der Seite konnte nicht geladen werden.',
  noScriptHint: 'Vielleicht bist du offline, oder es gibt eine neue Version der Seite.',
  tryAgain: 'Noch einmal versuchen',
};
