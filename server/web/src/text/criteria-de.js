// The texts about the players that an offer admits, in German. The same keys as criteria-en.js.

/**
 * The texts of the criteria of an offer, in German.
 *
 * @type {typeof import('./criteria-en.js').criteriaEn}
 */
export const criteriaDe = {
  title: 'Wer mitspielen darf', open: 'Mitspieler …', offer: 'Partie anbieten', any: 'Beliebigen Gegner finden',
  anyHint: '„Beliebigen Gegner finden“ sucht zuerst ähnliche Wertungen und später jede.',
  min: 'Niedrigste Wertung', max: 'Höchste Wertung', established: 'Keine vorläufigen Wertungen',
  registered: 'Nur Registrierte', followed: 'Nur Spieler, denen ich folge',
  exclude: 'Verbergen vor', excludeHint: 'Bis zu 5 Namen, durch Kommas getrennt. Sie erfahren nichts davon.',
  tooMany: 'Du kannst ein Angebot vor höchstens 5 Spielern verbergen.',
  upsideDown: 'Die niedrigste Wertung ist höher als die höchste.',
  between: (min, max) => `Wertung ${min}–${max}`,
  atLeast: (min) => `Wertung ab ${min}`,
  atMost: (max) => `Wertung bis ${max}`,
  onlyEstablished: 'keine vorläufigen Wertungen', onlyRegistered: 'keine Gäste',
  onlyFollowed: 'nur Spieler, denen der Anbieter folgt',
  hiddenFrom: (names) => `verborgen vor ${names.join(', ')}`,
  within: (points) => `Wertung bis ${points} Punkte entfernt`, anyRating: 'jede Wertung',
  unfit: {
    rating: 'Deine Wertung liegt außerhalb des Bereichs dieses Angebots.',
    provisional: 'Dieses Angebot gilt nicht für vorläufige Wertungen.',
    guest: 'Dieses Angebot ist nur für Registrierte.',
    not_followed: 'Dieses Angebot ist nur für Spieler, denen der Anbieter folgt.',
  },
  unfitOther: 'Du kannst diesem Angebot nicht beitreten.',
};
