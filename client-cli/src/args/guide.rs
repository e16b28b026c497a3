//! The longer texts of `--help`.

pub(super) const EXAMPLES: &str = "\
Examples:
  tilewire play                                    offer a game and wait for somebody
  tilewire play --profile anna --quick             be matched, as another player
  tilewire play --clock increment:15m+10s --private  offer a game to a friend, who joins by its code
  tilewire play --code CODE
  tilewire play --bot expert                       play against a house bot
  tilewire play --spectators 5m,racks              for commentary: watched 5 minutes late, with all racks
  tilewire play --rules wordfeud-random --quick    play by other rules; `tilewire rules` lists them
  tilewire play --resume                           return to your unfinished game
  tilewire watch                                   watch the live game (or choose one)
  tilewire lobby                                   look around, then join, offer or watch
  tilewire games
  tilewire whoami                                  your name and identity on the server
  tilewire record show GAME                        a finished game move by move
  tilewire verify GAME                             prove every draw of a finished game
  tilewire bot --level club --quick                let a bot play
  tilewire lexicon check qi zax                    whether words are valid

`tilewire play --help` explains what to type in a game, and line mode.";

pub(super) const PLAY: &str = "\
In a game, type:
  8F HORN        play across from row 8, column F         (H6 HORN: down from column H, row 6)
  h6 FA.M        . is a tile that lies there already; you may type its letter instead
  8F HoRN        a lower-case letter is your blank
  exchange AEI   exchange tiles (? is the blank)          pass
  challenge      challenge the last play                  hold, release, accept
  withdraw       take your challenged play back, or stand by it (games with consent)
  resign         abort (before both have played)          claim (the place of somebody who vanished)
  start          begin your offered game with those who are here
  shuffle        your rack      help      quit (the game goes on; come back with --resume)

Line mode (--json, or when stdin or stdout is no terminal):
  The same commands, one per line, on stdin; one JSON object per line on stdout, told apart by \"type\":
    status         the connection: \"state\" is connected, attached, reconnecting, resumed or closed
    seek           your offer as it stands, until the game begins; then game_created
    event          an event of the game, with the fields of the protocol, each exactly once
    snapshot       the whole game, when the events before are not to be had
    ok, error      the answer to the input line with the number \"line\" (counted from 1)
    choose         games to choose from; answer with a game or its place in the list
    games          (tilewire games) the lists mine, live and seeks
    and the other messages of the protocol as they come: presence, crowd, lag, notice, paused, ...
  Lines are worked off in order, each after the answer to the one before. The end of the input is no
  command: the game goes on, and the program ends with it. Empty lines are ignored, but counted.

Exit status: 0 after the end of the game or `quit`; 1 when something went wrong, with the reason in the
last line or on stderr; 2 for wrong arguments.";

pub(super) const WATCH: &str = "\
Line mode (--json, or when stdin or stdout is no terminal): everything that happens is one JSON object per
line; see `tilewire play --help`.";

pub(super) const LOBBY: &str = "\
In the lobby, type:
  new            offer a game           new private    offer one to friends, who join by its code
  quick          be matched             join 1         join the first offer (or an id, or a code)
  watch 1        watch the first live game              resume 1       return to your first unfinished game

Line mode (--json, or when stdin or stdout is no terminal): the lists come as one line \"games\", every change
as a line \"lobby\"; from the game on, everything is as in `tilewire play --help`.";
