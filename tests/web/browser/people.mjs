// Registered players for the tests, and games between them that nobody has to look at.

import { Visitor } from './harness.mjs';

export const PASSWORD = 'violet anchor thirteen soup';
/** A first pass ends the game, and the player with fewer points on the rack wins. */
export const SHORT_GAME = {
  rule_set: 'classic', seats: 2, lexicon: 'wordnik', clock: { kind: 'sudden_death', initial_ms: 600_000 },
  challenge: { kind: 'void' }, end: { limit: 1, per_seat: false, counts: 'scoreless', unless_all_zero: false },
};

/** A visitor who registers at once. */
export async function registered(scene, handle, options) {
  const visitor = await Visitor.come(scene.browser, scene.server, options);
  const page = await visitor.open('/register');
  await page.getByLabel('Username', { exact: true }).fill(handle);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Your recovery codes' }).waitFor();
  await page.getByRole('checkbox', { name: 'I have saved these codes.' }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  return visitor;
}

/** The token of the player of a page. */
export const tokenOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('tilewire.identity')).token);

/**
 * Plays short games between the players of two pages, over connections of its own. The second player resigns every game
 * whose number `resigned` divides; 0: none. Returns the ids of the games.
 */
export async function playShortGames(pages, count, { options = {}, resigned = 0 } = {}) {
  const tokens = await Promise.all(pages.map(tokenOf));
  return pages[0].evaluate(playInPage, { tokens, count, resigned, options: { ...SHORT_GAME, ...options } });
}

/** Runs in a page, whose policy allows connections to its server. */
async function playInPage({ tokens, count, resigned, options }) {
  const connect = (token) => new Promise((resolve, reject) => {
    const ws = new WebSocket(`ws://${location.host}/ws`, ['tilewire.v1.json']);
    const open = new Map();
    const events = new Map();
    let last = 0;
    const ask = (op, body) => new Promise((ok, failed) => {
      const request = JSON.stringify([op, ++last, body]);
      open.set(last, { ok, failed, send: () => ws.send(request) });
      ws.send(request);
    });
    // An event can come before anybody waits for it.
    const eventOf = (key) => {
      if (!events.has(key)) events.set(key, Promise.withResolvers());
      return events.get(key);
    };
    ws.onmessage = ({ data }) => {
      const [op, id, body] = JSON.parse(data);
      if (op === 'welcome') resolve({ ask, wait: (game, kind) => eventOf(`${game} ${kind}`).promise, close: () => ws.close(1000) });
      if (op === 'ok') open.get(id)?.ok(body);
      // These players are faster than people.
      if (op === 'error' && body.code === 'rate_limited') setTimeout(open.get(id).send, body.detail.retry_after_ms);
      else if (op === 'error') (id === 1 ? reject : open.get(id)?.failed)(new Error(data));
      if (op === 'event') eventOf(`${body.game} ${body.kind}`).resolve(body);
    };
    ws.onopen = () => ask('auth', { token, client: 'test/1' });
  });
  const players = await Promise.all(tokens.map(connect));
  const [first, second] = players;
  const games = [];
  let commands = 0;
  const command = (more) => ({ cmd_id: `t${Date.now().toString(36)}-${++commands}`, ...more });
  for (let i = 1; i <= count; i++) {
    const isResigned = resigned > 0 && i % resigned === 0;
    // A rated game counts after a turn of each.
    const ownOptions = isResigned ? { ...options, end: { ...options.end, limit: 6 } } : options;
    const { seek } = await first.ask('seek', command({ options: ownOptions }));
    const { game } = await second.ask('join_seek', command({ seek: seek.seek }));
    for (const player of players) {
      await player.ask('attach', { game, seq: 0 });
      // The page has opened the game and may have said it already.
      await player.ask('ready', command({ game })).catch(() => {});
    }
    const { seat, turn_no: turn } = await first.wait(game, 'turn_started');
    await players[seat].ask('pass', command({ game, turn_no: turn }));
    if (isResigned) {
      await players[1 - seat].ask('pass', command({ game, turn_no: turn + 1 }));
      await second.ask('resign', command({ game }));
    }
    await first.wait(game, 'ended');
    games.push(game);
  }
  for (const player of players) player.close();
  return games;
}
