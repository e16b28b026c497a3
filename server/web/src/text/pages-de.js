// The texts of the pages beside lobby and game, in German. The same keys as pages-en.js.

import { criteriaDe } from './criteria-de.js';
import { countDe } from './lobby-de.js';
import { optionsDe } from './options-de.js';

/** @type {Record<string, string>} Why a game cannot be rated. */
const RATED_DE = {
  guest: 'Nur Registrierte spielen gewertete Spiele. Registriere dich zuerst.',
  house_bot: 'Spiele gegen die Bots des Servers werden nie gewertet.',
  person_against_bot: 'Menschen und Bots haben eigene Wertungen.',
  not_two_seats: 'Nur Spiele zu zweit werden gewertet.', untimed: 'Spiele ohne Uhr werden nicht gewertet.',
  dealt_board: 'Spiele auf Brettern mit ausgelosten Prämienfeldern werden nicht gewertet.',
  consent: 'Spiele, in denen ein angezweifelter Zug zurückgenommen werden kann, werden nicht gewertet.',
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
    too_many_attached: 'Du folgst zu vielen Spielen zugleich.',
    not_over: 'Wörter werden nach dem Spiel nachgeschlagen, und nach deinen anderen Spielen mit diesem Lexikon.',
    cannot_hold: 'Bei diesem Zug gibt es keine Bedenkzeit.',
    hold_used: 'Du hast dir bei diesem Zug schon Bedenkzeit genommen.',
    held: 'Jemand überlegt noch, ob er den Zug anzweifelt.',
    not_held: 'Du hast keine Bedenkzeit genommen.',
    challenge_pending: 'Es wird gerade überlegt, ob der Zug zurückgenommen wird.',
    no_challenge_pending: 'Es gibt keine Anzweiflung zu beantworten.',
    no_challenges: 'In diesem Spiel wird nicht angezweifelt.',
    already_challenged: 'Der Zug wurde schon angezweifelt.',
    already_accepted: 'Du hast den Zug schon angenommen.',
    own_play: 'Das ist dein eigener Zug.',
    bad_coordinate: 'Dieses Feld gibt es nicht.',
    unknown_tile: 'Diesen Stein gibt es in diesem Spiel nicht.',
    too_many_exchanged: 'So viele Steine sind nicht im Beutel.',
    bad_name: 'Namen haben 1 bis 24 Buchstaben und Ziffern; dazwischen sind Leerzeichen und - _ . ’ erlaubt. '
      + 'Die Namen registrierter Personen gehören ihnen.',
    wrong_code: 'Kein offenes privates Spiel hat diesen Code. Läuft das Spiel schon, frag nach seinem Link.',
    seek_full: 'Alle Plätze dieses Angebots sind besetzt.', already_joined: 'Du bist schon dabei.',
    already_seeking: 'Du wartest schon auf ein solches Spiel.',
    no_rematch: 'Niemand bietet eine Revanche an.', rematch_begun: 'Die Revanche hat schon begonnen.',
    rematch_too_late: 'Für eine Revanche dieses Spiels ist es zu spät.',
    owner_away: 'Wer das Angebot gemacht hat, ist gerade nicht da.',
    not_a_member: 'Du gehörst nicht zu diesem Angebot.', not_the_owner: 'Das kann nur, wer das Angebot gemacht hat.',
    too_many_seeks: 'Du hast zu viele offene Angebote. Zieh erst eines zurück.',
    too_many_games: 'Du bist in zu vielen Spielen. Beende erst eines.',
    too_few_players: 'Ein Spiel braucht mindestens zwei Personen.',
    bad_options: 'Diese Optionen passen nicht zusammen.',
    restricted: ({ reason = '' }) => `Du kannst solche Partien jetzt nicht spielen: ${reason}`,
    not_rateable: ({ reason }) => RATED_DE[reason] ?? 'So ein Spiel kann nicht gewertet werden.',
    unknown_lexicon: 'Der Server hat dieses Wörterbuch nicht.', unknown_rule_set: 'Der Server hat diese Regeln nicht.',
    bad_nonce: 'Die Zufallszahl für den Beutel ist nicht die angekündigte.',
    cannot_abort: 'Das Spiel zählt schon. Du kannst aufgeben.', already_requested: 'Du hast schon einmal gefragt.',
    no_abort_request: 'Niemand will das Spiel abbrechen.',
    cannot_nudge: 'Du kannst jetzt nicht fragen, ob die andere Person noch da ist.',
    nudges_used: 'Du hast in diesem Spiel schon zweimal gefragt.', no_nudge: 'Niemand fragt, ob du noch da bist.',
    cannot_adjourn: 'Du kannst das Spiel jetzt nicht vertagen. Warte, bis kein Zug mehr angezweifelt werden kann.',
    adjourns_used: 'Du hast in diesem Spiel schon dreimal gefragt.',
    no_adjourn_request: 'Niemand will das Spiel vertagen.',
    adjourned: 'Das Spiel ist vertagt. Es geht weiter, wenn alle bereit sind.',
    paused: 'Die Aufsicht hat das Spiel angehalten.', lobby_closed: 'Zurzeit beginnen keine neuen Spiele.',
    not_adjourned: 'Das Spiel ist nicht vertagt.',
    cannot_give_time: 'Hier kann keine Zeit gegeben werden.', gifts_used: 'Du hast in diesem Spiel schon zehnmal Zeit gegeben.',
    time_refused: 'Die andere Person nimmt in diesem Spiel keine Zeit an.',
    cannot_claim: 'Die andere Person ist nicht weg und nicht still, oder noch nicht lange genug.',
  },

  setup: optionsDe,

  /** The player's actions in a game beside playing. */
  more: {
    command: 'Befehl eingeben',
    commandHelp: '8F HORN, H8 FA.M, exchange AB, pass, challenge, hold, release, accept, resign, nudge, here, claim, adjourn, resume, give 15, refuse',
    commandBad: 'Das ist kein Befehl.',
    commandTiles: 'Diese Steine sind nicht auf der Bank.',
    commandSeconds: '5 bis 60 Sekunden: give 15.',
    commandDo: 'Ausführen',
    about: (name) => `${name}: blockieren oder melden`,
    notify: 'Benachrichtigen, wenn ich dran bin',
    notifying: 'Du wirst benachrichtigt, wenn du dran bist.',
    notNotifying: 'Dieser Browser erlaubt hier keine Benachrichtigungen.',
    resign: 'Aufgeben',
    resignAsk: 'Dieses Spiel aufgeben?',
    resignText: 'Du verlierst das Spiel sofort. Das lässt sich nicht zurücknehmen.',
    resignMany: 'Du verlässt das Spiel sofort und wirst Letzter. Das lässt sich nicht zurücknehmen.',
    abort: 'Spiel abbrechen',
    abortAsk: 'Das Spiel abbrechen?',
    abortText: 'Das Spiel endet ohne Ergebnis. Das geht nur, bis alle einen Zug gemacht haben.',
    abortRated: 'Abbruch vorschlagen',
    abortRatedAsk: 'Den Abbruch vorschlagen?',
    abortRatedText: 'Die andere Person hat eine Minute, um zuzustimmen. Das geht einmal in einem Spiel.',
    keys: 'Tasten',
    keyList: /** @type {[string, string][]} */ ([
      ['A–Z', 'Stein an der Marke legen'],
      ['Umschalt + A–Z', 'Blanko als diesen Buchstaben legen'],
      ['Leertaste', 'Marke drehen'],
      ['Rücktaste', 'letzten Stein zurücknehmen'],
      ['Eingabe', 'spielen'],
      ['Esc', 'alle Steine zurücknehmen'],
      ['/', 'Befehl eingeben'],
      ['Alt + C, L, R', 'Uhren, letzten Zug, Bank vorlesen'],
      ['Alt + W, P', 'Einspruchsfrist, Beutel vorlesen'],
      ['Alt + ← →', 'frühere und spätere Züge'],
    ]),
  },

  seek: {
    title: 'Deine Einladung', joinTitle: 'Du bist zu einem Spiel eingeladen', offerTitle: 'Ein Angebot',
    share: 'Schick diesen Link an alle, die mitspielen sollen. Wer ihn öffnet, kann beitreten.',
    link: 'Link', copy: 'Kopieren', copied: 'Kopiert', copySelf: 'Der Link ist markiert: jetzt kopieren.',
    send: 'Teilen',
    shareText: 'Ein Spiel auf Tilewire',
    keepOpen: 'Lass diese Seite offen: Das Spiel beginnt, sobald alle Plätze besetzt sind.',
    mayLeave: 'Du kannst gehen: Das Spiel beginnt von selbst, sobald alle Plätze besetzt sind.',
    players: 'Personen', freeSeat: 'freier Platz', gone: 'Dieses Angebot ist weg, oder sein Spiel hat begonnen.',
    toLobby: 'Zur Übersicht', yourName: 'Dein Name', join: 'Mitspielen', code: 'Code',
    noCode: 'In diesem Link fehlt der Code. Frag nach dem ganzen Link.',
  },

  settings: {
    title: 'Einstellungen', look: 'Aussehen', theme: 'Farben', language: 'Sprache', tiles: 'Steine auf der Bank',
    system: 'Gerät', light: 'Hell', dark: 'Dunkel', normal: 'Normal', large: 'Groß',
    playing: 'Spielen', sounds: 'Töne', soundsHint: 'Fünf kurze Töne: Stein, Zug, du bist dran, Anzweifeln, Spielende.',
    enter: 'Eingabetaste', enterPlay: 'Spielt sofort', enterConfirm: 'Fragt nach',
    enterHint: 'Was die Eingabetaste mit den gelegten Steinen macht.',
    announce: 'Züge vorlesen', announceHint: 'Vorleseprogramme erfahren jeden Zug, nicht nur, dass du dran bist.',
    notify: 'Benachrichtigungen', notifyAllow: 'Erlauben', notifyOn: 'Du erfährst, wenn du am Zug bist.',
    notifyOff: 'Ausschalten', notifyHint: 'Nur solange die Seite im Hintergrund offen ist.',
    notifyDenied: 'Dein Browser sperrt Benachrichtigungen dieser Seite.', notifyMissing: 'Hier nicht möglich.',
    chat: 'Chat', chatHint: 'Dieses Gerät zeigt, was in Spielen und von Freunden geschrieben wird.',
    identity: 'Identität', name: 'Name', change: 'Ändern',
    identityText: 'Du spielst als Gast. Deine Identität ist ein Schlüssel, den dieser Browser behält; es gibt kein '
      + 'Passwort. Registriert hast du deine Spiele auf jedem Gerät; ohne diesen Schlüssel sind sie verloren.',
    forget: 'Diese Identität vergessen', forgetTitle: 'Identität vergessen?',
    forgetText: 'Du wirst ein neuer Gast. Deine Plätze in laufenden Spielen sind verloren.', forgetAct: 'Vergessen',
    server: 'Server',
  },

  rules: {
    title: 'Regeln', lead: 'Bretter und Regeln, die dieser Server anbietet.', playThis: 'So spielen',
    all: 'Alle Regeln',
    board: 'Brett', tiles: 'Steine', tilesCount: (n) => `${n} Steine`,
    tile: (face, value, count) => (
      `${face === '?' ? 'Blanko' : face}: ${countDe(value, 'Punkt', 'Punkte')}, ${countDe(count, 'Stein', 'Steine')}`),
    language: 'Sprache der Steine', boardLabel: (name) => `Brett von ${name}`,
    legend: {
      "'": 'doppelter Buchstabe', '"': 'dreifacher Buchstabe', '^': 'vierfacher Buchstabe', '-': 'doppeltes Wort',
      '=': 'dreifaches Wort', '~': 'vierfaches Wort',
    },
    drawn: 'Die Prämienfelder werden für jedes Spiel neu verteilt.',
    howTitle: 'So wird gespielt',
    how: (f) => [
      `${f.seats} Personen ziehen reihum. Jede hat ${f.rack} Steine. Wer am Zug ist, legt Steine in eine Zeile oder `
        + 'Spalte, tauscht Steine oder passt. Der erste Zug belegt das Startfeld; jeder spätere berührt einen Stein '
        + 'auf dem Brett, und alle Wörter, die er bildet, zählen.',
      'Ein Buchstabe zählt seinen Wert. Runde Felder vervielfachen den Buchstaben, eckige das ganze Wort, nur in dem '
        + 'Zug, der sie belegt. Ein Blanko steht für jeden Buchstaben und zählt nichts.',
      `Prämie: ${f.bingos}.`,
      `Zum Tauschen müssen mindestens ${countDe(f.exchange, 'Stein', 'Steine')} im Beutel sein.`,
    ],
    bingo: (tiles, bonus) => `${bonus} Punkte für ${tiles} Steine auf einmal`,
    challengeTitle: 'Anzweifeln', endTitle: 'Das Ende',
    ends: (f) => [
      'Das Spiel endet, wenn der Beutel leer ist und jemand alle Steine gelegt hat, oder nach der Regel für Züge '
        + `ohne Fortschritt: ${f.end}.`,
      f.rackCount === 'always' ? 'Was auf der Bank bleibt, wird abgezogen und kommt dem zugute, der alles gelegt hat.'
        : 'Was auf der Bank bleibt, wird nur abgezogen, wenn der Beutel leer ist.',
      `Bei Gleichstand ${f.ties}.`,
    ],
    targets: (seats) => `${seats} Personen`, targetTitle: 'Zielstände',
    targetText: 'Wer zuerst den Stand seiner Stufe erreicht, gewinnt sofort.',
    usualTitle: 'Üblich',
  },

  ruleSets: {
    classic: 'Das Spiel aus der Schachtel: 15 × 15 Felder, sieben Steine, 50 Punkte für alle; mit Anzweifeln.',
    'classic-nine': 'Das klassische Spiel mit neun Steinen; 50 Punkte für sieben, acht oder alle neun.',
    'classic-finish-line': 'Das klassische Spiel als Rennen: Wer zuerst seinen Zielstand erreicht, gewinnt.',
    tournament: 'Das klassische Spiel zu zweit wie im Klub: Sechs Züge ohne Punkte beenden es.',
    super: 'Ein Brett von 21 × 21 Feldern mit vierfachen Buchstaben und Wörtern, und doppelt so vielen Steinen.',
    'words-with-friends': 'Wörter werden vorher geprüft; eigenes Brett, eigene Steine, 35 Punkte für alle sieben.',
    wordfeud: 'Wörter werden vorher geprüft; eigenes Brett, 40 Punkte für alle sieben, dreimal Passen beendet es.',
    'wordfeud-random': 'Wordfeud mit Prämienfeldern, die für jedes Spiel neu verteilt werden.',
    'email-challenge': 'Das klassische Spiel als Fernspiel: Ein angezweifelter Zug kann zurückgenommen werden.',
    'email-validated': 'Das klassische Spiel als Fernspiel ohne Anzweifeln: Wörter werden vorher geprüft.',
  },

  notFound: { title: 'Hier ist nichts', text: 'Diese Adresse führt zu keiner Seite des Servers.' },
};
