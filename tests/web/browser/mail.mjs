// A real mail server beside the server under test (tests/tools/mail_server.py), and the letters that it has taken.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, required } from './harness.mjs';

const TOOLS = fileURLToPath(new URL('../../tools/', import.meta.url));
/** The eight digits stand alone in a line of the letter. */
const CODE = /^\s*(\d{8})\s*$/m;

/** The mail server of the tests of a file. */
export class MailServer {
  #python = required('PAGE_PYTHON');
  /** How many codes each address has had that the test has read. */
  #read = new Map();

  /** Starts the mail server for the tests of a file, and ends it after the last one. */
  static prepare() {
    const mail = new MailServer();
    mail.started = mail.start();
    after(() => mail.close());
    return mail;
  }

  async start() {
    this.folder = await mkdtemp(join(tmpdir(), 'tilewire-mail-'));
    const args = [join(TOOLS, 'mail_server.py'), '--into', this.folder];
    this.process = spawn(this.#python, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.ended = new Promise((resolve) => this.process.on('exit', resolve));
    const first = new Promise((resolve) => createInterface(this.process.stdout).once('line', resolve));
    const line = await Promise.race([first, this.ended.then(() => 'the mail server has ended')]);
    this.port = Number(line.replace('listening ', ''));
    assert.ok(this.port > 0, line);
  }

  /** The settings of a server that sends its letters here. */
  async config() {
    await this.started;
    const from = 'Tilewire <tiles@example.org>';
    return `[mail]\nserver = "localhost"\nport = ${this.port}\nsecurity = "none"\nfrom = "${from}"\nretry_ms = 100\n`;
  }

  /** All letters, the oldest first. */
  letters() {
    const args = [join(TOOLS, 'mail_read.py'), this.folder];
    return JSON.parse(execFileSync(this.#python, args, { encoding: 'utf8' }));
  }

  /** Waits for the next letter with a code to an address; returns the code. */
  async code(address) {
    const at = this.#read.get(address) ?? 0;
    let codes = [];
    await eventually(() => {
      codes = this.letters().filter(({ to }) => to === address).map(({ text }) => CODE.exec(text)?.[1]).filter(Boolean);
      return codes.length > at;
    }, `a code for ${address}`);
    this.#read.set(address, at + 1);
    return codes[at];
  }

  async close() {
    this.process?.kill('SIGKILL');
    await this.ended;
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }
}
