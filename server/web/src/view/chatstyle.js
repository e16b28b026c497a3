// The style sheet of the chat, which comes with its script. Values come from tokens.css.

/** The rules, a text for each. */
const CHAT_RULES = [
  '.room { position: relative; display: flex; flex-direction: column; flex: 1; min-height: 0; }',
  '.lines { flex: 1; min-height: 0; padding: var(--s-2) var(--s-3); overflow-y: auto; overscroll-behavior: contain;'
    + ' scrollbar-width: thin; display: flex; flex-direction: column; }',
  '.lines:focus-visible { box-shadow: inset 0 0 0 2px var(--act); }',
  '.lines::before { content: ""; margin-top: auto; }',
  '.lines .none { padding: var(--s-2); text-align: center; }',
  '.chat-line { padding: var(--s-1) var(--s-2) 6px; border-inline-start: 3px solid transparent; }',
  '.chat-line.own { border-color: var(--act); background: var(--act-soft); color: var(--on-act-soft); }',
  '.chat-line + .chat-line.own, .chat-line.own + .chat-line { margin-top: 2px; }',
  '.by { display: flex; align-items: center; gap: var(--s-2); min-height: 24px; font-size: var(--t-2); }',
  '.by time, .sending .by { color: var(--ink-3); white-space: nowrap; }',
  '.own .by time, .own .by span { color: inherit; }',
  '.by .name, .by b { font-weight: var(--w-strong); }',
  '.writer { display: inline-flex; min-width: 24px; min-height: 24px; align-items: center; text-decoration: underline;'
    + ' text-underline-offset: 3px; }',
  '.by .more { width: 32px; height: 24px; margin-inline-start: auto; }',
  '.said { overflow-wrap: anywhere; }',
  '.drop.line-menu { width: 220px; }',
  '.newer { position: absolute; left: 50%; bottom: 100px; transform: translateX(-50%); box-shadow: var(--shadow-lift); }',
  '.room form { flex-direction: row; padding: var(--s-2) var(--s-3) 0; }',
  '.room .told { min-height: 24px; padding: 2px var(--s-4) var(--s-1); }',
  '.room .note { padding: var(--s-3) var(--s-4) 0; }',
  '.talk { display: flex; flex-direction: column; flex: 1; min-height: 0; }',
  // The panel of a game
  '.chat:not([hidden]) { display: flex; flex-direction: column; min-height: 0; overflow: hidden; }',
  '.chat > header { flex: none; padding-right: 0; }',
  '.chat > header .close { display: inline-flex; margin-left: auto; }',
  '.chat > header .seg { flex: 1; max-width: 280px; padding: 2px; }',
  '.chat > header .seg label { height: 28px; }',
  '.chat-tab { display: none; align-items: center; gap: var(--s-2); height: 40px; padding: 0 var(--s-4); text-align: left;'
    + ' font-size: var(--t-2); font-weight: var(--w-strong); }',
  '.chat-tab:hover { background: var(--hover); }',
  '.chat-tab .count { margin-left: auto; }',
  '.table > :is(.chat, .chat-tab) { grid-area: panel; align-self: end; z-index: 1; }',
  '@container game (width > 1100px) {',
  '  .chat-tab { display: flex; }',
  '  .table.with-chat > .panel { margin-bottom: 52px; }',
  '  .table > .chat { align-self: stretch; margin-top: calc(var(--seats) * 57px + 13px); }',
  '  .table.chat-open > .panel { visibility: hidden; }',
  '  .chat-open > .chat-tab { display: none; }',
  '}',
  '@container game (width > 1100px) and (height < 772px) { .table > .chat { margin-top: 0; } }',
  '@container game (width > 1100px) and (height >= 900px) {',
  '  .table.chat-open > .panel { visibility: visible; margin-bottom: calc(45cqh + 12px); }',
  '  .table > .chat { align-self: end; height: 45cqh; margin-top: 0; }',
  '}',
  // The result shows above the chat.
  '@container game (width > 1100px) {',
  '  .table.ended.chat-open > .panel { visibility: visible; margin-bottom: calc(45cqh + 12px); }',
  '  .table.ended > .chat { align-self: end; height: 45cqh; margin-top: 0; }',
  '}',
  '@container game (width <= 1100px) {',
  '  .table > .chat { position: fixed; inset: auto 0 0; z-index: 12; height: min(100cqh, clamp(340px, 62dvh, 480px));'
    + ' border-width: 1px 0 0; border-radius: var(--r-2) var(--r-2) 0 0; box-shadow: var(--shadow-sheet);'
    + ' animation: raise var(--d-3) var(--ease); }',
  '  .chat-scrim { position: fixed; inset: 0; z-index: 11; background: var(--veil); }',
  '}',
  '@container game (width <= 1100px) and (aspect-ratio > 1.2) {',
  '  .table > .chat { inset: auto 0 0 auto; width: min(400px, 100cqw); height: 100cqh; border-radius: 0; }',
  '}',
  '@media (min-width: 1101px) { .chat-tool, .chat-scrim { display: none; } }',
  // A bar with one tool more has no room for the navigation; as on a phone, the brand leads to the lobby.
  '@media (max-width: 820px) { .bar.with-tools nav { display: none; } }',
  // Messages
  '@media (max-width: 600px) { .bar.with-tools .messages:not(.unread) { display: none; } }',
  'dialog.chat-dialog[open] { display: flex; flex-direction: column; height: min(640px, 100dvh - 24px); }',
  '.chat-dialog > .head { display: flex; flex: none; align-items: center; gap: var(--s-2); min-height: 48px;'
    + ' border-bottom: 1px solid var(--line); }',
  '.chat-dialog > .head h2 { flex: 1; min-width: 0; padding: 0 var(--s-4); }',
  '.chat-dialog > .head .btn:not([hidden]) + h2 { padding: 0; }',
  '.list-of-talks { flex: 1; overflow-y: auto; }',
  '.list-of-talks .none, .list-of-talks .foot { padding: var(--s-4); }',
  '.conversations li + li { border-top: 1px solid var(--line); }',
  '.conversations button { display: flex; align-items: center; gap: var(--s-3); width: 100%; min-height: 52px;'
    + ' padding: 0 var(--s-4); text-align: left; }',
  '.conversations button:hover { background: var(--hover); }',
  '.conversations button:focus-visible { box-shadow: inset 0 0 0 2px var(--act); }',
  '.conversations .cut { flex: 1; font-weight: var(--w-strong); }',
  '@media (max-width: 600px) { dialog.chat-dialog[open] { height: 100dvh; } }',
  // The lobby
  '.lobby-room { display: flex; flex-direction: column; height: 320px; overflow: hidden; }',
  '@media (max-width: 1100px) { .lobby .at-chat { order: 7; } }',
  '@media (forced-colors: active) { .chat-tab { border: 1px solid CanvasText; } }',
];

/** Adds the rules to the document. A policy that allows files only allows this too: no text becomes an element. */
export function addChatStyle() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CHAT_RULES.join('\n'));
  document.adoptedStyleSheets.push(sheet);
}
