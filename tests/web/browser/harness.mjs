// Starts servers, browsers and pages for the tests. Every page is watched: a request to another origin, a report of the
// content security policy, an error on the console or an uncaught error fails the test.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

/** The longest wait for anything, in ms. A busy machine is slow; a test that waits this long has failed. */
export const PATIENCE_MS = 60_000;
/** The programs under test, as the caller built them. */
const SERVER_PROGRAM = required('PAGE_SERVER');
export const CLIENT_PROGRAM = required('PAGE_CLIENT');
/** The same browser without windows, which takes half the processor time. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
/** The browser with notifications and a push service, which the other lacks. */
export const WHOLE_CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** A program such as `tests/web/dev.mjs`, which serves the page instead of the server under test. */
const DEV_SERVER = process.env.PAGE_DEV;

export const PHONE = { width: 360, height: 640 };
export const TALL_PHONE = { width: 390, height: 844 };
export const TABLET = { width: 820, height: 1180 };
export const DESKTOP = { width: 1280, height: 720 };

/** Returns the path of a program from the environment variable that the caller has set. */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} names no program; tests/system/tests/page/browser.rs sets it`);
  return value;
}

/** House bots that do not pause, so that games are short; and no work is turned away on a busy machine. */
const CONFIG = '[timing]\nbot_pause_min_ms = 0\nbot_pause_max_ms = 0\n[overload]\nlag_ms = 60000\n';

/** A server process with a data directory of its own. It keeps its address when it starts again. */
export class Server {
  /** The servers that run. A file that leaves one running never ends. */
  static running = new Set();

  /** `ruleSets` are files of the operator by their names; `lexica` are lists of words with their language. */
  static async start(config = '', ruleSets = {}, lexica = {}) {
    const server = new Server();
    server.directory = await mkdtemp(join(tmpdir(), 'tilewire-page-'));
    const folder = join(server.directory, 'data', 'rule-sets');
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(ruleSets)) await writeFile(join(folder, name), text);
    await server.buildLexica(lexica);
    server.ownPort = await freePort();
    server.port = DEV_SERVER ? await freePort() : server.ownPort;
    server.adminPort = await freePort();
    await writeFile(join(server.directory, 'tilewire.toml'), `${config}\n${CONFIG}`);
    if (DEV_SERVER) {
      const args = [DEV_SERVER, '--server', `http://127.0.0.1:${server.ownPort}`, '--port', String(server.port)];
      server.pages = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    }
    await server.run();
    return server;
  }

  async buildLexica(lexica) {
    const folder = join(this.directory, 'data', 'lexica');
    await mkdir(folder, { recursive: true });
    for (const [name, { language, words }] of Object.entries(lexica)) {
      const args = ['lexicon', 'build', '-', '--language', language, '-o', join(folder, `${name}.fst`)];
      execFileSync(CLIENT_PROGRAM, args, { input: words, stdio: ['pipe', 'ignore', 'inherit'] });
    }
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async run() {
    this.process = spawn(SERVER_PROGRAM, [
      '--config', join(this.directory, 'tilewire.toml'), '--data-dir', join(this.directory, 'data'), '--log', 'error',
      '--listen', `127.0.0.1:${this.ownPort}`, '--admin-listen', `127.0.0.1:${this.adminPort}`,
    ], { stdio: ['ignore', 'ignore', 'inherit'] });
    Server.running.add(this);
    this.ended = new Promise((resolve) => this.process.on('exit', resolve));
    await eventually(async () => {
      assert.equal(this.process.exitCode, null, 'the server has ended');
      const answer = await fetch(`${this.url}/status`).catch(() => undefined);
      return answer?.status === 200;
    }, 'the server answers');
  }

  /** Runs a command of the operator beside the running server. */
  operate(...args) {
    const own = ['--config', join(this.directory, 'tilewire.toml'), '--data-dir', join(this.directory, 'data')];
    return execFileSync(SERVER_PROGRAM, [...args, ...own], { encoding: 'utf8' });
  }

  /** Ends the process without warning. */
  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async close() {
    Server.running.delete(this);
    await this.kill();
    this.pages?.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Ports that the caller keeps free for us. A program that runs without a caller takes any. */
const PORTS = (process.env.PAGE_PORTS ?? '').split(' ').filter(Boolean).map(Number);

/** A port that nobody uses. */
async function freePort() {
  if (process.env.PAGE_PORTS) return PORTS.shift() ?? assert.fail('the caller keeps too few ports free');
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts the browser. */
export function startBrowser(executablePath = CHROMIUM) {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/**
 * Starts a server and a browser before the tests of a file, and ends them after the last one. `config` is a text, or a
 * function that returns it, or promises it.
 */
export function prepareScene(config, ruleSets, lexica, browser) {
  const scene = {};
  before(async () => {
    const settings = typeof config === 'function' ? await config() : config;
    scene.server = await Server.start(settings, ruleSets, lexica);
    scene.browser = await startBrowser(browser);
  });
  after(async () => {
    await scene.browser?.close();
    // A test that fails leaves its own servers.
    for (const server of [...Server.running]) await server.close();
  });
  return scene;
}

/** A person with a browser profile of their own. */
export class Visitor {
  static async come(browser, server, { size = DESKTOP, ...options } = {}) {
    const visitor = new Visitor();
    visitor.server = server;
    visitor.faults = [];
    visitor.requests = [];
    // The records that a busy server has refused: the page has to get them later.
    visitor.awaited = new Set();
    visitor.context = await browser.newContext({ viewport: size, locale: 'en-GB', ...options });
    visitor.context.setDefaultTimeout(PATIENCE_MS);
    visitor.page = await visitor.tab();
    return visitor;
  }

  /** Opens a further tab that is watched as the first. */
  async tab() {
    const page = await this.context.newPage();
    page.on('console', (message) => {
      const { url } = message.location();
      // A browser reports every refusal of the HTTP API on the console.
      const isRefusal = url.startsWith(`${this.server.url}/api/`);
      if (message.type() !== 'error' || this.expectsLoss || isRefusal) return;
      const isBusy = url.endsWith('.jsonl') && message.text().includes('status of 503');
      if (isBusy) this.awaited.add(url);
      else this.faults.push(`${message.text()} ${url}`);
    });
    page.on('response', (response) => {
      if (response.ok()) this.awaited.delete(response.url());
    });
    // A page that goes elsewhere wants the record no more.
    page.on('framenavigated', () => this.awaited.clear());
    page.on('pageerror', (error) => this.faults.push(error.stack ?? String(error)));
    page.on('request', (request) => {
      this.requests.push(request.url());
      const { origin } = new URL(request.url());
      const isKnown = [this.server.url, this.alsoAsks].includes(origin);
      if (!isKnown && !request.url().startsWith('data:')) this.faults.push(`a request to ${request.url()}`);
    });
    return page;
  }

  async open(path = '/') {
    await this.page.goto(`${this.server.url}${path}`);
    return this.page;
  }

  /** While the server is away, a browser reports failed connections on the console. */
  expectLoss(isExpected) {
    this.expectsLoss = isExpected;
  }

  async leave() {
    await eventually(() => this.awaited.size === 0, 'the page gets the records that a busy server has refused');
    await this.context.close();
    assert.deepEqual(this.faults, []);
  }
}

/** Waits until a condition holds. `what` is a text, or a function that describes the state in the end. */
export async function eventually(condition, what) {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    if (await condition()) return;
    assert.ok(Date.now() < until, `in vain: ${typeof what === 'function' ? what() : what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Opens a page again until a condition holds: results are settled a moment after a game, and a page asks for them once. */
export async function reloadUntil(page, condition, what) {
  await eventually(async () => {
    if (await condition()) return true;
    await page.reload();
    await page.waitForLoadState('networkidle');
    return condition();
  }, what);
}
