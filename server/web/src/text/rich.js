// Sentences that have names and words of the game in them: a list of parts, which a view shows and the announcer reads.

/**
 * A name of a player or a word of the game, so that a view can mark it; anything else is plain text. A word with an `act`
 * can be pressed; `label` says what that does, and `valid` what the lexicon said of the word.
 *
 * @typedef {{ word: string, act?: () => void, label?: string, valid?: boolean }} MarkedWord
 * @typedef {{ name: string, you?: boolean } | MarkedWord | { strong: string }} Marked
 * @typedef {string | Marked} Part
 */

/**
 * A tag for templates: keeps marked values apart from the text around them.
 *
 * @param {TemplateStringsArray} strings
 * @param {...(Part | number | Part[] | undefined)} values
 * @returns {Part[]}
 */
export function rich(strings, ...values) {
  /** @type {Part[]} */
  const parts = [];
  strings.forEach((text, i) => {
    if (text) parts.push(text);
    const value = values[i];
    if (Array.isArray(value)) parts.push(...value);
    else if (value !== undefined && value !== '') parts.push(typeof value === 'number' ? String(value) : value);
  });
  return parts;
}

/**
 * The same as plain text, for titles and for the announcer. Words are in capitals, without the marks of blanks.
 *
 * @param {Part[] | string} parts
 * @returns {string}
 */
export function plainText(parts) {
  if (typeof parts === 'string') return parts;
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('name' in part) return part.name;
      if ('strong' in part) return part.strong;
      return shownWord(part.word);
    })
    .join('');
}

/**
 * A word as people write it: capitals, without the brackets around faces of several letters.
 *
 * @param {string} word
 */
export function shownWord(word) {
  return word.replace(/[[\]]/g, '').toUpperCase();
}
