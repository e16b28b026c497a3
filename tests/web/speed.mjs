// Measures the page in a browser: how soon it can be used on a slow machine and network, how soon an event is on the screen,
// whether a drag is smooth, and what opened games leave behind. Not a test: it prints figures and targets.
//
//   cargo build --profile dist -p tilewire-server; cargo build --release -p tilewire-cli
//   PAGE_SERVER=target/dist/tilewire-server PAGE_CLIENT=target/release/tilewire node tests/web/speed.mjs --repeat 5

import { parseArgs } from 'node:util';
import { DESKTOP, PHONE, Server, Visitor, WHOLE_CHROMIUM, eventually, startBrowser } from './browser/harness.mjs';
import { command, findPlay, look, playByCommand, turn } from './browser/player.mjs';
import { botGame, botGameOf } from './browser/tables.mjs';

const { values } = parseArgs({
  options: {
    repeat: { type: 'string', default: '5' },
    games: { type: 'string', default: '50' },
    /** Names of parts, with commas between them; all without it. */
    only: { type: 'string' },
  },
});
const REPEAT = Number(values.repeat);
const GAMES = Number(values.games);

/** A slow phone on a slow network. */
const SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };
const LONG_FRAME_MS = 33;
/** Events that are drawn in a run. */
const EVENTS = 40;
const ROUNDS = 6;

const server = await Server.start();
const browser = await startBrowser(WHOLE_CHROMIUM);

function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Prints the median of the runs, and the smallest and the largest. */
function print(what, figures, unit, target) {
  const shown = (figure) => (Math.abs(figure) < 10 ? figure.toFixed(2) : figure.toFixed(0));
  const [middle, least, most] = [0.5, 0, 1].map((share) => shown(quantile(figures, share)));
  console.log(`${what}: ${middle} ${unit} (${least} to ${most})${target === undefined ? '' : `, target ${target} ${unit}`}`);
}

async function slowed(visitor, { rate = SLOWDOWN, network } = {}) {
  const cdp = await visitor.context.newCDPSession(visitor.page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
  if (network) {
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', network);
  }
  return cdp;
}

/** The time of the page, ms since its navigation began, at which a selector is first enabled and painted. */
function usableAt(page, selector) {
  return page.evaluate((wanted) => new Promise((resolve) => {
    const check = () => {
      const node = document.querySelector(wanted);
      if (node?.checkVisibility() && !node.disabled) requestAnimationFrame(() => resolve(performance.now()));
      else requestAnimationFrame(check);
    };
    check();
  }), selector);
}

/** (a) A lobby without and with a cache, and a game, on a slow phone. */
async function loading() {
  const figures = { cold: [], warm: [], game: [] };
  for (let run = 0; run < REPEAT; run++) {
    const visitor = await Visitor.come(browser, server, { size: PHONE });
    await slowed(visitor, { network: NETWORK });
    const { page } = visitor;
    const open = async (path, selector) => {
      await page.goto(`${server.url}${path}`, { waitUntil: 'commit' });
      return usableAt(page, selector);
    };
    figures.cold.push(await open('/', '.hero .btn.go'));
    figures.warm.push(await open('/', '.hero .btn.go'));
    await botGame(page);
    figures.game.push(await open(new URL(page.url()).pathname, '.rack .tile'));
    await visitor.leave();
  }
  const phone = `${SLOWDOWN}x CPU, ${NETWORK.latency} ms, 1.6 Mbit/s`;
  print(`lobby usable, cold (${phone})`, figures.cold, 'ms', 1500);
  print('lobby usable, warm', figures.warm, 'ms', 1000);
  print('game usable', figures.game, 'ms', 2500);
}

/** Notes when a frame with an event arrives, and when what it changed is painted. */
function watchEvents() {
  globalThis.toPaint = [];
  const note = (data) => {
    if (!/^\["event"/.test(data)) return;
    const at = performance.now();
    // The frame that shows it, and the task behind it: then it is painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => globalThis.toPaint.push(performance.now() - at);
      port2.postMessage(0);
    });
  };
  const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
  Object.defineProperty(WebSocket.prototype, 'onmessage', {
    configurable: true,
    set(act) {
      set.call(this, act && ((event) => {
        note(event.data);
        act.call(this, event);
      }));
    },
  });
}

/**
 * (b) A game on a large board against a house bot. The events until the first own turn make the page of the game and
 * its board; they have a figure of their own.
 */
async function painting(rate) {
  const figures = [];
  const opening = [];
  for (let run = 0; run < REPEAT; run++) {
    const visitor = await Visitor.come(browser, server, { size: DESKTOP });
    const { page } = visitor;
    await page.addInitScript(watchEvents);
    await visitor.open('/');
    await botGameOf(page, 'super', 'Club');
    await turn(page);
    opening.push(quantile(await page.evaluate(() => globalThis.toPaint.splice(0)), 0.95));
    await slowed(visitor, { rate });
    let times = [];
    while (times.length < EVENTS) {
      const seen = await turn(page);
      const play = findPlay(seen);
      if (play) await playByCommand(page, play);
      else await command(page, 'pass');
      await eventually(async () => (await look(page)).turns > seen.turns, 'the turn is on the sheet');
      times = await page.evaluate(() => globalThis.toPaint);
    }
    figures.push(quantile(times, 0.95));
    await visitor.leave();
  }
  print(`event to paint, p95 of ${EVENTS} on 21 x 21 squares${rate > 1 ? `, ${rate}x CPU` : ''}`, figures, 'ms', rate > 1 ? undefined : 50);
  if (rate === 1) print('the same while the game opens', opening, 'ms');
}

/** Notes how far the frames are apart from now on. */
function watchFrames() {
  globalThis.frames = [];
  let last = performance.now();
  const next = () => requestAnimationFrame((now) => {
    globalThis.frames.push(now - last);
    last = now;
    next();
  });
  next();
}

/** Moves the mouse in circles over the board, from a place and back to it, with the button down or not. */
async function circle(page, { x, y }, isDown) {
  const board = await page.locator('.board').boundingBox();
  for (let round = 0; round < ROUNDS; round++) {
    await page.mouse.move(x, y);
    if (isDown) await page.mouse.down();
    for (let step = 1; step <= 60; step++) {
      const angle = (step / 60) * 2 * Math.PI;
      await page.mouse.move(board.x + board.width * (0.5 + 0.4 * Math.cos(angle)), board.y + board.height * (0.5 + 0.4 * Math.sin(angle)));
    }
    await page.mouse.move(x, y);
    if (isDown) await page.mouse.up();
  }
}

/** (c) Frames that took too long while a tile is dragged; and without a tile, which is what the machine itself is late. */
async function dragging(rate) {
  const figures = { drag: [], control: [] };
  for (let run = 0; run < REPEAT; run++) {
    const visitor = await Visitor.come(browser, server, { size: DESKTOP });
    const page = await visitor.open('/');
    await botGame(page);
    await turn(page);
    await slowed(visitor, { rate });
    const tile = await page.locator('.rack .tile').first().boundingBox();
    const place = { x: tile.x + tile.width / 2, y: tile.y + tile.height / 2 };
    await page.evaluate(watchFrames);
    for (const [name, isDown] of [['control', false], ['drag', true]]) {
      await page.evaluate(() => void globalThis.frames.splice(0));
      await circle(page, place, isDown);
      const frames = await page.evaluate(() => globalThis.frames);
      figures[name].push((100 * frames.filter((ms) => ms > LONG_FRAME_MS).length) / frames.length);
    }
    await visitor.leave();
  }
  const slow = rate > 1 ? `, ${rate}x CPU` : '';
  print(`frames over ${LONG_FRAME_MS} ms while a tile is dragged${slow}`, figures.drag, '%', rate > 1 ? undefined : 1);
  print(`the same without a tile${slow}`, figures.control, '%');
}

/** (d) What stays in memory of games that were opened and closed, without a reload in between. */
async function keeping() {
  const visitor = await Visitor.come(browser, server, { size: DESKTOP });
  const page = await visitor.open('/');
  await botGame(page);
  const cdp = await visitor.context.newCDPSession(page);
  const heapBytes = async () => {
    for (let rounds = 0; rounds < 3; rounds++) await cdp.send('HeapProfiler.collectGarbage');
    return (await cdp.send('Runtime.getHeapUsage')).usedSize;
  };
  const opened = async () => {
    await page.locator('header.bar a[href="/"]').first().click();
    await page.locator('.card.new').waitFor();
    await page.locator('a[href^="/games/"]').first().click();
    await page.locator('.rack .tile').first().waitFor();
  };
  for (let warmUp = 0; warmUp < 5; warmUp++) await opened();
  const before = await heapBytes();
  for (let games = 0; games < GAMES; games++) await opened();
  const after = await heapBytes();
  print(`heap growth after ${GAMES} games were opened and closed (${(before / 1e6).toFixed(1)} MB before)`, [(after - before) / 1e6], 'MB', 5);
  await visitor.leave();
}

const PARTS = {
  loading,
  painting: () => painting(1),
  paintingSlow: () => painting(SLOWDOWN),
  dragging: () => dragging(1),
  draggingSlow: () => dragging(SLOWDOWN),
  keeping,
};
const names = values.only?.split(',') ?? Object.keys(PARTS);
try {
  for (const name of names) await PARTS[name]();
} finally {
  await browser.close();
  await server.close();
}
