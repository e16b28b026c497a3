// Rooms of two seats that take turns; every move is judged, kept and told to everybody in the room at once.
import { createServer } from "node:http";
import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";

const SQUARES = 225;
const MOVES_MAX = 40;

class Toy extends Room {
  onCreate() {
    this.board = new Array(SQUARES).fill(0);
    this.moves = [];
    this.count = 0;
    this.seatOf = new Map();
    this.onMessage("play", (client, [number, square, letter]) => {
      const seat = this.seatOf.get(client.sessionId);
      if (this.moves.length === MOVES_MAX) {
        this.board.fill(0);
        this.moves = [];
      }
      const isLegal =
        number === this.count && seat === number % 2 && square >= 0 && square < SQUARES &&
        this.board[square] === 0 && letter >= 1 && letter <= 26;
      if (!isLegal) return client.send("refused", [number]);
      this.board[square] = letter;
      this.moves.push([seat, square, letter]);
      this.count += 1;
      // Told at once as a message; synchronized state would wait for the next patch.
      this.broadcast("played", [number, seat, square, letter]);
    });
  }

  onJoin(client, options) {
    this.seatOf.set(client.sessionId, options.seat);
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport({ server: createServer() }) });
server.define("toy", Toy).filterBy(["room"]);
await server.listen(Number(process.argv[2]), "127.0.0.1");
