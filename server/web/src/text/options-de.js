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
    const by = e.per_seat ? ' pro Spieler' : '';
    const once = e.unless_all_zero ? ', sobald jemand Punkte hat' : '';
    return `${e.limit} ${turns} in Folge${by}${once}`;
  },
  ties: { before_adjustment: 'entscheidet der Stand vor dem Abzug der Reststeine', stand: 'endet die Partie unentschieden' },
  challengeKinds: {
    void: ['Wörter werden geprüft', 'Züge mit ungültigen Wörtern werden ohne Strafe abgelehnt.'],
    single: ['Anzweifeln ohne Strafe', 'Jeder Zug wird angenommen. Angezweifelte ungültige Wörter werden entfernt; wer irrt, verliert nichts.'],
    double: ['Anzweifeln kostet einen Zug', 'Jeder Zug wird angenommen. Wer einen gültigen Zug anzweifelt, verliert den nächsten Zug.'],
    five_point: ['5 Punkte', 'Jeder Zug wird angenommen. Einen gültigen Zug anzuzweifeln, kostet 5 Punkte.'],
    ten_point: ['10 Punkte', 'Jeder Zug wird angenommen. Einen gültigen Zug anzuzweifeln, kostet 10 Punkte.'],
    triple: ['Anzweifeln kostet die Partie', 'Jeder Zug wird angenommen. Wer beim Anzweifeln unrecht hat, verliert die Partie.'],
  },
  form: {
    title: 'Optionen', apply: 'Übernehmen', usual: 'Standard', yes: 'ja', no: 'nein',
    groups: { words: 'Wörter', clock: 'Zeit', challenge: 'Anzweifeln', end: 'Ende der Partie', other: 'Sonstiges' },
    minutes: 'min', seconds: 's', hours: 'h', points: 'Punkte', turns: 'Züge',
  },
  options: {
    lexicon: ['Wörterbuch', 'Die Wortliste, die entscheidet, welche Wörter gültig sind.'],
    level: ['Deine Stufe', 'Sie bestimmt, wie viele Punkte du erreichen musst.'],
    'clock.kind': ['Uhr', ''],
    'clock.initial_ms': ['Zeit', 'Pro Spieler für die ganze Partie.'],
    'clock.increment_ms': ['Zuschlag', 'Kommt nach jedem Zug hinzu.'],
    'clock.delay_ms': ['Aufschub', 'So viel später startet die Uhr in jedem Zug.'],
    'clock.penalty_per_minute': ['Strafe für Überzeit', 'Abzug für jede angefangene Minute.'],
    'clock.cap_ms': ['Höchste Überzeit', 'Wer sie überschreitet, verliert.'],
    'clock.limit_ms': ['Zeit pro Zug', 'Wer sie überschreitet, verliert.'],
    'clock.bank_ms': ['Zeitreserve', 'Zusatzzeit für die ganze Partie, wenn ein Zug länger dauert.'],
    'challenge.kind': ['Regel', ''],
    'challenge.window_ms': ['Zeit zum Anzweifeln', 'Endet früher, wenn der nächste Zug gespielt wird. 0: ohne Grenze.'],
    'challenge.per_word': ['Punkte pro Wort', 'Falsches Anzweifeln kostet die Punkte für jedes angezweifelte Wort.'],
    'challenge.consent': ['Zurücknehmen erlauben', 'Ein angezweifelter Zug kann zurückgenommen werden, bevor das Wörterbuch entscheidet.'],
    'end.limit': ['Züge ohne Punkte bis zum Ende', 'In Folge gezählt.'],
    'end.per_seat': ['Pro Spieler zählen', 'Die Grenze gilt für jeden Spieler, nicht für alle zusammen.'],
    'end.counts': ['Was zählt', ''],
    'end.unless_all_zero': ['Erst nach den ersten Punkten', 'Zählt nicht, solange niemand Punkte hat.'],
    all_played: ['Ende, wenn niemand legen kann', 'Mit leerem Beutel, wenn kein Zug mehr möglich ist.'],
    uncatchable: ['Ende bei sicherem Sieg', 'Mit leerem Beutel, wenn der Rückstand nicht aufzuholen ist.'],
    ties: ['Gleichstand', 'Was bei gleichem Stand entscheidet.'],
    vacation: ['Urlaub', 'Im Urlaub eines Spielers verlängern sich seine Fristen.'],
    hints: ['Tipps', 'So oft kann sich jeder Spieler einen Zug zeigen lassen.'],
    rated: ['Gewertet', 'Die Partie zählt für die Wertung.'],
    first: ['Erster Zug', 'Wer anfängt.'],
    vanish_claim_ms: ['Warten bei Verbindungsabbruch', 'Danach können die Gegner den Sieg beanspruchen.'],
    vanish: ['Bei Verbindungsabbruch', 'Was nach der Wartezeit geschieht.'],
    'spectators.delay_ms': ['Verzögerung für Zuschauer', 'Zuschauer sehen die Partie so viel später. 0: live.'],
    'spectators.racks': ['Offene Steine', 'Zuschauer sehen alle Steine; das geht nur ab einer Minute Verzögerung.'],
  },
  values: {
    overtime: 'Überzeit mit Strafe', sudden_death: 'Zeit um, verloren', increment: 'Zuschlag', delay: 'Aufschub',
    per_move: 'Zeit pro Zug', untimed: 'Ohne Uhr',
    void: 'Wörter werden geprüft', single: 'Ohne Strafe', double: 'Kostet einen Zug',
    five_point: '5 Punkte', ten_point: '10 Punkte', triple: 'Kostet die Partie',
    scoreless: 'Züge ohne Punkte', passes: 'Passen', without_score: 'Züge ohne Punkte, auch gelegte',
    before_adjustment: 'Der Stand vor dem Abzug der Reststeine', stand: 'Unentschieden', draw: 'Auslosung',
    claim: 'Der Gegner kann den Sieg beanspruchen', adjourn: 'Die Partie wird vertagt (einmal)', play_on: 'Die Uhr entscheidet',
    owner: 'Wer die Partie anbietet', beginner: 'Anfänger', intermediate: 'Fortgeschritten', expert: 'Experte',
  },
  languages: {
    english: 'Englisch', catalan: 'Katalanisch', danish: 'Dänisch', dutch: 'Niederländisch', french: 'Französisch',
    german: 'Deutsch', norwegian: 'Norwegisch', polish: 'Polnisch', portuguese: 'Portugiesisch', slovene: 'Slowenisch',
    spanish: 'Spanisch', swedish: 'Schwedisch',
  },
};
