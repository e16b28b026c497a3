//! The long texts of `--help`.

pub(super) const EXAMPLES: &str = "\
Examples:
  tilewire play                                    offer a game and wait for an opponent
  tilewire play --profile anna --quick             join the same kind of game, as a second player
  tilewire play --clock increment:15m+10s --private  offer a game to a friend, who joins with its code
  tilewire play --code CODE
  tilewire play --bot expert                       play against a computer opponent
  tilewire play --bot beginner --hints 5           with five hints; in the game, `hint` shows a play
  tilewire play --spectators 5m,racks              for commentary: 5 min delay, with all racks
  tilewire play --rated --quick --any-rating       a rated game; eventually against any rating
  tilewire play --rating 1400-1700 --registered    an offer for certain players; --exclude ben hides it from ben
  tilewire play --rules wordfeud-random --quick    use another rule set; `tilewire rules` lists them
  tilewire play --resume                           return to your unfinished game
  tilewire watch                                   watch the live game, or choose one
  tilewire lobby                                   see offers and games; join, offer or watch
  tilewire games
  tilewire games --finished                        your finished games
  tilewire lookup GAME QUIXOTE                     look up a word in the lexicon of a finished game
  tilewire whoami                                  your name and identity on the server
  tilewire register anna                           register as anna: keep your games, sign in elsewhere
  tilewire login anna                              sign in on another machine
  tilewire sessions                                where you are signed in
  tilewire account chat off                        turn chat off; `tilewire account` shows your settings
  tilewire account invitations followed            only players you follow can invite you
  tilewire account vacation 5                      go on vacation for 5 days: deadlines are extended
  tilewire account export me.zip                   download everything the server stores about you
  tilewire account erase                           delete your account in 14 days; --cancel cancels
  tilewire stats                                   your statistics and ratings
  tilewire leaderboard classic/wordnik/rapid       the best players in a rating pool
  tilewire archive --player me --opponent ben      your finished games against ben
  tilewire follow ben                              follow a player; `tilewire block ben` blocks one
  tilewire report eve abuse                        report a player to the moderators
  tilewire friends                                 your friends: who is online, and what they play
  tilewire record show GAME                        show a finished game move by move
  tilewire verify GAME                             verify every draw of a finished game
  tilewire bot --level club --quick                let a bot play
  tilewire lexicon check qi zax                    check words
  tilewire completions bash                        complete commands and flags with Tab

`tilewire play --help` lists the commands in a game and explains line mode.";

pub(super) const PLAY: &str = "\
In a game, type:
  8F HORN        play across from row 8, column F         (H6 HORN: down from column H, row 6)
  h6 FA.M        . is a tile on the board; you can type its letter instead
  8F HoRN        a lower-case letter is your blank
  exchange AEI   exchange tiles (? is the blank)          pass
  challenge      challenge the last play                  hold, release, accept
  withdraw       withdraw your challenged play, or stand (games with consent)
  resign         abort (before both have played; in a rated game it asks: abort yes, abort no)
  nudge (ask whether the opponent is still there)   here (answer a nudge)
  adjourn (continue another day: adjourn yes, adjourn no)   resume (an adjourned game)
  give 15 (give an opponent 15 seconds; in a game with time per turn: give)   refuse (accept no extra time)
  hint           in a casual game with hints: show a play (hint 1: what kind of play; hint 2: and in which row or column)
  claim (claim the win if your opponent is away or silent)
  rematch        after the game: offer a rematch, or agree to one (rematch no: decline, or withdraw your offer)
  start          start your offered game with the players who have joined
  say TEXT       chat with the others      tell NAME TEXT (chat with a friend)
  report NAME REASON [TEXT]  report a player to the moderators, with the game and the player's last message;
                 the reasons are abuse, cheating, stalling, name and other
  shuffle        your rack      help      quit (the game continues; return with --resume)
  On the screen, the board shows a play while you type it, with its score. The first Enter keeps it as a draft, the
  second Enter plays it, and Esc removes it. Line mode plays at once.

Line mode (--json, or if stdin or stdout is not a terminal):
  Reads the same commands from stdin, one per line. Writes one JSON object per line to stdout; its \"type\" is:
    status         the connection: \"state\" is connected, attached, reconnecting, resumed or closed
    seek           your offer, until the game starts; then game_created
    similar        the open offers that differ from yours only in the clock; join one by its number or id
    event          an event of the game, with the fields of the protocol; exactly once
    snapshot       the whole game, if the missed events are no longer available
    queued         an input line that waits until the connection is back; its answer follows
    ok, error      the answer to input line number \"line\" (counted from 1)
    reported, not_reported  the outcome of a report, which the game does not wait for
    choose         games to choose from; answer with an id or a number in the list
    and the other messages of the protocol: presence, crowd, lag, notice, paused, ...
  Commands run in order; each waits for the answer to the one before. EOF does not end the game: the program
  ends when the game ends. Empty lines are counted, but ignored.

Exit status: 0 after the end of the game or `quit`; 1 for an error, with the reason in the last line or on
stderr; 2 for invalid arguments.";

pub(super) const WATCH: &str = "\
Line mode (--json, or if stdin or stdout is not a terminal): writes one JSON object per line;
see `tilewire play --help`.";

pub(super) const LOBBY: &str = "\
In the lobby, type:
  new            offer a game           new private    offer a game to friends, who join with its code
  quick          join or open one     join 1         join the first offer (also by id or code)
  invite NAME    invite a player      accept         accept the first invitation (also by number)
  decline        decline an invitation, or cancel your own; with a number and a reason: decline 1 busy (or other, no)
  watch 1        watch the first live game              resume 1       return to your first unfinished game
  `new`, `quick` and `invite` take the flags for the options of the game, for example: new private --clock increment:15m+10s

Line mode (--json, or if stdin or stdout is not a terminal): writes the lists as one line \"games\" and
each change as a line \"lobby\"; for the game see `tilewire play --help`.";

pub(super) const COMPLETIONS: &str = "\
Examples:
  tilewire completions bash > ~/.local/share/bash-completion/completions/tilewire
  tilewire completions zsh > ~/.zfunc/_tilewire
  tilewire completions fish > ~/.config/fish/completions/tilewire.fish";

pub(super) const MAN: &str = "\
Examples:
  tilewire man | man -l -
  tilewire man -o ~/.local/share/man/man1";
