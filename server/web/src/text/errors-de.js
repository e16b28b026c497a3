// The server's refusals, in German sentences for players. The same keys as errors-en.js.

const FAULT_DE = 'Die Seite hat etwas gesendet, das der Server nicht versteht. Bitte neu laden.';
const MOVED_ON_DE = 'Das Spiel ist inzwischen weitergegangen.';

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
    too_large: 'Das ist zu lang.', rate_limited: 'Das war zu viel auf einmal.', not_authenticated: FAULT_DE,
    already_authenticated: FAULT_DE, bad_token: 'Der Server erkennt dich auf diesem Gerät nicht mehr an.',
    revoked: 'Der Betreiber hat deinen Zugang geschlossen.',
    unsupported_version: 'Diese Seite ist älter als der Server. Bitte neu laden.', request_id_reused: FAULT_DE,
    busy: 'Der Server ist ausgelastet.', shutting_down: 'Der Server startet gleich neu.',
    internal: 'Fehler im Server. Nichts wurde geändert.', unknown_seek: 'Dieses Angebot gibt es nicht mehr.',
    cmd_id_reused: FAULT_DE, unknown_game: 'Dieses Spiel gibt es nicht oder nicht mehr.',
    not_a_player: 'Du hast keinen Platz in diesem Spiel.',
    code_required: 'Das Spiel ist privat. Zusehen geht nur mit seinem Link.',
    game_over: 'Das Spiel ist zu Ende.', not_started: 'Das Spiel hat noch nicht begonnen.',
    already_ready: 'Du bist schon bereit.', not_your_turn: 'Du bist nicht am Zug.', wrong_position: MOVED_ON_DE,
    gap: 'Zwischen den Steinen ist eine Lücke.', not_in_line: 'Die Steine liegen nicht in einer Linie.',
    off_board: 'Ein Stein läge neben dem Brett.', occupied: 'Auf diesem Feld liegt schon ein Stein.',
    not_adjacent: 'Der Zug berührt keinen Stein auf dem Brett.',
    centre_missed: 'Der erste Zug muss das Startfeld belegen.', tile_not_in_rack: 'Diesen Stein hast du nicht.',
    too_few_tiles: 'Der erste Zug braucht mehr Steine.', no_tiles: 'In diesem Zug ist kein Stein.',
    blank_unassigned: 'Wähle einen Buchstaben für den Blanko.',
    invalid_words: (detail) => (
      detail.words?.length ? `Nicht im Wörterbuch: ${listedDe(detail)}.` : 'Nicht im Wörterbuch.'),
    window_closed: 'Der Zug kann nicht mehr angezweifelt werden.',
    final_phase: 'Der letzte Zug kann noch angezweifelt werden. Niemand ist am Zug.',
    storage_paused: 'Der Server kann gerade nicht speichern. Nichts geht verloren.',
    command_in_flight: 'Deine letzte Aktion ist noch nicht beantwortet.', stopped: 'Es gibt keine Verbindung.',
  },
  unknown: (code) => `Der Server hat das abgelehnt (${code.slice(0, 40)}).`,
  said: (message) => `Der Server meldet: ${message.slice(0, 300)}`,
  later: 'Das geht gerade nicht. Bitte versuch es noch einmal.',
  wait: (ms) => `Bitte warte ${Math.ceil(ms / 1000)} s.`,
  offline: 'Keine Verbindung. Neuer Versuch …',
  offlineFor: (seconds) => `Keine Verbindung. Nächster Versuch in ${seconds} s.`,
  tryNow: 'Jetzt versuchen',
  restarting: 'Der Server startet neu. Deine Spiele gehen gleich weiter.',
  full: 'Der Server ist gerade voll. Die Seite versucht es von selbst wieder.',
  stopped: 'Die Verbindung ist beendet.',
  reconnect: 'Neu verbinden',
  tooManyTabs: 'Du bist in zu vielen Tabs oder Geräten zugleich angemeldet. Schließ einige davon.',
  newGuest: 'Der Server kannte dich nicht mehr. Du bist jetzt ein neuer Gast.',
  lostIdentity: 'Der Server erkennt dich nicht mehr an.',
  loggedOut: 'Du bist abgemeldet: Deine Sitzung auf diesem Gerät ist beendet.',
  asNewGuest: 'Neuer Gast',
  revokedTitle: 'Dieser Zugang ist geschlossen',
  revokedText: 'Der Betreiber dieses Servers hat ihn geschlossen. Laufende Spiele gehen ohne dich weiter.',
  revokedReason: (text) => `Grund: ${text.slice(0, 500)}`,
  fault: 'Die Seite und der Server verstehen sich nicht. Oft hilft es, die Seite neu zu laden.',
  reload: 'Neu laden',
  noScript: 'Ein Teil der Seite konnte nicht geladen werden.',
  noScriptHint: 'Vielleicht fehlt die Verbindung, oder der Server hat eine neue Fassung der Seite.',
  tryAgain: 'Noch einmal versuchen',
};
