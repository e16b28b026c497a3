// Matches of two players that take turns; every move is judged, kept and told to everybody in the match.
const { INVALID_MOVE } = require("boardgame.io/core");
const { Server } = require("boardgame.io/server");

const SQUARES = 225;
const MOVES_MAX = 40;

const toy = {
  name: "toy",
  disableUndo: true,
  setup: () => ({ board: new Array(SQUARES).fill(0), moves: [] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, square, letter) => {
      if (G.moves.length === MOVES_MAX) {
        G.board.fill(0);
        G.moves = [];
      }
      if (!(square >= 0 && square < SQUARES) || G.board[square] !== 0 || !(letter >= 1 && letter <= 26)) {
        return INVALID_MOVE;
      }
      G.board[square] = letter;
      G.moves.push([Number(playerID), square, letter]);
    },
  },
};

const server = Server({ games: [toy], origins: [], socketOpts: { perMessageDeflate: false } });
server.run({ port: Number(process.argv[2]), host: "127.0.0.1" });
