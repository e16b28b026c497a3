// The rules: a list of all rule sets, and a page for each with its board, its tiles and its rules in words.

import { el } from '../view/dom.js';
import { MiniBoard } from '../view/miniboard.js';
import { premiumBoard, premiumKind } from '../view/premiums.js';
import { fillSelect } from '../view/choices.js';
import { block } from '../view/lobbylayout.js';
import { optionsText } from './offer.js';
import { refusedText, words } from '../text/words.js';

/** @typedef {import('./rulebook.js').RuleSet} RuleSet */
/** @typedef {import('./routes.js').PageContext} PageContext */

/**
 * @param {PageContext & { ruleSet?: string }} context
 * @returns {import('./routes.js').Page}
 */
export function openRules(context) {
  const { lobby: { loading }, pages: { rules: texts } } = words();
  const { frame, ruleSet } = context;
  frame.setTitle(texts.title);
  const node = el('div', { class: 'page' }, el('h1', { text: texts.title }), el('p', { class: 'lead', text: loading }));
  let isClosed = false;
  const fill = (/** @type {Node[]} */ nodes) => {
    if (!isClosed) node.replaceChildren(...nodes);
  };
  const filled = ruleSet === undefined ? rulesList(context).then(fill) : rulesPage(context, ruleSet, undefined, fill);
  filled.catch((refused) => fill([
    el('h1', { text: texts.title }), el('p', { class: 'lead', text: refusedText(refused) }),
    el('a', { class: 'btn', href: '/rules', text: texts.all }),
  ]));
  return {
    node,
    close() {
      isClosed = true;
    },
  };
}

/**
 * The special features of a rule set, in one sentence.
 *
 * @param {{ id: string, summary?: string }} ruleSet
 */
function rulesSummary({ id, summary }) {
  return words().pages.ruleSets[id] ?? summary ?? '';
}

/**
 * @param {PageContext} context
 * @returns {Promise<Node[]>}
 */
async function rulesList({ rulebook }) {
  const { rules: texts } = words().pages;
  const names = await rulebook.names();
  const cards = names.map((ruleSet) => {
    const board = new MiniBoard();
    rulebook.get(ruleSet.id).then(({ rule_set: { board: { layout } } }) => board.show(layout), () => {});
    return el(
      'a', { class: 'card rules-card', href: `/rules/${encodeURIComponent(ruleSet.id)}` }, board.node,
      el('div', {}, el('b', { text: ruleSet.name }), el('p', { class: 'small', text: rulesSummary(ruleSet) })),
    );
  });
  return [
    el('h1', { text: texts.title }), el('p', { class: 'lead', text: texts.lead }),
    el('div', { class: 'rules-list' }, ...cards),
  ];
}

/**
 * @param {PageContext} context
 * @param {string} id
 * @param {string | undefined} language
 * @param {(nodes: Node[]) => void} fill
 */
async function rulesPage(context, id, language, fill) {
  const { frame, rulebook } = context;
  const { rules: texts } = words().pages;
  const rules = await rulebook.get(id, language);
  const { rule_set: set } = rules;
  const name = rulebook.nameOf(id);
  frame.setTitle(name);
  const again = (/** @type {string} */ chosen) => {
    rulesPage(context, id, chosen, fill).catch((refused) => frame.toast(refusedText(refused)));
  };
  const play = el('button', { class: 'btn go', type: 'button', text: texts.playThis, onclick: () => {
    frame.settings.set('lastGame', { options: { ...rules.usual }, level: undefined });
    frame.go('/');
  } });
  const usual = el('p', { class: 'small muted', text: `${texts.usualTitle}: ${optionsText(rules.usual)}` });
  fill([
    el('p', { class: 'small' }, el('a', { class: 'text-link', href: '/rules', text: texts.all })),
    el('h1', { text: name }),
    el('p', { class: 'lead', text: rulesSummary({ id, summary: rules.summary }) }),
    el(
      'div', { class: 'rules-page' },
      el(
        'div', { class: 'stack' }, boardBlock(rules), tilesBlock(rules, again),
      ),
      el(
        'div', { class: 'stack' },
        el('div', { class: 'between' }, usual, play),
        ...textBlocks(rules),
      ),
    ),
  ]);
}

/** @param {RuleSet} rules */
function boardBlock({ rule_set: { name, board } }) {
  const { rules: texts } = words().pages;
  const { node } = block('board', texts.board);
  const symbols = new Set(board.layout.join(''));
  const legend = Object.entries(texts.legend).filter(([symbol]) => symbols.has(symbol));
  node.append(
    premiumBoard(board, texts.boardLabel(name)),
    el('ul', { class: 'legend small' }, ...legend.map(([symbol, text]) => el(
      'li', { class: `k-${premiumKind(symbol)}` }, el('span', { text }),
    ))),
  );
  if (board.drawn) node.append(el('p', { class: 'small muted', text: texts.drawn }));
  return node;
}

/**
 * @param {RuleSet} rules
 * @param {(language: string) => void} onLanguage
 */
function tilesBlock({ rule_set: set, languages }, onLanguage) {
  const { rules: texts, setup } = words().pages;
  const count = set.tiles.reduce((/** @type {number} */ sum, /** @type {any} */ tile) => sum + tile.count, 0);
  const { node } = block('tiles', texts.tiles, el('span', { text: texts.tilesCount(count) }));
  if (languages.length > 1) {
    const select = /** @type {HTMLSelectElement} */ (el('select', {
      class: 'field', 'aria-label': texts.language, onchange: () => onLanguage(select.value),
    }));
    const named = languages.map((/** @type {string} */ name) => [name, setup.languages[name] ?? name]);
    fillSelect(select, named, set.language ?? languages[0]);
    node.append(select);
  }
  node.append(el('ul', { class: 'tile-set' }, ...set.tiles.map((/** @type {any} */ { face, value, count: n }) => el(
    'li', { 'aria-label': texts.tile(face, value, n), role: 'listitem' },
    el(
      'span', { class: 'tile-face', 'aria-hidden': 'true' }, face === '?' ? '\u00a0' : face,
      el('sub', { text: String(value) }),
    ),
    el('span', { class: 'num small muted', 'aria-hidden': 'true', text: `×${n}` }),
  ))));
  return node;
}

/**
 * The rules in words.
 *
 * @param {RuleSet} rules
 */
function textBlocks(rules) {
  const { lobby: { list }, pages: { rules: texts, setup } } = words();
  const { rule_set: set, usual } = rules;
  const section = (/** @type {string} */ title, /** @type {Node[]} */ ...nodes) => el(
    'section', { class: 'block prose' }, el('h2', { text: title }), ...nodes);
  const paragraphs = (/** @type {string[]} */ all) => all.map((text) => el('p', { text }));
  const bingos = set.bingo.map((/** @type {any} */ { tiles, bonus }) => texts.bingo(tiles, bonus));
  const seats = rules.min_seats === rules.max_seats ? rules.min_seats : `${rules.min_seats}–${rules.max_seats}`;
  const nodes = [
    section(texts.howTitle, ...paragraphs(texts.how({
      seats, rack: set.rack_size, bingos: list(bingos), exchange: set.exchange_min_bag,
    }))),
    section(texts.challengeTitle, el('dl', {}, ...rules.challenges.flatMap((/** @type {string} */ kind) => {
      const [name, text] = setup.challengeKinds[kind] ?? [kind, ''];
      return [el('dt', { text: name }), el('dd', { text })];
    }))),
    section(texts.endTitle, ...paragraphs(texts.ends({
      end: setup.end(usual.end), rackCount: set.rack_count, ties: /** @type {any} */ (setup.ties)[usual.ties] ?? '',
    }))),
  ];
  if (!rules.targets) return nodes;
  const targets = section(texts.targetTitle, el('p', { text: texts.targetText }), targetTable(rules.targets));
  return [nodes[0], targets, ...nodes.slice(1)];
}

/** @param {Record<string, any>[]} targets */
function targetTable(targets) {
  const { rules: texts, setup } = words().pages;
  const levels = ['beginner', 'intermediate', 'expert'];
  return el(
    'table', { class: 'num' },
    el('tr', {}, el('td', {}), ...levels.map((level) => el('th', { scope: 'col', text: setup.values[level] }))),
    ...targets.map((row) => el(
      'tr', {}, el('th', { scope: 'row', text: texts.targets(row.seats) }),
      ...levels.map((level) => el('td', { text: String(row[level]) })),
    )),
  );
}
