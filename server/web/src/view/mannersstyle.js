// The style sheet of the questions between players, which comes with their script. Values come from tokens.css.

/** Where the strip has little room; the same as in panels.css. */
const STRIP_IS_NARROW = '@container game ((width <= 600px) or ((width > 1100px) and (height < 772px))'
  + ' or ((width <= 1100px) and (aspect-ratio > 1.2)))';

/** The rules, a text for each: there, a question has two lines, above the time and the reason. */
const MANNERS_RULES = [
  `${STRIP_IS_NARROW} {`,
  '  .strip.asks .say { font-size: var(--t-1); line-height: 1.15; }',
  '  .strip.asks .main, .strip.asks .main:has(.name) { display: block; max-height: 2.3em; white-space: normal; }',
  '  .strip.asks .main .name { display: inline-block; max-width: 8em; overflow: hidden; text-overflow: ellipsis;'
    + ' vertical-align: bottom; white-space: nowrap; }',
  '}',
];

/** Adds the rules to the document, if there is one: the script also runs without a browser. */
export function addMannersStyle() {
  if (typeof document === 'undefined') return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(MANNERS_RULES.join('\n'));
  document.adoptedStyleSheets.push(sheet);
}
