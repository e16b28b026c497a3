// The texts about the players that an offer admits, in German. The same keys as criteria-en.js.

/**
 * The texts of the criteria of an offer, in German.
 *
 * @type {typeof import('./criteria-en.js').criteriaEn}
 */
export const criteriaDe = {
  title: 'Wer mitspielen darf', open: 'Wer mitspielen darf …', offer: 'Spiel anbieten', any: 'Beliebigen Gegner finden',
  anyHint: '„Beliebigen Gegner finden“ sucht zuerst ähnliche Wertungen und nimmt nach einer Weile jede an.',
  min: 'Niedrigste Wertung', max: 'Höchste Wertung', established: 'Keine vorläufigen Wertungen',
  registered: 'Nur Registrierte', followed: 'Nur Spieler, denen ich folge',
  exclude: 'Angebot verbergen vor', excludeHint: 'Bis zu 5 Namen, mit Kommas dazwischen. Diese Spieler erfahren nichts davon.',
  tooMany: 'Ein Angebot lässt sich vor höchstens 5 Spielern verbergen.',
  upsideDown: 'Die niedrigste Wertung liegt über der höchsten.',
  between: (min, max) => `Wertung ${min} bis ${max}`,
  atLeast: (min) => `Wertung ab ${min}`,
  atMost: (max) => `Wertung bis ${max}`,
  onlyEstablished: 'keine vorläufigen Wertungen', onlyRegistered: 'keine Gäste',
  onlyFollowed: 'nur Spieler, denen der Anbieter folgt',
  hiddenFrom: (names) => `verborgen vor ${names.join(', ')}`,
  within: (points) => `Wertung bis ${points} Punkte entfernt`, anyRating: 'jede Wertung',
  unfit: {
    rating: 'Deine Wertung liegt außerhalb des Bereichs dieses Angebots.',
    provisional: 'Dieses Angebot ist für Spieler, deren Wertung nicht mehr vorläufig ist.',
    guest: 'Dieses Angebot ist für Registrierte.',
    not_followed: 'Dieses Angebot ist für Spieler, denen der Anbieter folgt.',
  },
  unfitOther: 'Dieses Angebot ist für andere Spieler.',
};
