// The texts of the pages beside lobby and game, in German. The same keys as pages-en.js.

import { criteriaDe } from './criteria-de.js';
import { countDe } from './lobby-de.js';
import { optionsDe } from './options-de.js';

/** @type {Record<string, string>} Why a game cannot be rated. */
const RATED_DE = {
  guest: 'Nur Registrierte spielen gewertete Partien. Registriere dich zuerst.',
  house_bot: 'Partien gegen Computergegner werden nie gewertet.',
  person_against_bot: 'Menschen und Bots haben getrennte Wertungen.',
  not_two_seats: 'Nur Partien zu zweit werden gewertet.', untimed: 'Partien ohne Uhr werden nicht gewertet.',
  too_fast: 'Für gewertete Partien braucht jeder mindestens eine Minute.', private: 'Private Partien werden nicht gewertet.',
  dealt_board: 'Partien auf Brettern mit ausgelosten Prämienfeldern werden nicht gewertet.',
  consent: 'Partien, in denen ein angezweifelter Zug zurückgenommen werden kann, werden nicht gewertet.',
  same_player: 'Gegen dich selbst kannst du nicht gewertet spielen.',
};

/**
 * The texts of the pages beside lobby and game, in German.
 *
 * @type {typeof import('./pages-en.js').pagesEn}
 */
export const pagesDe = {
  criteria: criteriaDe,
  codes: {
    not_eligible: ({ reason }) => criteriaDe.unfit[reason] ?? criteriaDe.unfitOther,
    bag_too_small: 'Für einen Tausch sind zu wenige Steine im Beutel.',
    word_too_short: 'Ein Wort hat mindestens zwei Buchstaben.',
    too_many_attached: 'Du siehst zu vielen Partien zugleich zu.',
    not_over: 'Du kannst Wörter nach der Partie nachschlagen, und nach deinen anderen Partien mit diesem Wörterbuch.',
    cannot_hold: 'Bei diesem Zug gibt es keine Bedenkzeit.',
    hold_used: 'Du hast dir bei diesem Zug schon Bedenkzeit genommen.',
    held: 'Ein anderer Spieler überlegt noch, ob er den Zug anzweifelt.',
    not_held: 'Du hast keine Bedenkzeit genommen.',
    challenge_pending: 'Der Spieler überlegt, ob er den Zug zurücknimmt.',
    no_challenge_pending: 'Es gibt keine Anzweiflung zu beantworten.',
    no_challenges: 'In dieser Partie wird nicht angezweifelt.',
    already_challenged: 'Der Zug wurde schon angezweifelt.',
    already_accepted: 'Du hast den Zug schon angenommen.',
    own_play: 'Das ist dein eigener Zug.',
    bad_coordinate: 'Dieses Feld gibt es nicht.',
    unknown_tile: 'Diesen Stein gibt es in dieser Partie nicht.',
    too_many_exchanged: 'So viele Steine sind nicht im Beutel.',
    bad_name: 'Namen haben 1 bis 24 Buchstaben und Ziffern; dazwischen sind Leerzeichen und - _ . ’ erlaubt. '
      + 'Die Namen registrierter Spieler sind vergeben.',
    wrong_code: 'Keine offene private Partie hat diesen Code. Läuft die Partie schon, frag nach ihrem Link.',
    seek_full: 'Alle Plätze dieses Angebots sind besetzt.', already_joined: 'Du bist diesem Angebot schon beigetreten.',
    already_seeking: 'Du wartest schon auf eine solche Partie.',
    no_rematch: 'Es gibt kein Revanche-Angebot.', rematch_begun: 'Die Revanche hat schon begonnen.',
    rematch_too_late: 'Für eine Revanche dieser Partie ist es zu spät.',
    owner_away: 'Wer das Angebot gemacht hat, ist gerade nicht da.',
    not_a_member: 'Du gehörst nicht zu diesem Angebot.', not_the_owner: 'Das kann nur, wer das Angebot gemacht hat.',
    too_many_seeks: 'Du hast zu viele offene Angebote. Zieh erst eines zurück.',
    too_many_games: 'Du bist in zu vielen Partien. Beende erst eine.',
    too_few_players: 'Eine Partie braucht mindestens zwei Spieler.',
    bad_options: 'Diese Optionen passen nicht zusammen.',
    restricted: ({ reason = '' }) => `Du kannst solche Partien zurzeit nicht spielen: ${reason}`,
    not_rateable: ({ reason }) => RATED_DE[reason] ?? 'So eine Partie kann nicht gewertet werden.',
    unknown_lexicon: 'Der Server hat dieses Wörterbuch nicht.', unknown_rule_set: 'Der Server hat diese Regeln nicht.',
    bad_nonce: 'Die Zufallszahl für den Beutel ist nicht die angekündigte.',
    cannot_abort: 'Zum Abbrechen ist es zu spät. Du kannst aufgeben.', already_requested: 'Du hast schon gefragt.',
    no_abort_request: 'Niemand möchte die Partie abbrechen.',
    cannot_nudge: 'Du kannst deinen Gegner gerade nicht anstupsen.',
    nudges_used: 'Du hast in dieser Partie schon zweimal angestupst.', no_nudge: 'Niemand hat dich angestupst.',
    cannot_adjourn: 'Solange ein Zug angezweifelt werden kann, lässt sich die Partie nicht vertagen. Bitte warte.',
    adjourns_used: 'Du hast in dieser Partie schon dreimal gefragt.',
    no_adjourn_request: 'Niemand möchte die Partie vertagen.',
    adjourned: 'Die Partie ist vertagt. Sie geht weiter, wenn alle bereit sind.',
    paused: 'Die Aufsicht hat die Partie angehalten.', lobby_closed: 'Zurzeit beginnen keine neuen Partien.',
    not_adjourned: 'Die Partie ist nicht vertagt.',
    cannot_give_time: 'In dieser Partie kannst du keine Zeit geben.', gifts_used: 'Du hast in dieser Partie schon zehnmal Zeit gegeben.',
    time_refused: 'Dein Gegner nimmt in dieser Partie keine Zusatzzeit an.',
    no_hints: 'In dieser Partie gibt es keine Tipps.', hints_used: 'Du hast alle deine Tipps verbraucht.',
    cannot_hint: 'Solange ein Zug angezweifelt werden kann, gibt es keine Tipps. Bitte warte.',
    cannot_claim: 'Du kannst den Sieg noch nicht beanspruchen: Dein Gegner ist noch nicht lange genug weg.',
  },

  setup: optionsDe,

  /** The player's actions in a game beside playing. */
  more: {
    command: 'Befehl eingeben',
    commandHelp: '8F HORN, H8 FA.M, exchange AB, pass, challenge, hold, release, accept, resign, nudge, here, claim, adjourn, resume, give 15, refuse',
    commandBad: 'Unbekannter Befehl.',
    commandTiles: 'Diese Steine sind nicht auf deiner Bank.',
    commandSeconds: 'Gib 5 bis 60 Sekunden: give 15.',
    commandDo: 'Ausführen',
    about: (name) => `${name} … (Profil, blockieren, melden)`,
    notify: 'Benachrichtigen, wenn ich dran bin',
    notifying: 'Du wirst benachrichtigt, wenn du dran bist.',
    notNotifying: 'Dieser Browser erlaubt hier keine Benachrichtigungen.',
    resign: 'Aufgeben',
    resignAsk: 'Diese Partie aufgeben?',
    resignText: 'Du verlierst die Partie sofort. Das lässt sich nicht rückgängig machen.',
    resignMany: 'Du scheidest jetzt aus und wirst Letzter. Das lässt sich nicht rückgängig machen.',
    abort: 'Partie abbrechen',
    abortAsk: 'Die Partie abbrechen?',
    abortText: 'Die Partie endet ohne Ergebnis. Das geht nur, bis alle einen Zug gemacht haben.',
    abortRated: 'Abbruch vorschlagen',
    abortRatedAsk: 'Den Abbruch vorschlagen?',
    abortRatedText: 'Dein Gegner hat eine Minute, um zuzustimmen. Das geht einmal pro Partie.',
    keys: 'Tastenkürzel',
    keyList: /** @type {[string, string][]} */ ([
      ['A–Z', 'Stein am Cursor legen'],
      ['Umschalt + A–Z', 'Blanko als diesen Buchstaben legen'],
      ['Leertaste', 'Richtung wechseln'],
      ['Rücktaste', 'letzten Stein zurücknehmen'],
      ['Eingabe', 'spielen'],
      ['Esc', 'alle Steine zurücknehmen'],
      ['/', 'Befehl eingeben'],
      ['Alt + C, L, R', 'Uhren, letzten Zug, Bank vorlesen'],
      ['Alt + W, P', 'Anzweifeln-Frist, ungesehene Steine vorlesen'],
      ['Alt + ← →', 'voriger und nächster Zug'],
    ]),
  },

  seek: {
    title: 'Freund einladen', invitedBy: (name) => `${name} lädt dich ein`, joinTitle: 'Du bist zu einer Partie eingeladen', offerTitle: 'Partieangebot',
    share: 'Schick diesen Link an alle, die mitspielen sollen. Jeder mit dem Link kann beitreten.',
    link: 'Link', copy: 'Kopieren', copied: 'Kopiert', copySelf: 'Der Link ist markiert: jetzt kopieren.',
    send: 'Teilen',
    shareText: 'Eine Partie auf Tilewire',
    keepOpen: 'Lass diese Seite offen: Die Partie beginnt, sobald alle Plätze besetzt sind.',
    mayLeave: 'Du kannst diese Seite verlassen: Die Partie beginnt automatisch, sobald alle Plätze besetzt sind.',
    players: 'Spieler', freeSeat: 'freier Platz', gone: 'Dieses Angebot ist nicht mehr offen, oder die Partie hat begonnen.',
    toLobby: 'Zur Lobby', yourName: 'Dein Name', join: 'Mitspielen', code: 'Code',
    noCode: 'Der Link ist unvollständig: Der Code fehlt. Frag nach dem ganzen Link.',
  },

  settings: {
    title: 'Einstellungen', look: 'Darstellung', theme: 'Farben', language: 'Sprache', tiles: 'Steine auf der Bank',
    system: 'System', light: 'Hell', dark: 'Dunkel', normal: 'Normal', large: 'Groß',
    playing: 'Spielen', sounds: 'Töne', soundsHint: 'Fünf kurze Töne: Stein, Zug, du bist dran, Anzweifeln, Ende der Partie.',
    enter: 'Eingabetaste', enterPlay: 'Spielt sofort', enterConfirm: 'Fragt nach',
    enterHint: 'Was die Eingabetaste mit den gelegten Steinen macht.',
    announce: 'Züge vorlesen', announceHint: 'Screenreader lesen jeden Zug vor, nicht nur, dass du dran bist.',
    notify: 'Benachrichtigungen', notifyAllow: 'Erlauben', notifyOn: 'Du wirst benachrichtigt, wenn du am Zug bist.',
    notifyOff: 'Ausschalten', notifyHint: 'Nur solange die Seite im Hintergrund offen ist.',
    notifyDenied: 'Dein Browser blockiert Benachrichtigungen dieser Seite.', notifyMissing: 'Hier nicht möglich.',
    chat: 'Chat', chatHint: 'Chat in Partien und Nachrichten auf diesem Gerät zeigen.',
    identity: 'Identität', name: 'Name', change: 'Ändern',
    identityText: 'Du spielst als Gast. Deine Identität ist ein Schlüssel in diesem Browser; es gibt kein Passwort. '
      + 'Registriere dich, um deine Partien auf jedem Gerät zu haben. Vergisst du die Identität, sind sie verloren.',
    forget: 'Diese Identität vergessen', forgetTitle: 'Identität vergessen?',
    forgetText: 'Du fängst als neuer Gast an und verlierst deine Plätze in laufenden Partien.', forgetAct: 'Vergessen',
    server: 'Server',
  },

  rules: {
    title: 'Regeln', lead: 'Die Bretter und Regeln auf diesem Server.', playThis: 'So spielen',
    all: 'Alle Regeln',
    board: 'Brett', tiles: 'Steine', tilesCount: (n) => `${n} Steine`,
    tile: (face, value, count) => (
      `${face === '?' ? 'Blanko' : face}: ${countDe(value, 'Punkt', 'Punkte')}, ${countDe(count, 'Stein', 'Steine')}`),
    language: 'Sprache der Steine', boardLabel: (name) => `Brett von ${name}`,
    legend: {
      "'": 'doppelter Buchstabe', '"': 'dreifacher Buchstabe', '^': 'vierfacher Buchstabe', '-': 'doppeltes Wort',
      '=': 'dreifaches Wort', '~': 'vierfaches Wort',
    },
    drawn: 'Die Prämienfelder werden für jede Partie neu verteilt.',
    howTitle: 'So wird gespielt',
    how: (f) => [
      `${f.seats} Spieler ziehen reihum. Jeder hat ${f.rack} Steine. Wer am Zug ist, legt Steine in eine Zeile oder `
        + 'Spalte, tauscht Steine oder passt. Der erste Zug muss das Startfeld belegen, jeder spätere einen Stein '
        + 'auf dem Brett berühren, und alle Wörter, die er bildet, zählen.',
      'Ein Buchstabe zählt seinen Wert. Runde Felder vervielfachen den Buchstaben, eckige das ganze Wort, nur in dem '
        + 'Zug, der sie belegt. Ein Blanko steht für jeden Buchstaben und zählt nichts.',
      `Prämie: ${f.bingos}.`,
      `Zum Tauschen müssen mindestens ${countDe(f.exchange, 'Stein', 'Steine')} im Beutel sein.`,
    ],
    bingo: (tiles, bonus) => `${bonus} Punkte für ${tiles} Steine auf einmal`,
    challengeTitle: 'Anzweifeln', endTitle: 'Ende der Partie',
    ends: (f) => [
      'Die Partie endet, wenn der Beutel leer ist und ein Spieler alle Steine ausgespielt hat, oder nach '
        + `${f.end}.`,
      f.rackCount === 'always' ? 'Reststeine werden abgezogen und dem gutgeschrieben, der alle Steine ausgespielt hat.'
        : 'Reststeine werden nur abgezogen, wenn der Beutel leer ist.',
      `Bei Gleichstand ${f.ties}.`,
    ],
    targets: (seats) => `${seats} Spieler`, targetTitle: 'Zielpunkte',
    targetText: 'Wer zuerst das Ziel seiner Stufe erreicht, gewinnt sofort.',
    usualTitle: 'Standard',
  },

  ruleSets: {
    classic: 'Das Spiel aus der Schachtel: 15 × 15 Felder, sieben Steine, 50 Punkte für alle; mit Anzweifeln.',
    'classic-nine': 'Das klassische Spiel mit neun Steinen; 50 Punkte für sieben, acht oder alle neun.',
    'classic-finish-line': 'Das klassische Spiel als Rennen: Wer zuerst sein Ziel erreicht, gewinnt.',
    tournament: 'Das klassische Spiel zu zweit wie im Klub: Sechs Züge ohne Punkte beenden es.',
    super: 'Ein Brett von 21 × 21 Feldern mit vierfachen Buchstaben und Wörtern, und doppelt so vielen Steinen.',
    'words-with-friends': 'Wörter werden vorher geprüft; eigenes Brett, eigene Steine, 35 Punkte für alle sieben.',
    wordfeud: 'Wörter werden vorher geprüft; eigenes Brett, 40 Punkte für alle sieben, dreimal Passen beendet es.',
    'wordfeud-random': 'Wordfeud mit Prämienfeldern, die für jede Partie neu verteilt werden.',
    'email-challenge': 'Das klassische Spiel als Fernpartie: Ein angezweifelter Zug kann zurückgenommen werden.',
    'email-validated': 'Das klassische Spiel als Fernpartie ohne Anzweifeln: Wörter werden vorher geprüft.',
  },

  notFound: { title: 'Seite nicht gefunden', text: 'Diese Seite gibt es nicht.' },
};
