// A client's view of one game, folded from its events or taken from a snapshot.

/** An observer of a stream (see tilewire.js). A spectator's rack stays empty. */
export class Game {
  constructor(identity) {
    this.identity = identity;
    this.clear();
  }

  clear() {
    Object.assign(this, {
      seat: undefined, setup: undefined, rack: [], board: new Map(), bag: 0, phase: 'waiting', turnNo: 0, onTurn: undefined,
      ready: new Set(), scores: [], clocks: undefined, window: undefined, lastPlay: undefined, result: undefined, badWords: [],
      waiting: undefined, request: undefined, sleep: undefined,
    });
  }

  /** Replaces whatever was known. */
  snapshot(body) {
    this.clear();
    this.#setUp(body.setup);
    Object.assign(this, { phase: body.phase, turnNo: body.turn_no, onTurn: body.on_turn, bag: body.bag });
    Object.assign(this, { clocks: body.clocks, result: body.result, window: body.window });
    Object.assign(this, { request: body.adjourn_request, sleep: body.adjourned });
    this.waiting = body.waiting_until === undefined ? undefined : body;
    for (const { square, tile } of body.board) this.board.set(key(...squareOf(square)), tile);
    this.scores = body.seats.map(({ score }) => score);
    this.ready = new Set(body.seats.flatMap(({ ready }, seat) => (ready ? [seat] : [])));
    this.rack = [...(body.seats[this.seat]?.rack ?? [])];
    this.lastPlay = body.turns.find((turn) => body.window && turn.play_id === body.window.play_id);
  }

  /** The seat on turn has made its turn, which waits for challenges of the last play; its clock stands. None: not so. */
  turnWaits(body) {
    this.waiting = body;
  }

  event(body) {
    this.waiting = undefined;
    if (body.clocks) this.clocks = body.clocks;
    // Other kinds are unknown or irrelevant; their seq is already counted.
    switch (body.kind) {
      case 'created': return this.#setUp(body.setup);
      case 'seat_ready': return void this.ready.add(body.seat);
      case 'board_drawn': return void (this.setup.rule_set.board.layout = body.layout);
      case 'bag_shuffled': return void (this.bag = body.count); // After an exchange with the tiles given back.
      case 'tiles_drawn':
        this.bag = body.bag;
        return void this.rack.push(...(body.tiles ?? [])); // Only the own tiles are shown.
      case 'turn_started':
        return void Object.assign(this, { phase: 'running', turnNo: body.turn_no, onTurn: body.seat });
      case 'play_made': return this.#playMade(body);
      case 'exchanged':
        this.onTurn = undefined;
        return this.#takeFromRack(body.tiles ?? []);
      case 'passed':
      case 'turn_lost': return void (this.onTurn = undefined);
      case 'accepted': return void this.window?.accepted.push(body.seat);
      case 'challenge_opened': return void (this.window && (this.window.challenger = body.seat));
      case 'challenge_decided': return this.#decided(body);
      case 'window_closed': return void (this.window = undefined);
      case 'adjourn_requested': return void (this.request = { seat: body.seat, agreed: [] });
      case 'adjourn_agreed': return void this.request?.agreed.push(body.seat);
      case 'adjourn_declined':
      case 'seat_retired': return void (this.request = undefined);
      case 'adjourned': return void Object.assign(this, { request: undefined, sleep: { ready: [] } });
      case 'ready_to_resume': return void this.sleep?.ready.push(body.seat);
      case 'not_ready_to_resume': return void this.#isNotReady(body.seat);
      case 'resumed': return void (this.sleep = undefined);
      case 'ended':
        return void Object.assign(this, { phase: 'ended', result: body, window: undefined, onTurn: undefined });
    }
  }

  #isNotReady(seat) {
    if (this.sleep) this.sleep.ready = this.sleep.ready.filter((other) => other !== seat);
  }

  /** Whether the own seat is asked to adjourn the game and has not answered. */
  get isAskedToAdjourn() {
    return this.request !== undefined && ![this.request.seat, ...this.request.agreed].includes(this.seat);
  }

  #setUp(setup) {
    this.setup = setup;
    this.scores = setup.seats.map(() => 0);
    this.bag = setup.rule_set.tiles.reduce((sum, { count }) => sum + count, 0);
    const seat = setup.seats.findIndex(({ identity }) => identity === this.identity);
    this.seat = seat < 0 ? undefined : seat;
  }

  #playMade(body) {
    Object.assign(this, { onTurn: undefined, lastPlay: body });
    this.scores[body.seat] = body.total;
    this.bag -= body.owed; // Owed tiles count as dealt; nobody has seen them.
    const laid = laidBy(body);
    for (const [square, face] of laid) this.board.set(square, face);
    if (body.seat === this.seat) this.#takeFromRack(laid.map(([, face]) => tileOf(face)));
    if (!body.window) return;
    const eligible = [...this.scores.keys()].filter((seat) => seat !== body.seat);
    this.window = { eligible, ...body.window, play_id: body.seq, author: body.seat, accepted: [] };
    if (body.window.final) this.phase = 'final';
  }

  #decided(body) {
    this.scores = body.totals;
    this.badWords.push(...body.bad_words);
    this.window = undefined; // There is one verdict for each play.
    if (!body.upheld) return;
    this.onTurn = undefined;
    this.bag += this.lastPlay.owed ?? 0;
    for (const [square, face] of laidBy(this.lastPlay)) {
      this.board.delete(square);
      if (this.lastPlay.seat === this.seat) this.rack.push(tileOf(face));
    }
  }

  #takeFromRack(tiles) {
    for (const tile of tiles) this.rack.splice(this.rack.indexOf(tile), 1);
  }

  get isOver() {
    return this.result !== undefined;
  }

  /** Every seat's time until its flag falls at the server's time `now`, such as `24:31 / 25:00`. */
  clockText(now) {
    const clocks = this.waiting?.clocks ?? this.clocks;
    if (!clocks || this.setup.options.clock.kind === 'untimed') return 'untimed';
    const { main_ms: main, allowance_ms: allowance, running } = clocks;
    const text = (mainMs, seat) => {
      // The allowance of a turn (a delay, or the limit of a move) is used before the main time.
      const used = running?.seat === seat ? Math.max(0, now - running.since) : 0;
      const left = mainMs + allowance[seat] - used;
      const seconds = Math.floor(Math.abs(left) / 1000);
      return `${left < 0 ? '-' : ''}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    };
    return main.map(text).join(' / ');
  }
}

/** How a game ended, in one line. */
export function finalText({ reason, results = [], winners = [] }) {
  const scores = results.map((seat) => seat.final_score).join(' ');
  return `ended: ${reason}; final scores: ${scores}; winners: ${winners.join(' ') || 'none'}`;
}

/** Squares are the keys of maps, so they must be equal when they are the same. */
export const key = (row, col) => row * 32 + col;

/** [row, column] from 0 of `H8` or `8H`. */
export const squareOf = (text) => [parseInt(text.replace(/\D/g, ''), 10) - 1, text.replace(/\d/g, '').charCodeAt(0) - 65];

/** The squares a play covers, each with the face it lays there. */
function laidBy({ start, tiles }) {
  const [row, col] = squareOf(start);
  const isAcross = /^\d/.test(start);
  const laid = tiles.map((face, i) => [isAcross ? key(row, col + i) : key(row + i, col), face]);
  return laid.filter(([, face]) => face !== '.');
}

/** The tile on a rack that shows `face` on the board: a lower-case one is a blank. */
const tileOf = (face) => (face === face.toUpperCase() ? face : '?');
