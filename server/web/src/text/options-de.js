// The texts about all options of a game, in German. The same keys as options-en.js.

/**
 * The texts of the options, in German.
 *
 * @type {typeof import('./options-en.js').optionsEn}
 */
export const optionsDe = {
  end: (e) => {
    const turns = {
      scoreless: 'Züge ohne Punkte', passes: 'Mal Passen', without_score: 'Züge ohne Punkte',
    }[/** @type {string} */ (e.counts)] ?? 'Züge';
    const by = e.per_seat ? ' von jeder Person' : '';
    const once = e.unless_all_zero ? ', sobald jemand Punkte hat' : '';
    return `${e.limit} ${turns} in Folge${by}${once}`;
  },
  ties: { before_adjustment: 'entscheidet der Stand vor dem Abzug der Reststeine', stand: 'wird der Sieg geteilt' },
  challengeKinds: {
    void: ['Wörter werden geprüft', 'Ein Zug mit einem Wort, das nicht im Wörterbuch steht, wird abgelehnt.'],
    single: ['Freies Anzweifeln', 'Jeder Zug gilt. Falsches Anzweifeln kostet nichts.'],
    double: ['Doppeltes Anzweifeln', 'Jeder Zug gilt. Wer einen guten Zug anzweifelt, verliert den nächsten Zug.'],
    five_point: ['5 Punkte', 'Jeder Zug gilt. Wer einen guten Zug anzweifelt, verliert 5 Punkte.'],
    ten_point: ['10 Punkte', 'Jeder Zug gilt. Wer einen guten Zug anzweifelt, verliert 10 Punkte.'],
    triple: ['Dreifaches Anzweifeln', 'Jeder Zug gilt. Wer beim Anzweifeln unrecht hat, verliert das Spiel.'],
  },
  form: {
    title: 'Optionen', apply: 'Übernehmen', usual: 'Üblich', yes: 'ja', no: 'nein',
    groups: { words: 'Wörter', clock: 'Zeit', challenge: 'Anzweifeln', end: 'Spielende', other: 'Sonstiges' },
    minutes: 'min', seconds: 's', hours: 'h', points: 'Punkte', turns: 'Züge',
  },
  options: {
    lexicon: ['Wörterbuch', 'Die Liste der Wörter, die beim Anzweifeln entscheidet.'],
    level: ['Deine Stufe', 'Sie bestimmt, welchen Stand du erreichen musst.'],
    'clock.kind': ['Art der Uhr', ''],
    'clock.initial_ms': ['Zeit', 'Was jede Person für das ganze Spiel hat.'],
    'clock.increment_ms': ['Zuschlag', 'Kommt nach jedem Zug zur Zeit dazu.'],
    'clock.delay_ms': ['Aufschub', 'Freie Zeit am Anfang jedes Zuges.'],
    'clock.penalty_per_minute': ['Preis der Überzeit', 'Abzug für jede angefangene Minute.'],
    'clock.cap_ms': ['Höchste Überzeit', 'Wer mehr braucht, verliert.'],
    'clock.limit_ms': ['Zeit für einen Zug', 'Wer mehr braucht, verliert.'],
    'clock.bank_ms': ['Reserve', 'Zeit für das ganze Spiel, wenn ein Zug länger dauert.'],
    'challenge.kind': ['Regel', ''],
    'challenge.window_ms': ['Zeit zum Anzweifeln', 'Falls nicht vorher der nächste Zug kommt. 0: ohne Grenze.'],
    'challenge.per_word': ['Punkte für jedes Wort', 'Falsches Anzweifeln kostet die Punkte einmal je Wort.'],
    'challenge.consent': ['Erst nachfragen', 'Ein Zug kann zurückgenommen werden, bevor das Wörterbuch entscheidet.'],
    'end.limit': ['Züge in Folge', 'So viele ohne Fortschritt beenden das Spiel.'],
    'end.per_seat': ['Von jeder Person', 'Die Zahl gilt für jede Person, nicht für alle zusammen.'],
    'end.counts': ['Was zählt', ''],
    'end.unless_all_zero': ['Nicht vor den ersten Punkten', 'Sie zählen nicht, solange niemand Punkte hat.'],
    all_played: ['Ende, wenn niemand legen kann', 'Mit leerem Beutel, wenn kein Zug mehr möglich ist.'],
    uncatchable: ['Ende bei sicherem Sieg', 'Mit leerem Beutel, wenn der Rückstand nicht aufzuholen ist.'],
    ties: ['Gleichstand', 'Was bei gleichem Stand entscheidet.'],
    vacation: ['Urlaub', 'Ein Urlaub verschiebt die Fristen der Person.'],
    rated: ['Gewertet', 'Das Spiel ändert die Wertungen beider Personen.'],
    first: ['Erster Zug', 'Wer anfängt.'],
    vanish_claim_ms: ['Warten auf Abwesende', 'Danach können die anderen den Sieg beanspruchen.'],
    vanish: ['Wenn jemand wegbleibt', 'Was nach der Wartezeit geschieht.'],
    'spectators.delay_ms': ['Verzögerung für Zuschauer', 'Um wie viel später sie das Spiel sehen. 0: sofort.'],
    'spectators.racks': ['Offene Steine', 'Zuschauer sehen alle Steine; das geht nur ab einer Minute Verzögerung.'],
  },
  values: {
    overtime: 'Überzeit mit Abzug', sudden_death: 'Zeit um, verloren', increment: 'Zuschlag', delay: 'Aufschub',
    per_move: 'Grenze für jeden Zug', untimed: 'Ohne Uhr',
    void: 'Wörter werden geprüft', single: 'Freies Anzweifeln', double: 'Doppelt: kostet einen Zug',
    five_point: '5 Punkte', ten_point: '10 Punkte', triple: 'Dreifach: kostet das Spiel',
    scoreless: 'Züge ohne Punkte', passes: 'Passen', without_score: 'Züge ohne Punkte, auch gelegte',
    before_adjustment: 'Der Stand vor den Reststeinen', stand: 'Der Sieg wird geteilt', draw: 'Steine ziehen',
    claim: 'Der Sieg kann beansprucht werden', adjourn: 'Das Spiel wird vertagt, einmal', play_on: 'Die Uhr entscheidet',
    owner: 'Wer das Angebot macht', beginner: 'Anfänger', intermediate: 'Fortgeschritten', expert: 'Experte',
  },
  languages: {
    english: 'Englisch', catalan: 'Katalanisch', danish: 'Dänisch', dutch: 'Niederländisch', french: 'Französisch',
    german: 'Deutsch', norwegian: 'Norwegisch', polish: 'Polnisch', portuguese: 'Portugiesisch', slovene: 'Slowenisch',
    spanish: 'Spanisch', swedish: 'Schwedisch',
  },
};
