// Finds plays with a list of words: walks through every line of the board, as far as words of the list begin so.

import { readFileSync } from 'node:fs';
import { key, squareOf } from './game.js';

const BUDGET = 30_000; // Steps of the search after which the best play found so far is good enough.

/**
 * The words of a list that can be laid with the tiles of a game.
 *
 * Inside, every tile is one character, even CH or L·L, so that words are plain strings and sorted words a search tree.
 */
export class Words {
  constructor(path, tiles) {
    this.value = new Map(tiles.map(({ face, value }) => [face, value]));
    const faces = tiles.map(({ face }) => face).filter((face) => face !== '?');
    this.signOf = new Map(faces.map((face, i) => [face, face.length === 1 ? face : String.fromCharCode(0xe000 + i)]));
    this.faceOf = new Map([...this.signOf].map(([face, sign]) => [sign, face]));
    // The longest face first: C and H never lie in the place of CH.
    this.tile = new RegExp([...faces].sort((a, b) => b.length - a.length).join('|'), 'g');
    const lines = path ? readFileSync(path, 'utf8').split('\n') : [];
    this.all = new Set(lines.map((line) => this.signs(line.trim())).filter(Boolean));
    this.sorted = [...this.all].sort();
  }

  /** A word as a string of signs; empty if there is no such tile. The server writes `[CH]`, a list `CH`. */
  signs(word) {
    const upper = word.normalize('NFC').toUpperCase().replace(/[\[\]]/g, '');
    const faces = upper.match(this.tile) ?? [];
    return faces.join('') === upper ? faces.map((face) => this.signOf.get(face)).join('') : '';
  }

  has(word) {
    return this.all.has(this.signs(word));
  }

  /** Forgets words that the server does not know. */
  remove(words) {
    if (words.filter((word) => this.all.delete(this.signs(word))).length) this.sorted = [...this.all].sort();
  }

  isStart(signs) {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle] < signs) low = middle + 1;
      else high = middle;
    }
    return this.sorted[low]?.startsWith(signs) ?? false;
  }

  /** A good play, {start, tiles}, or undefined: the more tiles the better, then the more they are worth. */
  find(game) {
    return new Search(this, game).best();
  }
}

class Search {
  steps = 0;
  found = undefined;
  rank = 0;

  constructor(words, game) {
    this.words = words;
    const { rows, cols, start } = game.setup.rule_set.board;
    this.grid = new Map([...game.board].map(([square, face]) => [square, words.signOf.get(face.toUpperCase())]));
    this.rack = game.rack;
    // A play covers one of these: squares beside a tile, or the start square of an empty board.
    const beside = [...this.grid.keys()].flatMap((at) => [at - 1, at + 1, at - key(1, 0), at + key(1, 0)]);
    this.anchors = new Set(this.grid.size ? beside.filter((at) => !this.grid.has(at)) : [key(...squareOf(start))]);
    const range = (length) => [...Array(length).keys()];
    const across = range(rows).map((row) => range(cols).map((col) => key(row, col)));
    const down = range(cols).map((col) => range(rows).map((row) => key(row, col)));
    this.lines = [...across, ...down].sort(() => Math.random() - 0.5);
  }

  best() {
    for (const line of this.lines) {
      for (let start = 0; start < line.length; start++) {
        if (this.found && this.steps > BUDGET) return this.found;
        const free = line.slice(start).filter((at) => !this.grid.has(at)).slice(0, this.rack.length);
        if (!this.grid.has(line[start - 1]) && free.some((at) => this.anchors.has(at))) {
          this.walk(line, start, start, '', [], false, this.rack);
        }
      }
    }
    return this.found;
  }

  walk(line, start, at, signs, tiles, touches, rack) {
    this.steps++;
    const square = line[at];
    const lying = this.grid.get(square);
    if (!lying && touches && signs.length > 1 && this.words.all.has(signs)) this.keep(line, start, tiles);
    if (lying && this.words.isStart(signs + lying)) {
      this.walk(line, start, at + 1, signs + lying, [...tiles, '.'], touches, rack);
    }
    if (lying || square === undefined) return;
    for (const tile of new Set(rack)) {
      const left = [...rack];
      left.splice(left.indexOf(tile), 1);
      for (const sign of tile === '?' ? this.words.faceOf.keys() : [this.words.signOf.get(tile)]) {
        if (!this.words.isStart(signs + sign) || !this.fits(square, isAcross(line), sign)) continue;
        const face = this.words.faceOf.get(sign);
        const laid = [...tiles, tile === '?' ? face.toLowerCase() : face];
        this.walk(line, start, at + 1, signs + sign, laid, touches || this.anchors.has(square), left);
      }
    }
  }

  /** Whether the word in the other direction is one, if there is one. */
  fits(square, isAcross, sign) {
    const step = isAcross ? key(1, 0) : 1;
    let word = sign;
    for (let at = square - step; this.grid.has(at); at -= step) word = this.grid.get(at) + word;
    for (let at = square + step; this.grid.has(at); at += step) word += this.grid.get(at);
    return word.length === 1 || this.words.all.has(word);
  }

  keep(line, start, tiles) {
    const laid = tiles.filter((face) => face !== '.');
    const rank = 1000 * laid.length + laid.reduce((sum, face) => sum + (this.words.value.get(face) ?? 0), 0);
    if (rank <= this.rank) return;
    const row = Math.floor(line[start] / key(1, 0)) + 1;
    const column = String.fromCharCode(65 + (line[start] % key(1, 0)));
    this.rank = rank;
    this.found = { start: isAcross(line) ? `${row}${column}` : `${column}${row}`, tiles };
  }
}

const isAcross = (line) => line[1] - line[0] === 1;
