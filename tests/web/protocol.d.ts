// The messages of the protocol. Made by tests/web/types.mjs from docs/protocol/schema.json; do not edit.

declare namespace Protocol {
  type GameEvent = AbortDeclinedEvent | AbortRequestedEvent | AcceptedEvent | AdjournAgreedEvent | AdjournDeclinedEvent | AdjournRequestedEvent | AdjournedEvent | BagShuffledEvent | BoardDrawnEvent | ChallengeDecidedEvent | ChallengeOpenedEvent | ClockCreditedEvent | CreatedEvent | EndedEvent | ExchangedEvent | HintUsedEvent | HoldEndedEvent | HoldStartedEvent | NotReadyToResumeEvent | NudgeAnsweredEvent | NudgedEvent | OrderDrawnEvent | PassedEvent | PausedEvent | PlayMadeEvent | ReadyToResumeEvent | ResumedEvent | SeatReadyEvent | SeatRetiredEvent | SeatReturnedEvent | SeatVanishedEvent | TilesDrawnEvent | TimeGivenEvent | TimeRefusedEvent | TurnLostEvent | TurnStartedEvent | VacationEvent | WindowClosedEvent;

  namespace Client {
    /** Answers the other seat's request to abort a rated game. */
    type AnswerAbort = {
      /** Whether the game ends without a result. */
      accept: boolean;
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
    };

    /** Answers another seat's request to adjourn the game. */
    type AnswerAdjourn = {
      /** Whether the seat agrees. */
      agree: boolean;
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
    };

    /** Accepts or declines an invitation, or takes back one's own. */
    type AnswerInvitation = {
      /** Whether the game begins. The player who invites can only send `false`, to take the invitation back. */
      accept: boolean;
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The invitation. */
      invitation: Protocol.Client.SeekId;
      /** The player's level; counts where the rule set has targets. */
      level?: Protocol.Client.Level;
      /** SHA-256 of the nonce that `ready` will contain, 32 bytes. */
      nonce_hash?: Protocol.Client.Hash;
      /** Why the invited player declines; absent: no reason. */
      reason?: Protocol.Client.DeclineReason;
    };

    /** Asks for a hint in the own turn. */
    type AskHint = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
      /** How much the hint says: 1 the theme, 2 the row or column too, 3 the turn. */
      grade: number;
      /** The turn this is meant for. */
      turn_no: number;
    };

    /** Describes a rule set. */
    type AskRuleSet = {
      /** Language of the tiles; absent: the default one. */
      language?: string;
      /** Its id, one of those in `hello`. */
      rule_set: string;
    };

    /** Asks for a game's events. */
    type Attach = unknown | unknown;

    /** Proves or creates an identity. */
    type Auth = {
      /** Name and version of the client program, for the operator's logs. */
      client: string;
      /** The wanted display name; absent: the present one, or one that the server chooses. */
      name?: string;
      /** The token of an earlier `welcome`; absent: a new guest. */
      token?: Protocol.Client.Token;
    };

    /** The challenge rule of a game. */
    type Challenge = {
      /** The author may withdraw a challenged play before the lexicon decides (never with `triple`); absent: false. */
      consent?: boolean;
      /** The cost of a challenge. */
      kind: Protocol.Client.ChallengeKind;
      /** Points of a failed challenge count for each word challenged (`five_point`, `ten_point`); absent: false. */
      per_word?: boolean;
      /** How long a play can be challenged, ms: 0 (no timer) or 5,000 to 60,000; absent: the rule set's own. */
      window_ms?: number;
    };

    type ChallengeKind = 'void' | 'single' | 'double' | 'five_point' | 'ten_point' | 'triple';

    /** Joins a room, or follows all direct rooms of the identity. */
    type ChatJoin = {
      /** The number of the last line that the client has; absent: the newest lines. */
      after?: number;
      /** `players`, `spectators`: the game. */
      game?: Protocol.Client.GameId;
      /** The kind of room. */
      kind: Protocol.Client.ChatKind;
      /** `direct`: the handle of the friend; absent: all direct rooms. */
      with?: string;
    };

    type ChatKind = 'players' | 'spectators' | 'direct' | 'lobby';

    /** Leaves a room. */
    type ChatLeave = {
      /** The room. */
      room: Protocol.Client.RoomId;
    };

    /** Writes a line into a joined room. */
    type ChatSay = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The room. */
      room: Protocol.Client.RoomId;
      /** The text. */
      text: string;
    };

    /** Claims the place of a seat that has vanished, or that has not answered a nudge. */
    type Claim = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
      /** The seat. */
      seat: number;
    };

    /** The clock of a game: its kind and the figures of that kind. A missing figure has the kind's default. */
    type Clock = {
      /** Reserve for turns that pass the limit, ms for the whole game (`per_move`). */
      bank_ms?: number;
      /** Overtime beyond which the seat loses, ms (`overtime`). */
      cap_ms?: number;
      /** Free at the start of each turn of the seat, ms (`delay`). */
      delay_ms?: number;
      /** Added after each turn of the seat, ms (`increment`). */
      increment_ms?: number;
      /** Budget of each seat at the start, ms (`sudden_death`, `increment`, `delay`, `overtime`). */
      initial_ms?: number;
      /** The kind of clock; it decides which figures belong to it. */
      kind: Protocol.Client.ClockKind;
      /** Limit of each turn, ms (`per_move`). */
      limit_ms?: number;
      /** Points for each started minute of overtime (`overtime`). */
      penalty_per_minute?: number;
    };

    type ClockKind = 'sudden_death' | 'increment' | 'delay' | 'overtime' | 'per_move' | 'untimed';

    type CmdId = string;

    type DeclineReason = 'busy' | 'other_options' | 'no';

    /** Ends the stream of a game's events. */
    type Detach = {
      /** The game. */
      game: Protocol.Client.GameId;
    };

    /** A body without fields. */
    type Empty = Record<string, never>;

    type EndCounts = 'scoreless' | 'passes' | 'without_score';

    /** When a game without progress ends. */
    type EndOption = {
      /** Which turns count. */
      counts: Protocol.Client.EndCounts;
      /** Number of consecutive counted turns that ends the game, or that number for each active seat. */
      limit: number;
      /** Whether `limit` is multiplied by the number of active seats. */
      per_seat: boolean;
      /** Whether the game continues while no seat has a point; absent: false. */
      unless_all_zero?: boolean;
    };

    /** Exchanges tiles. */
    type Exchange = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
      /** The faces of the tiles to give back; `?` for a blank. */
      tiles: Array<string>;
      /** The number of the turn that the command is meant for. */
      turn_no: number;
    };

    /** Asks for a private seek. */
    type FindSeek = {
      /** Its code. */
      code: string;
    };

    type FirstPlay = 'draw' | 'owner';

    /** Acts on the game as a whole: resign, abort, nudge, here, adjourn, resume_game, refuse_time. */
    type GameCommand = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
    };

    type GameId = string;

    /** The options that the players of a game agreed on. */
    type GameOptions = {
      /** Whether the game ends when the bag is empty and no seat has a legal play (`void` only); absent: the rule set's own. */
      all_played?: boolean;
      /** The challenge rule; absent: the rule set's own. */
      challenge?: Protocol.Client.Challenge;
      /** How time is counted; absent: the rule set's own. */
      clock?: Protocol.Client.Clock;
      /** When a game without progress ends; absent: the rule set's own. */
      end?: Protocol.Client.EndOption;
      /** Which seat plays first; absent: the rule set's own. */
      first?: Protocol.Client.FirstPlay;
      /** How many hints each seat can use (casual games only); absent: none. */
      hints?: number;
      /** Language of the tiles; absent: that of the lexicon. It must be the lexicon's. */
      language?: string;
      /** Name of the lexicon, one of those in `hello`. */
      lexicon: string;
      /** Whether the game changes the ratings of its players; only registered players can join. Absent: false. */
      rated?: boolean;
      /** Id of the rule set, one of those in `hello`. */
      rule_set: string;
      /** Number of seats, 2 to 4. */
      seats: number;
      /** The view of spectators; absent: the live game without racks. */
      spectators?: Protocol.Client.SpectatorView;
      /** How ties are resolved; absent: the rule set's own. */
      ties?: Protocol.Client.Ties;
      /** Whether the game ends when the bag is empty and the trailing seat can no longer catch up (`void`, two seats);
absent: the rule set's own. */
      uncatchable?: boolean;
      /** Whether vacations of the players move their deadlines (games with a limit of an hour or more for each turn); absent: false. */
      vacation?: boolean;
      /** The consequence when a seat has vanished for `vanish_claim_ms` (live games only); absent: `claim`. */
      vanish?: Protocol.Client.VanishPolicy;
      /** How long an opponent must be disconnected before its place can be claimed, in ms; absent: the server's default. */
      vanish_claim_ms?: number;
    };

    type GameScope = 'mine' | 'live' | 'finished';

    /** Gives time to another player of a casual game. */
    type GiveTime = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
      /** The seat that gets the time. */
      seat: number;
      /** How much, ms; absent: one limit, in a game with a limit for each move. */
      time_ms?: number;
    };

    /** 32 bytes. */
    type Hash = string;

    /** Invites a player to a game. */
    type Invite = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The handle of the invited player, in any case. */
      handle: string;
      /** The player's level; counts where the rule set has targets. */
      level?: Protocol.Client.Level;
      /** SHA-256 of the nonce that `ready` will contain, 32 bytes. */
      nonce_hash?: Protocol.Client.Hash;
      /** The options of the game, which has two seats. */
      options: Protocol.Client.GameOptions;
    };

    /** Joins a seek, named by exactly one of `seek` and `code`. */
    type JoinSeek = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The code of a private seek. */
      code?: string;
      /** The player's level; counts where the rule set has targets. */
      level?: Protocol.Client.Level;
      /** SHA-256 of the nonce that `ready` will contain, 32 bytes. */
      nonce_hash?: Protocol.Client.Hash;
      /** A public seek. */
      seek?: Protocol.Client.SeekId;
    };

    type Level = 'beginner' | 'intermediate' | 'expert';

    /** Lists games. */
    type ListGames = {
      /** `finished`: only games that ended before this one; absent: the games that ended last. */
      before?: Protocol.Client.GameId;
      /** The scope of the list. */
      scope: Protocol.Client.GameScope;
    };

    /** Asks whether words are in the lexicon of a game that has ended. */
    type LookUp = {
      /** The code of a private game, for those who did not play in it. */
      code?: string;
      /** The game. */
      game: Protocol.Client.GameId;
      /** The words, each as in the `words` of a play; lower case counts like upper case. */
      words: Array<string>;
    };

    /** At most 32 bytes. */
    type Nonce = string;

    /** Offers a rematch, or agrees to one. */
    type OfferRematch = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game that has ended. */
      game: Protocol.Client.GameId;
      /** SHA-256 of the nonce that the client will send with `ready`, 32 bytes. */
      nonce_hash?: Protocol.Client.Hash;
    };

    /** Opens a seek. */
    type OpenSeek = {
      /** House bots that join at once, by level, as listed in `hello`; absent: none. */
      bots?: Array<string>;
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The players that the seek admits; absent: everybody. */
      criteria?: Protocol.Client.SeekCriteria;
      /** The player's level; counts where the rule set has targets. */
      level?: Protocol.Client.Level;
      /** SHA-256 of the nonce that `ready` will contain, 32 bytes. */
      nonce_hash?: Protocol.Client.Hash;
      /** The options of the game. */
      options: Protocol.Client.GameOptions;
      /** Whether the lobby hides it and others join by code; absent: false. */
      private?: boolean;
    };

    /** Passes. */
    type Pass = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
      /** The number of the turn that the command is meant for. */
      turn_no: number;
    };

    /** Plays tiles. */
    type Play = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
      /** Start and direction of the play: `8F` across, `F8` down. */
      start: string;
      /** The faces along the play; `.` for a tile on the board, lower case for a blank. */
      tiles: Array<string>;
      /** The number of the turn that the command is meant for. */
      turn_no: number;
    };

    /** Acts on a play: challenge, hold, release, accept, withdraw, stand. */
    type PlayCommand = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
      /** The `seq` of the play's `play_made` event. */
      play_id: number;
    };

    /** Joins the oldest open public seek with equal options, else opens one. */
    type QuickMatch = {
      /** Whether the last step of the rating range of a rated game admits every rating; absent: false. */
      any_rating?: boolean;
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The player's level; counts where the rule set has targets. */
      level?: Protocol.Client.Level;
      /** SHA-256 of the nonce that `ready` will contain, 32 bytes. */
      nonce_hash?: Protocol.Client.Hash;
      /** The options of the game. */
      options: Protocol.Client.GameOptions;
    };

    /** Says that the seat is ready to start. */
    type Ready = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The game. */
      game: Protocol.Client.GameId;
      /** The nonce; its hash was announced. At most 32 bytes. */
      nonce?: Protocol.Client.Nonce;
    };

    /** Changes the display name. */
    type Rename = {
      /** The wanted display name. */
      name: string;
    };

    type RoomId = string;

    /** Leaves, cancels or starts a seek. */
    type SeekCommand = {
      /** The id of this command. */
      cmd_id: Protocol.Client.CmdId;
      /** The seek. */
      seek: Protocol.Client.SeekId;
    };

    /** The players that the owner of a seek wants (P-CRIT-1). Every player of the game meets all conditions; absent: there are none. */
    type SeekCriteria = {
      /** Only players whose rating in that pool is not provisional; absent: false. */
      established?: boolean;
      /** The handles of players for whom the seek does not exist; the server shows them to the owner only. Absent: none. */
      exclude?: Array<string>;
      /** Only players whom the owner follows; absent: false. */
      followed?: boolean;
      /** The highest rating in the pool of the options. */
      max_rating?: number;
      /** The lowest rating in the pool of the options. */
      min_rating?: number;
      /** No guests; absent: false. */
      registered?: boolean;
    };

    type SeekId = string;

    /** The view of spectators, if it is not the live game without racks. */
    type SpectatorView = {
      /** The delay of everything that they see, ms, up to an hour; at least a minute with `racks`. */
      delay_ms: number;
      /** Whether they see the racks of all seats; absent: false. */
      racks?: boolean;
    };

    type Ties = 'before_adjustment' | 'stand';

    type Token = string;

    type VanishPolicy = 'claim' | 'adjourn' | 'play_on';
  }

  type AbortDecline = 'refused' | 'expired' | 'played' | (string & {});

  /** A request to abort a rated game. */
  type AbortRequest = {
    /** The seat that asked. */
    seat: number;
    /** When the request is declined without an answer, unix ms. */
    until: number;
  };

  /** A request to adjourn the game. */
  type AdjournRequest = {
    /** The other seats that have agreed, in the order of their answers. */
    agreed: Array<number>;
    /** The seat that asked. */
    seat: number;
    /** When the request is declined if a seat has not answered, unix ms. */
    until: number;
  };

  /** The sleep of an adjourned game. */
  type Adjournment = {
    /** When the game is aborted if seats are ready and none has claimed, unix ms. */
    claim_until: number;
    /** The seats that are ready to resume, in the order in which they became ready. */
    ready: Array<number>;
    /** When the game is aborted if no seat is ready; from then on, a ready seat can claim. Unix ms. */
    until: number;
  };

  type AttachOutcome = 'events' | 'snapshot' | (string & {});

  /** The bonus for a number of tiles played in one turn. */
  type Bingo = {
    /** Points, added after all multipliers. */
    bonus: number;
    /** Exactly this many tiles. */
    tiles: number;
  };

  /** An empty board. */
  type BoardInfo = {
    /** Number of columns. */
    cols: number;
    /** Whether each game deals its own premium squares, announced by `board_drawn`; absent: false. */
    drawn?: boolean;
    /** One string for each row from the top, one character for each column:
`.` plain, `'` `"` `^` double, triple, quadruple letter, `-` `=` `~` double, triple, quadruple word. */
    layout: Array<string>;
    /** Number of rows. */
    rows: number;
    /** The square the first play must cover, such as `H8`. */
    start: string;
  };

  /** A tile on a square. */
  type BoardTile = {
    /** The square, such as `H8`. */
    square: string;
    /** Its face; a blank in lower case. */
    tile: string;
  };

  /** The challenge rule of a game. */
  type Challenge = {
    /** The author may withdraw a challenged play before the lexicon decides (never with `triple`); absent: false. */
    consent?: boolean;
    /** The cost of a challenge. */
    kind: Protocol.ChallengeKind;
    /** Points of a failed challenge count for each word challenged (`five_point`, `ten_point`); absent: false. */
    per_word?: boolean;
    /** How long a play can be challenged, ms: 0 (no timer) or 5,000 to 60,000; absent: the rule set's own. */
    window_ms?: number;
  };

  type ChallengeKind = 'void' | 'single' | 'double' | 'five_point' | 'ten_point' | 'triple' | (string & {});

  /** Answers a chat request; which fields are present depends on the request. */
  type ChatAnswer = {
    /** `chat_join` of one room: whether the identity can write in it; absent: false. */
    can_say?: boolean;
    /** `chat_say`: the number of the line. */
    line?: number;
    /** `chat_join` of one room: the lines after `after`, or the newest ones, oldest first. */
    lines?: Array<Protocol.ChatLine>;
    /** `chat_join` of one room, `chat_say`: the room. */
    room?: Protocol.RoomId;
    /** `chat_join` of all direct rooms: the rooms with the newest lines, newest first. */
    rooms?: Array<Protocol.DirectRoom>;
  };

  /** Says that a connection is in a room no longer. */
  type ChatClosed = {
    /** The reason. */
    reason: Protocol.ChatClosedReason;
    /** The room. */
    room: Protocol.RoomId;
  };

  type ChatClosedReason = 'too_slow' | 'not_friends' | 'chat_off' | (string & {});

  /** Says that lines of a joined room are hidden. */
  type ChatHidden = {
    /** The numbers of the lines. */
    lines: Array<number>;
    /** The room. */
    room: Protocol.RoomId;
  };

  type ChatKind = 'players' | 'spectators' | 'direct' | 'lobby' | (string & {});

  /** A line of a room. */
  type ChatLine = {
    /** When it was written, unix ms. */
    at: number;
    /** The identity that wrote it. */
    identity: Protocol.IdentityId;
    /** Its number in the room, from 1. */
    line: number;
    /** Its display name at that time. */
    name: string;
    /** The seat of the writer, in the room of a game's players. */
    seat?: number;
    /** The text: plain text, never markup. */
    text: string;
  };

  /** Pushes a line of a joined room. */
  type ChatSaid = {
    /** The line. */
    line: Protocol.ChatLine;
    /** The room. */
    room: Protocol.RoomId;
  };

  /** The clock of a game: its kind and the figures of that kind. A missing figure has the kind's default. */
  type Clock = {
    /** Reserve for turns that pass the limit, ms for the whole game (`per_move`). */
    bank_ms?: number;
    /** Overtime beyond which the seat loses, ms (`overtime`). */
    cap_ms?: number;
    /** Free at the start of each turn of the seat, ms (`delay`). */
    delay_ms?: number;
    /** Added after each turn of the seat, ms (`increment`). */
    increment_ms?: number;
    /** Budget of each seat at the start, ms (`sudden_death`, `increment`, `delay`, `overtime`). */
    initial_ms?: number;
    /** The kind of clock; it decides which figures belong to it. */
    kind: Protocol.ClockKind;
    /** Limit of each turn, ms (`per_move`). */
    limit_ms?: number;
    /** Points for each started minute of overtime (`overtime`). */
    penalty_per_minute?: number;
  };

  type ClockKind = 'sudden_death' | 'increment' | 'delay' | 'overtime' | 'per_move' | 'untimed' | (string & {});

  /** All clocks of a game at one moment. Clients compute the running time themselves. */
  type Clocks = {
    /** The time that each seat may use before its budget shrinks, ms. */
    allowance_ms: Array<number>;
    /** The rest of each seat's budget (or bank), ms; negative is overtime. */
    main_ms: Array<number>;
    /** The running clock; absent when all stand. */
    running?: Protocol.RunningClock;
  };

  /** Says how many spectators watch. */
  type Crowd = {
    /** The game. */
    game: Protocol.GameId;
    /** Rounded number of spectators. */
    watching: number;
  };

  type DeclineReason = 'busy' | 'other_options' | 'no' | (string & {});

  /** Says that the server ended the stream of a game's events. */
  type Detached = {
    /** The reason, for programs. */
    code: Protocol.ErrorCode;
    /** The game. */
    game: Protocol.GameId;
    /** The reason, for people. */
    message: string;
  };

  /** A direct room of an identity. */
  type DirectRoom = {
    /** When the last line was written, unix ms. */
    at: number;
    /** The number of its last line. */
    last: number;
    /** The room. */
    room: Protocol.RoomId;
    /** The handle of the other player. */
    with: string;
  };

  type EndCounts = 'scoreless' | 'passes' | 'without_score' | (string & {});

  /** When a game without progress ends. */
  type EndOption = {
    /** Which turns count. */
    counts: Protocol.EndCounts;
    /** Number of consecutive counted turns that ends the game, or that number for each active seat. */
    limit: number;
    /** Whether `limit` is multiplied by the number of active seats. */
    per_seat: boolean;
    /** Whether the game continues while no seat has a point; absent: false. */
    unless_all_zero?: boolean;
  };

  type EndReason = 'out_play' | 'scoreless_turns' | 'passes' | 'turn_cap' | 'target' | 'all_played' | 'uncatchable' | 'resignation' | 'time' | 'abandonment' | 'triple_challenge' | 'aborted' | 'cancelled' | 'adjudicated' | (string & {});

  /** Answers a failed request. */
  type ErrorBody = {
    /** The error, for programs. */
    code: Protocol.ErrorCode;
    /** Details that a client may need to react. */
    detail?: Protocol.ErrorDetail;
    /** The error, for people. */
    message: string;
    /** Whether the same request, unchanged, may succeed later. */
    retryable: boolean;
  };

  type ErrorCode = 'bad_frame' | 'bad_message' | 'unknown_op' | 'bad_field' | 'too_large' | 'rate_limited' | 'not_authenticated' | 'already_authenticated' | 'bad_token' | 'revoked' | 'bad_name' | 'unsupported_version' | 'request_id_reused' | 'busy' | 'shutting_down' | 'internal' | 'unknown_seek' | 'wrong_code' | 'seek_full' | 'already_joined' | 'already_seeking' | 'owner_away' | 'not_a_member' | 'not_the_owner' | 'too_many_seeks' | 'too_many_games' | 'too_few_players' | 'bad_options' | 'not_rateable' | 'not_eligible' | 'restricted' | 'lobby_closed' | 'no_rematch' | 'rematch_begun' | 'rematch_too_late' | 'unknown_player' | 'not_registered' | 'yourself' | 'already_invited' | 'too_many_invitations' | 'unknown_invitation' | 'unknown_lexicon' | 'unknown_rule_set' | 'cmd_id_reused' | 'unknown_game' | 'not_a_player' | 'code_required' | 'too_many_attached' | 'game_over' | 'not_started' | 'not_over' | 'already_ready' | 'bad_nonce' | 'not_your_turn' | 'wrong_position' | 'gap' | 'not_in_line' | 'off_board' | 'occupied' | 'not_adjacent' | 'centre_missed' | 'tile_not_in_rack' | 'too_few_tiles' | 'no_tiles' | 'bad_coordinate' | 'unknown_tile' | 'blank_unassigned' | 'word_too_short' | 'invalid_words' | 'bag_too_small' | 'too_many_exchanged' | 'window_closed' | 'already_challenged' | 'already_accepted' | 'own_play' | 'cannot_hold' | 'hold_used' | 'held' | 'not_held' | 'challenge_pending' | 'no_challenge_pending' | 'no_challenges' | 'cannot_abort' | 'already_requested' | 'no_abort_request' | 'cannot_nudge' | 'nudges_used' | 'no_nudge' | 'cannot_adjourn' | 'adjourns_used' | 'no_adjourn_request' | 'adjourned' | 'paused' | 'not_adjourned' | 'cannot_give_time' | 'gifts_used' | 'time_refused' | 'no_hints' | 'hints_used' | 'cannot_hint' | 'cannot_claim' | 'final_phase' | 'storage_paused' | 'command_in_flight' | 'chat_off' | 'no_such_room' | 'not_in_room' | 'too_many_rooms' | 'cannot_say' | 'bad_text' | 'repeated_line' | 'too_many_lines' | 'muted' | (string & {});

  /** Details that a client may need to react to an error. */
  type ErrorDetail = {
    /** `wrong_position`: the number of the current turn. */
    expected_turn_no?: number;
    /** `bad_field`, `bad_options`: the path of the field, such as `options.clock.delay_ms`. */
    field?: string;
    /** `not_rateable`: the reason, for programs; `muted`, `restricted`, `revoked`: the moderator's reason, for people. */
    reason?: string;
    /** When to retry, in ms from now. */
    retry_after_ms?: number;
    /** Placement errors: the squares concerned. */
    squares?: Array<string>;
    /** `repeated_line`: the text that was refused. */
    text?: string;
    /** `tile_not_in_rack`, `unknown_tile`: the faces concerned. */
    tiles?: Array<string>;
    /** `held`, `cannot_claim`, `challenge_pending`, `muted`, `restricted`, `revoked`: when the obstacle ends, unix ms. */
    until?: number;
    /** `invalid_words`: the words. */
    words?: Array<string>;
  };

  /** The tiles that a seat exchanged. */
  type ExchangedTiles = {
    /** The seat. */
    seat: number;
    /** The tiles given back. */
    tiles: Array<string>;
    /** The number of the turn. */
    turn_no: number;
  };

  type FirstPlay = 'draw' | 'owner' | (string & {});

  /** Tells the members of a seek that their game exists. */
  type GameCreated = {
    /** The game. */
    game: Protocol.GameId;
    /** The client's seat. */
    seat: number;
    /** The seek it came from. */
    seek: Protocol.SeekId;
  };

  type GameId = string;

  /** The options that the players of a game agreed on. */
  type GameOptions = {
    /** Whether the game ends when the bag is empty and no seat has a legal play (`void` only); absent: the rule set's own. */
    all_played?: boolean;
    /** The challenge rule; absent: the rule set's own. */
    challenge?: Protocol.Challenge;
    /** How time is counted; absent: the rule set's own. */
    clock?: Protocol.Clock;
    /** When a game without progress ends; absent: the rule set's own. */
    end?: Protocol.EndOption;
    /** Which seat plays first; absent: the rule set's own. */
    first?: Protocol.FirstPlay;
    /** How many hints each seat can use (casual games only); absent: none. */
    hints?: number;
    /** Language of the tiles; absent: that of the lexicon. It must be the lexicon's. */
    language?: string;
    /** Name of the lexicon, one of those in `hello`. */
    lexicon: string;
    /** Whether the game changes the ratings of its players; only registered players can join. Absent: false. */
    rated?: boolean;
    /** Id of the rule set, one of those in `hello`. */
    rule_set: string;
    /** Number of seats, 2 to 4. */
    seats: number;
    /** The view of spectators; absent: the live game without racks. */
    spectators?: Protocol.SpectatorView;
    /** How ties are resolved; absent: the rule set's own. */
    ties?: Protocol.Ties;
    /** Whether the game ends when the bag is empty and the trailing seat can no longer catch up (`void`, two seats);
absent: the rule set's own. */
    uncatchable?: boolean;
    /** Whether vacations of the players move their deadlines (games with a limit of an hour or more for each turn); absent: false. */
    vacation?: boolean;
    /** The consequence when a seat has vanished for `vanish_claim_ms` (live games only); absent: `claim`. */
    vanish?: Protocol.VanishPolicy;
    /** How long an opponent must be disconnected before its place can be claimed, in ms; absent: the server's default. */
    vanish_claim_ms?: number;
  };

  /** Names a game. */
  type GameRef = {
    /** The game. */
    game: Protocol.GameId;
  };

  /** The result of a game. */
  type GameResult = {
    /** `aborted`: the seat that aborted the game. */
    aborter?: number;
    /** The clocks as they stopped. */
    clocks: Protocol.Clocks;
    /** The exchanged tiles of all seats, oldest first; absent: no tiles were exchanged. */
    exchanges?: Array<Protocol.ExchangedTiles>;
    /** The reason. */
    reason: Protocol.EndReason;
    /** The account of each seat, by seat. */
    results: Array<Protocol.SeatResult>;
    /** The server's secret, 32 bytes; with it, the events and the exchanges, a client can check the bag. */
    secret?: Protocol.Hash;
    /** Winning seats: one, several (shared), or none (aborted, cancelled). */
    winners: Array<number>;
  };

  /** The part of a game that never changes after its creation. */
  type GameSetup = {
    /** SHA-256 of the server's secret for the bag, 32 bytes. */
    commitment: Protocol.Hash;
    /** When the game was created, unix ms. */
    created_at: number;
    /** Its id; part of the seed of the bag. */
    game: Protocol.GameId;
    /** The lexicon. */
    lexicon: Protocol.LexiconRef;
    /** The nonce hashes that seats announced. */
    nonce_hashes: Array<Protocol.NonceHash>;
    /** The agreed options, with every default filled in. */
    options: Protocol.GameOptions;
    /** Whether spectators need its code. */
    private: boolean;
    /** When the game is cancelled unless every seat is ready, unix ms. */
    ready_by?: number;
    /** Board, tiles and numbers of the rule set. */
    rule_set: Protocol.RuleSetInfo;
    /** The players, by seat. */
    seats: Array<Protocol.Person>;
    /** The place in a series of rematches; absent: the game is not a rematch. */
    series?: Protocol.Series;
    /** The target score of each seat, by seat; absent: no targets. */
    targets?: Array<number>;
  };

  /** A summary of a game, for lists. */
  type GameSummary = {
    /** The clocks after its last event; absent for a game that has ended. */
    clocks?: Protocol.Clocks;
    /** When it ended, unix ms; in lists of finished games only. */
    ended_at?: number;
    /** Its id. */
    game: Protocol.GameId;
    /** Name of its lexicon. */
    lexicon: string;
    /** Its options, with every default filled in. */
    options?: Protocol.GameOptions;
    /** Its phase. */
    phase: Protocol.Phase;
    /** Whether spectators need its code. */
    private: boolean;
    /** Id of its rule set. */
    rule_set: string;
    /** The players, by seat. */
    seats: Array<Protocol.SummarySeat>;
    /** When the first turn began, unix ms; absent before. */
    started_at?: number;
    /** Number of the current turn; 0 before the first. */
    turn_no: number;
    /** Rounded number of spectators. */
    watching: number;
  };

  /** 32 bytes. */
  type Hash = string;

  /** Describes the server and its limits. */
  type Hello = {
    /** The time limit for `auth`, ms. */
    auth_within_ms: number;
    /** The house bots that a seek can ask for, weakest first; absent: none. */
    bots?: Array<string>;
    /** The kinds of chat rooms that the server has; absent: chat is off. */
    chat?: Array<Protocol.ChatKind>;
    /** How often the server pings, ms. */
    heartbeat_ms: number;
    /** The available lexica. */
    lexica: Array<Protocol.LexiconInfo>;
    /** The limits of this server. */
    limits: Protocol.HelloLimits;
    /** The protocol version, 1. */
    protocol: number;
    /** The available rule sets. */
    rule_sets: Array<Protocol.RuleSetName>;
    /** Name and version of the server program. */
    server: string;
    /** The server's time, unix ms. */
    server_time: number;
  };

  /** The limits that a client must keep. */
  type HelloLimits = {
    /** Most attached games on one connection. */
    attached_games: number;
    /** Largest frame a client may send, bytes. */
    client_frame_bytes: number;
    /** Messages that a client may send in one burst. */
    message_burst: number;
    /** Messages per second that a client may send on average. */
    messages_per_second: number;
    /** Most open seeks of one identity. */
    open_seeks: number;
    /** Most unanswered requests on one connection. */
    requests_in_flight: number;
  };

  /** Tells a seat what its hint says; nobody else gets it. */
  type Hint = {
    /** The game. */
    game: Protocol.GameId;
    /** How much it says. */
    grade: number;
    /** The row or column of the play, as in coordinates: `8` or `F` (a play, from grade 2). */
    line?: string;
    /** Points of the play (a play, grade 3). */
    score?: number;
    /** Start and direction, as in `play` (a play, grade 3). */
    start?: string;
    /** The kind of turn. */
    theme: Protocol.HintTheme;
    /** The faces along the play, as in `play`; the tiles to exchange, as in `exchange` (grade 3). */
    tiles?: Array<string>;
    /** The turn that it is about. */
    turn_no: number;
    /** The words that the play forms, the main word first (a play, grade 3). */
    words?: Array<Protocol.ScoredWord>;
  };

  type HintTheme = 'bonus' | 'word_premium' | 'several_words' | 'play' | 'exchange' | 'pass' | (string & {});

  type HoldReason = 'released' | 'accepted' | 'challenged' | 'limit' | 'retired' | 'closed' | (string & {});

  type IdentityId = string;

  /** An invitation that is open, or that has just ended. */
  type Invitation = {
    /** When it was sent, unix ms. */
    created_at: number;
    /** How it ended; absent: it is open. */
    end?: Protocol.InvitationEnd;
    /** When it expires, unix ms. */
    expires_at: number;
    /** The player who invites; seat 0 of the game. */
    from: Protocol.Person;
    /** `accepted`: the game. */
    game?: Protocol.GameId;
    /** Its id, which is `seek` in the `game_created` of its game. */
    invitation: Protocol.SeekId;
    /** The options of the game, with every default filled in. */
    options: Protocol.GameOptions;
    /** `declined`: the reason, if the invited player gave one. */
    reason?: Protocol.DeclineReason;
    /** The invited player. */
    to: Protocol.Person;
  };

  type InvitationEnd = 'accepted' | 'declined' | 'withdrawn' | 'expired' | (string & {});

  /** Says the lag that the server measured. */
  type Lag = {
    /** Half a round trip of the server's pings, smoothed, ms. */
    lag_ms: number;
  };

  type Level = 'beginner' | 'intermediate' | 'expert' | (string & {});

  /** An available lexicon. */
  type LexiconInfo = {
    /** SHA-256 of its content, 32 bytes. */
    hash: Protocol.Hash;
    /** Its language, as for tiles. */
    language?: string;
    /** BCP 47 tag of `language`, such as `de`; absent: the server knows none. */
    language_tag?: string;
    /** Its name, as in game options. */
    name: string;
    /** Number of words. */
    words: number;
  };

  /** A lexicon by name and content. */
  type LexiconRef = {
    /** SHA-256 of its content, 32 bytes. */
    hash: Protocol.Hash;
    /** Its name. */
    name: string;
  };

  /** A change of the lobby. */
  type LobbyChange = {
    /** The kind of change. */
    change: Protocol.LobbyChangeKind;
    /** `game_started`, `game_changed`, `game_ended`, `game_removed`: the game. */
    game?: Protocol.GameSummary;
    /** `seek_added`, `seek_changed`: the seek. */
    seek?: Protocol.Seek;
    /** `seek_removed`: its id. */
    seek_id?: Protocol.SeekId;
  };

  type LobbyChangeKind = 'seek_added' | 'seek_changed' | 'seek_removed' | 'game_started' | 'game_changed' | 'game_ended' | 'game_removed' | (string & {});

  /** A word that was looked up. */
  type LookedUpWord = {
    /** Whether it is in the lexicon of the game. */
    valid: boolean;
    /** The word as it was asked for. */
    word: string;
  };

  type ModerationKind = 'mute' | 'no_rated' | 'no_public' | 'suspend' | 'hide_lines' | 'rename' | 'undo' | 'wait' | 'forgive' | (string & {});

  /** Tells a player what a moderator, or the server by itself, did about the player. */
  type ModerationNotice = {
    /** The kind of action. */
    kind: Protocol.ModerationKind;
    /** The reason, for people. */
    reason: string;
    /** When the effect ends, unix ms; absent: when a moderator ends it, or never. */
    until?: number;
  };

  /** At most 32 bytes. */
  type Nonce = string;

  /** A seat's promise about its nonce. */
  type NonceHash = {
    /** SHA-256 of the nonce, 32 bytes. */
    hash: Protocol.Hash;
    /** The seat. */
    seat: number;
  };

  /** Shows people a notice about the server. */
  type Notice = {
    /** From when it applies, unix ms. */
    at?: number;
    /** The kind of notice, for programs; open-ended (`maintenance`, `restarting`, ...). */
    code: string;
    /** The text to show. */
    text: string;
    /** Until when it applies, unix ms. */
    until?: number;
  };

  /** A nudge that waits for an answer. */
  type Nudge = {
    /** When the place of `target` can be claimed without an answer, unix ms; absent: the limit of the turn decides. */
    claim_at?: number;
    /** The seat that asked. */
    seat: number;
    /** The seat on turn, which is asked. */
    target: number;
  };

  /** Answers a request that succeeded; which fields are present depends on the request. */
  type OkBody = {
    /** Chat requests: the room and its lines. */
    chat?: Protocol.ChatAnswer;
    /** `attach` by a spectator of a delayed game: how much later than players the client sees events, ms. */
    delay_ms?: number;
    /** `attach`: the incarnation of the game's event log. */
    epoch?: number;
    /** `renew`: when the token expires, unix ms; absent: never. */
    expires_at?: number;
    /** Seek commands: the game that started; `attach`, `detach` and game commands: the game. */
    game?: Protocol.GameId;
    /** `lobby_subscribe`, `list_games`: games. */
    games?: Array<Protocol.GameSummary>;
    /** `attach`: the `seq` of the game's last event. */
    head?: number;
    /** `invite`: the invitation. */
    invitation?: Protocol.Invitation;
    /** `rename`: the display name. */
    name?: string;
    /** `lobby_subscribe`: rounded number of connected people. */
    online?: number;
    /** `attach`: what the server sends next. */
    outcome?: Protocol.AttachOutcome;
    /** `attach`: the client's role. */
    role?: Protocol.Role;
    /** `rule_set`: the rule set. */
    rules?: Protocol.RuleSetDescription;
    /** `attach`: the client's seat; absent for spectators. */
    seat?: number;
    /** Seek commands: the seek after the command; `find_seek`: the seek. */
    seek?: Protocol.Seek;
    /** `lobby_subscribe`: the open public seeks, oldest first. */
    seeks?: Array<Protocol.Seek>;
    /** Game commands: the `seq` of the command's event. */
    seq?: number;
    /** `time`: the server's time, unix ms. */
    server_time?: number;
    /** `renew`: the token to keep for the next connection; replaces any earlier one. */
    token?: Protocol.Token;
    /** `look_up`: the words in the order of the request. */
    words?: Array<Protocol.LookedUpWord>;
  };

  /** The challenge window that a play opens. */
  type OpenWindow = {
    /** When its time runs out, unix ms; absent: no timer. */
    closes_at?: number;
    /** Seats that may challenge, hold or accept; absent: all but the author's. */
    eligible?: Array<number>;
    /** Whether this is the final phase after an out-play; absent: no. */
    final?: boolean;
  };

  /** A tile shown in the draw for first play. */
  type OrderTile = {
    /** The seat that drew it. */
    seat: number;
    /** Its face; `?` for a blank. */
    tile: string;
  };

  /** A person and the name to show. */
  type Person = {
    /** Whether it is a house bot; absent: false. */
    bot?: boolean;
    /** The identity. */
    identity: Protocol.IdentityId;
    /** The kind of player; absent: unknown. */
    kind?: Protocol.PlayerKind;
    /** The level, if the player named one. */
    level?: Protocol.Level;
    /** The display name at the time of the message. */
    name: string;
    /** The player's rating for games with these options, rated or not; absent: none. */
    rating?: Protocol.SeatRating;
  };

  type Phase = 'waiting' | 'running' | 'final' | 'ended' | (string & {});

  type PlayerKind = 'guest' | 'registered' | 'external_bot' | 'house_bot' | (string & {});

  /** Says that a player connected or disconnected. */
  type Presence = {
    /** Whether a connection of its identity is attached. */
    connected: boolean;
    /** The game. */
    game: Protocol.GameId;
    /** The seat. */
    seat: number;
  };

  /** The rating range of a rated quick match, which widens while the player waits (P-CRIT-5). */
  type QuickRange = {
    /** Whether the step after the one that reaches `most` admits every rating; absent: false. */
    any?: boolean;
    /** The time between two steps, ms. */
    every_ms: number;
    /** The largest difference of all, points. */
    most: number;
    /** The largest difference between two ratings at first, points. */
    start: number;
    /** How much larger it becomes with each step, points. */
    step: number;
  };

  type RackCount = 'always' | 'empty_bag' | (string & {});

  /** Tells a player how a rated game changed the player's rating. */
  type RatingChanged = {
    /** The rating after it. */
    after: Protocol.SeatRating;
    /** The rating before the game, in whole points. */
    before: number;
    /** The game. */
    game: Protocol.GameId;
    /** The pool in which it is rated: rule set, family of lexica and speed. */
    pool: string;
  };

  /** An offer of a rematch, its end, or the new game. */
  type RematchChanged = {
    /** An open offer: the seats that want a rematch, the offering seat first; absent: there is no offer. */
    agreed?: Array<number>;
    /** The seat that declined, or that took its offer back. */
    by?: number;
    /** Why the offer ended. */
    end?: Protocol.RematchEnd;
    /** An open offer: when it expires, unix ms. */
    expires_at?: number;
    /** The game that has ended. */
    game: Protocol.GameId;
    /** The new game. */
    next?: Protocol.GameId;
  };

  type RematchEnd = 'declined' | 'withdrawn' | 'expired' | (string & {});

  type RetireReason = 'resigned' | 'flagged' | 'expired' | 'abandoned' | (string & {});

  type Role = 'player' | 'spectator' | (string & {});

  type RoomId = string;

  /** A rule set as players see it before a game. */
  type RuleSetDescription = {
    /** The challenge rules that can be chosen, the default first. */
    challenges: Array<Protocol.ChallengeKind>;
    /** Languages it can be played in, the default first. */
    languages: Array<string>;
    /** Most seats. */
    max_seats: number;
    /** Fewest seats. */
    min_seats: number;
    /** Board, tiles and numbers. */
    rule_set: Protocol.RuleSetInfo;
    /** Its special features, in one sentence for people. */
    summary: string;
    /** The target scores, one row for each number of seats; absent: no targets. */
    targets?: Array<Protocol.TargetRow>;
    /** The default options, with a lexicon that fits. */
    usual: Protocol.GameOptions;
  };

  /** A rule set, complete enough to draw the board and to score a play. */
  type RuleSetInfo = {
    /** Bonuses for playing many tiles at once. */
    bingo: Array<Protocol.Bingo>;
    /** The board. */
    board: Protocol.BoardInfo;
    /** Fewest tiles in the bag that allow an exchange. */
    exchange_min_bag: number;
    /** Its id. */
    id: string;
    /** Language of the tiles. */
    language?: string;
    /** BCP 47 tag of `language`, such as `de`; absent: the server knows none. */
    language_tag?: string;
    /** The name to show. */
    name: string;
    /** Fewest tiles in the first play. */
    opening_min_tiles: number;
    /** When unplayed tiles count. */
    rack_count: Protocol.RackCount;
    /** Tiles on a full rack. */
    rack_size: number;
    /** The tiles, one entry for each face, in alphabet order, the blank (`?`) last. */
    tiles: Array<Protocol.TileInfo>;
  };

  /** An available rule set. */
  type RuleSetName = {
    /** Its id, as in game options. */
    id: string;
    /** Languages it can be played in, the default first. */
    languages?: Array<string>;
    /** The name to show. */
    name: string;
    /** Its special features, in one sentence for people. */
    summary?: string;
  };

  /** The running clock. */
  type RunningClock = {
    /** The seat. */
    seat: number;
    /** Server time at which the figures of [`Clocks`] held for this seat, unix ms. */
    since: number;
  };

  /** A word formed by a play and its points, multipliers included; blanks in lower case. */
  type ScoredWord = [string, number];

  /** A change of points. */
  type SeatPoints = {
    /** Points added; negative: points taken. */
    points: number;
    /** The seat. */
    seat: number;
  };

  /** A rating in whole points. */
  type SeatRating = {
    /** The rating deviation: how uncertain the rating is. */
    deviation: number;
    /** Whether the rating is too uncertain to compare; absent: false. */
    provisional?: boolean;
    /** The rating. */
    value: number;
  };

  /** The final account of one seat. */
  type SeatResult = {
    /** `score + rack_points + time_penalty`. */
    final_score: number;
    /** The tiles left on the rack, now public. */
    rack: Array<string>;
    /** Points from the counting of unplayed tiles: positive for the seat that went out, else zero or negative. */
    rack_points: number;
    /** 1 is best; equal ranks are shared; 0 in games without a result (aborted, cancelled). */
    rank: number;
    /** Points from plays and challenges. */
    score: number;
    /** The seat. */
    seat: number;
    /** Points for overtime: zero or negative. */
    time_penalty: number;
  };

  /** An open offer of a game. */
  type Seek = {
    /** The code of a private seek; present for its members only. */
    code?: string;
    /** When it was opened, unix ms. */
    created_at: number;
    /** The players that it admits; absent: everybody. */
    criteria?: Protocol.SeekCriteria;
    /** The members so far, in seat order; the owner first. */
    members: Array<Protocol.Person>;
    /** The options of the game. */
    options: Protocol.GameOptions;
    /** The identity that opened it; it owns seat 0. */
    owner: Protocol.IdentityId;
    /** Whether it is hidden from the lobby and joined by code. */
    private: boolean;
    /** The rating range of a rated quick match; absent: it is no such seek. */
    range?: Protocol.QuickRange;
    /** Its id. */
    seek: Protocol.SeekId;
  };

  /** Tells the members of a seek that it changed. */
  type SeekChanged = {
    /** The seek after the change. */
    seek: Protocol.Seek;
  };

  /** The players that the owner of a seek wants (P-CRIT-1). Every player of the game meets all conditions; absent: there are none. */
  type SeekCriteria = {
    /** Only players whose rating in that pool is not provisional; absent: false. */
    established?: boolean;
    /** The handles of players for whom the seek does not exist; the server shows them to the owner only. Absent: none. */
    exclude?: Array<string>;
    /** Only players whom the owner follows; absent: false. */
    followed?: boolean;
    /** The highest rating in the pool of the options. */
    max_rating?: number;
    /** The lowest rating in the pool of the options. */
    min_rating?: number;
    /** No guests; absent: false. */
    registered?: boolean;
  };

  type SeekId = string;

  /** The place of a game in a series of rematches. */
  type Series = {
    /** The seat that has the first turn. */
    first: number;
    /** The first game of the series. */
    first_game: Protocol.GameId;
    /** The number of this game in the series; the first one has 1. */
    number: number;
    /** The points of each seat from the games before, in half points: 2 for a win, 1 for a shared win. */
    score: Array<number>;
  };

  /** The state of a game at one moment; the next event has `seq + 1`. */
  type Snapshot = {
    /** The request to abort the game that waits for an answer; absent: none. */
    abort_request?: Protocol.AbortRequest;
    /** The request to adjourn the game that waits for answers; absent: none. */
    adjourn_request?: Protocol.AdjournRequest;
    /** The sleep of the game; absent: it is not adjourned. */
    adjourned?: Protocol.Adjournment;
    /** Server time at which it was taken, unix ms. */
    at: number;
    /** Tiles left in the bag; owed tiles count as dealt. */
    bag: number;
    /** The tiles on the board, a play under challenge included. */
    board: Array<Protocol.BoardTile>;
    /** The clocks. */
    clocks: Protocol.Clocks;
    /** The incarnation of its event log; part of the resume position. */
    epoch: number;
    /** The seat that plays first; absent until it is known. */
    first?: number;
    /** The game. */
    game: Protocol.GameId;
    /** The hints that were used, oldest first; absent: none. */
    hints?: Array<Protocol.UsedHint>;
    /** The nudge that waits for an answer; absent: none. */
    nudge?: Protocol.Nudge;
    /** The seat on turn; absent when no seat is. */
    on_turn?: number;
    /** The phase of the game. */
    phase: Protocol.Phase;
    /** The result; present when ended. */
    result?: Protocol.GameResult;
    /** The client's role. */
    role: Protocol.Role;
    /** The client's seat; absent for spectators. */
    seat?: number;
    /** The seats, in order. */
    seats: Array<Protocol.SnapshotSeat>;
    /** The `seq` of the last event that it contains. */
    seq: number;
    /** Everything fixed at creation. */
    setup: Protocol.GameSetup;
    /** The seats that take no time, in order; absent: none. */
    time_refused?: Array<number>;
    /** Number of the current turn; 0 before the first. */
    turn_no: number;
    /** The finished turns, oldest first. */
    turns: Array<Protocol.TurnRecord>;
    /** Seats that have vanished. */
    vanished: Array<Protocol.VanishedSeat>;
    /** When the turn takes effect that the seat on turn has sent and that waits, as in `turn_waiting`, unix ms; absent: no
turn waits. */
    waiting_until?: number;
    /** The open challenge window. */
    window?: Protocol.SnapshotWindow;
  };

  /** One seat of a [`Snapshot`]. */
  type SnapshotSeat = {
    /** Whether a connection of its identity is attached. */
    connected: boolean;
    /** The tiles on the rack, without owed ones; present for the client's own seat only. */
    rack?: Array<string>;
    /** Tiles on the rack; owed tiles count as dealt. */
    rack_count: number;
    /** Whether the seat has said `ready`. */
    ready: boolean;
    /** Why the seat left the game; absent: it still plays. */
    retired?: Protocol.RetireReason;
    /** Points so far. */
    score: number;
    /** Turns that it owes to failed challenges. */
    turn_debt: number;
    /** When the vacation of the player ends, unix ms; it can be over. Absent: none. */
    vacation_until?: number;
  };

  /** The challenge window of a [`Snapshot`]. */
  type SnapshotWindow = {
    /** Seats that have accepted. */
    accepted: Array<number>;
    /** The seat that made the play. */
    author: number;
    /** The challenger; absent: none yet. */
    challenger?: number;
    /** When it closes, unix ms; absent: no timer. */
    closes_at?: number;
    /** When the lexicon decides unless the author does, unix ms. */
    decide_by?: number;
    /** Seats that may challenge, hold or accept; those that accepted stay listed. */
    eligible: Array<number>;
    /** Whether this is the final phase after an out-play. */
    final: boolean;
    /** When the hold ends by itself, unix ms. */
    hold_until?: number;
    /** The seat that holds; absent: none. */
    holder?: number;
    /** Seats that have used their hold of this play. */
    holds_used: Array<number>;
    /** The play, by its `play_id`. */
    play_id: number;
  };

  /** The view of spectators, if it is not the live game without racks. */
  type SpectatorView = {
    /** The delay of everything that they see, ms, up to an hour; at least a minute with `racks`. */
    delay_ms: number;
    /** Whether they see the racks of all seats; absent: false. */
    racks?: boolean;
  };

  /** One seat of a [`GameSummary`]. */
  type SummarySeat = {
    /** Whether a house bot has the seat; absent: false. */
    bot?: boolean;
    /** The identity that owns the seat. */
    identity: Protocol.IdentityId;
    /** The display name. */
    name: string;
    /** Whether it is this seat's turn; absent: false. */
    on_turn?: boolean;
    /** In lists of finished games, if the game has a result: 1 is best; equal ranks are shared. */
    rank?: number;
    /** The player's rating for games with these options when the game was created, rated or not; absent: none. */
    rating?: Protocol.SeatRating;
    /** Points so far; in lists of finished games the final score. */
    score: number;
  };

  /** The targets of one number of seats. */
  type TargetRow = {
    /** Points a beginner needs. */
    beginner: number;
    /** Points an expert needs. */
    expert: number;
    /** Points an intermediate player needs. */
    intermediate: number;
    /** Number of seats. */
    seats: number;
  };

  type Ties = 'before_adjustment' | 'stand' | (string & {});

  /** One face of the tile set. */
  type TileInfo = {
    /** Number of tiles with this face. */
    count: number;
    /** The face; `?` for the blank. */
    face: string;
    /** Points. */
    value: number;
  };

  type Token = string;

  type TurnKind = 'play' | 'exchange' | 'pass' | 'lost_turn' | (string & {});

  /** One finished turn of the scoresheet. */
  type TurnRecord = {
    /** The words not in the lexicon, of a play that the lexicon took off; absent: none. */
    bad_words?: Array<string>;
    /** Bonus for the number of tiles played, which `score` contains (`play`); absent: none. */
    bonus?: number;
    /** The seat that challenged the play, once the challenge is decided; absent: no challenge was decided. */
    challenger?: number;
    /** Tiles exchanged (`exchange`). */
    count?: number;
    /** The kind of turn. */
    kind: Protocol.TurnKind;
    /** Whether the play was challenged off; absent: false. */
    off?: boolean;
    /** The `seq` of the play (`play`). */
    play_id?: number;
    /** Points that the challenge changed, without the undone score of the play; absent: none. */
    points?: Array<Protocol.SeatPoints>;
    /** The rack before the turn, without owed tiles, in any order; present for the client's own seat, and for all seats
where it sees their racks or once the game has ended. */
    rack?: Array<string>;
    /** Points of the turn as made; a play challenged off keeps the points it lost. */
    score: number;
    /** The seat. */
    seat: number;
    /** Start and direction (`play`). */
    start?: string;
    /** The faces along the play (`play`); the tiles exchanged (`exchange`, own seat only). */
    tiles?: Array<string>;
    /** The seat's points after the turn. */
    total: number;
    /** The number of the turn. */
    turn_no: number;
    /** The words formed (`play`). */
    words?: Array<Protocol.ScoredWord>;
  };

  /** Says that the seat on turn has sent its turn, and that the turn waits for the challenge window of the last play. */
  type TurnWaiting = {
    /** The clocks from now on; that of the seat stands, except while the seat itself holds the play. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    /** The seat on turn. */
    seat: number;
    /** The number of the turn. */
    turn_no: number;
    /** When the turn takes effect, unless an acceptance, a hold or a challenge changes that, unix ms. */
    until: number;
  };

  /** A used hint in a snapshot. */
  type UsedHint = {
    /** How much it says. */
    grade: number;
    /** The seat. */
    seat: number;
    /** The turn in which it was used. */
    turn_no: number;
  };

  type VanishPolicy = 'claim' | 'adjourn' | 'play_on' | (string & {});

  /** A seat that has vanished. */
  type VanishedSeat = {
    /** When its place can be claimed, unix ms. */
    claim_at: number;
    /** The seat. */
    seat: number;
  };

  /** Answers `auth`. */
  type Welcome = {
    /** Whether the identity has no chat, because the player or the embedding site has switched it off; absent: false. */
    chat_off?: boolean;
    /** When the token expires, unix ms; absent: never. */
    expires_at?: number;
    /** The client's own unfinished games. */
    games: Array<Protocol.GameSummary>;
    /** The client's identity. */
    identity: Protocol.IdentityId;
    /** Its display name. */
    name: string;
    /** Whether the identity may play rated games: it is registered, or of an embedding site; absent: false. */
    registered?: boolean;
    /** The server's time, unix ms. */
    server_time: number;
    /** The token to keep for the next connection; replaces any earlier one. */
    token: Protocol.Token;
  };

  type WindowReason = 'next_turn' | 'accepted' | 'timer' | 'verdict' | 'author_retired' | 'last_opponent_retired' | 'flag' | 'game_over' | (string & {});

  /** Tells a player's connections that are not attached to a game that it is the player's turn in it. */
  type YourTurn = {
    /** The game. */
    game: Protocol.GameId;
    /** The player's seat. */
    seat: number;
    /** The number of the turn. */
    turn_no: number;
  };

  /** A request to abort a rated game was declined; the game goes on. */
  type AbortDeclinedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'abort_declined';
    /** The reason. */
    reason: Protocol.AbortDecline;
    /** The seat that had asked. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A seat asked to abort a rated game. */
  type AbortRequestedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'abort_requested';
    /** The seat that asks. */
    seat: number;
    /** Its number. */
    seq: number;
    /** When the request is declined without an answer, unix ms. */
    until: number;
  };

  /** A seat accepted a play. */
  type AcceptedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'accepted';
    /** The play, by its `play_id`. */
    play_id: number;
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A seat agreed to adjourn the game, and others have not answered. */
  type AdjournAgreedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'adjourn_agreed';
    /** The seat that agrees. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A request to adjourn the game was declined; the game goes on. */
  type AdjournDeclinedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'adjourn_declined';
    /** The reason. */
    reason: Protocol.AbortDecline;
    /** The seat that had asked. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A seat asked the others to adjourn the game. */
  type AdjournRequestedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'adjourn_requested';
    /** The seat that asks. */
    seat: number;
    /** Its number. */
    seq: number;
    /** When the request is declined if a seat has not answered, unix ms. */
    until: number;
  };

  /** The game was adjourned. */
  type AdjournedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** When the game is aborted if seats are ready and none has claimed, unix ms. */
    claim_until: number;
    /** The clocks; none runs. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'adjourned';
    /** Its number. */
    seq: number;
    /** When the game is aborted if no seat is ready; from then on, a ready seat can claim. Unix ms. */
    until: number;
    /** The vanished seat, if the server adjourned the game for it; absent: the players agreed. */
    vanished?: number;
  };

  /** The bag was shuffled. */
  type BagShuffledEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** Tiles in the bag. */
    count: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'bag_shuffled';
    /** Label of the random stream that was used. */
    label: string;
    /** Its number. */
    seq: number;
  };

  /** The premium squares of a random board were dealt. */
  type BoardDrawnEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'board_drawn';
    /** One string for each row, as in the board of the rule set. */
    layout: Array<string>;
    /** Its number. */
    seq: number;
  };

  /** A challenge was decided. */
  type ChallengeDecidedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The words not in the lexicon; empty unless upheld by the lexicon. */
    bad_words: Array<string>;
    /** The clocks, running again; present if they stood while the author decided. */
    clocks?: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'challenge_decided';
    /** The play, by its `play_id`. */
    play_id: number;
    /** Points that the challenge changed, without the undone score of the play. */
    points: Array<Protocol.SeatPoints>;
    /** The challenger. */
    seat: number;
    /** Its number. */
    seq: number;
    /** The points of all seats after it, by seat. */
    totals: Array<number>;
    /** Turns that the challenger now owes. */
    turn_debt: number;
    /** Whether the challenge succeeded: the play comes off the board. */
    upheld: boolean;
    /** Whether the author withdrew the play; then the lexicon was not consulted. */
    withdrawn: boolean;
  };

  /** A play was challenged and its author may withdraw it. */
  type ChallengeOpenedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks from now on. */
    clocks: Protocol.Clocks;
    /** When the lexicon decides unless the author does, unix ms. */
    decide_by: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'challenge_opened';
    /** The play, by its `play_id`. */
    play_id: number;
    /** The challenger. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** An outage of the server was credited. */
  type ClockCreditedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks from now on. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'clock_credited';
    /** When it ran again, unix ms. */
    resumed_at: number;
    /** Its number. */
    seq: number;
    /** When the server was last known to run, or when the game was paused, unix ms; for a game without attached clients, `resumed_at` minus the time that it lost. */
    stopped_at: number;
  };

  /** The game exists; always `seq` 1. */
  type CreatedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'created';
    /** Its number. */
    seq: number;
    /** Everything fixed at creation. */
    setup: Protocol.GameSetup;
  };

  /** The game is over. */
  type EndedEvent = {
    /** `aborted`: the seat that aborted the game. */
    aborter?: number;
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks as they stopped. */
    clocks: Protocol.Clocks;
    /** The exchanged tiles of all seats, oldest first; absent: no tiles were exchanged. */
    exchanges?: Array<Protocol.ExchangedTiles>;
    /** The game. */
    game: Protocol.GameId;
    kind: 'ended';
    /** The reason. */
    reason: Protocol.EndReason;
    /** The account of each seat, by seat. */
    results: Array<Protocol.SeatResult>;
    /** The server's secret, 32 bytes; with it, the events and the exchanges, a client can check the bag. */
    secret?: Protocol.Hash;
    /** Its number. */
    seq: number;
    /** Winning seats: one, several (shared), or none (aborted, cancelled). */
    winners: Array<number>;
  };

  /** Tiles were exchanged. */
  type ExchangedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** Number of tiles. */
    count: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'exchanged';
    /** The seat on turn. */
    seat: number;
    /** Its number. */
    seq: number;
    /** The returned tiles; present for the seat itself only. */
    tiles?: Array<string>;
    /** The number of the turn. */
    turn_no: number;
  };

  /** The seat on turn used a hint. */
  type HintUsedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    /** How much the hint says. */
    grade: number;
    kind: 'hint_used';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A hold ended. */
  type HoldEndedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks from now on. */
    clocks: Protocol.Clocks;
    /** When the window closes now, unix ms; absent: no timer, or the window closes with the hold. */
    closes_at?: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'hold_ended';
    /** The play, by its `play_id`. */
    play_id: number;
    /** Why it ended. */
    reason: Protocol.HoldReason;
    /** The seat that held. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A seat holds the window open. */
  type HoldStartedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks from now on: the holder's runs. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'hold_started';
    /** The play, by its `play_id`. */
    play_id: number;
    /** The seat that holds. */
    seat: number;
    /** Its number. */
    seq: number;
    /** When the hold ends by itself, unix ms. */
    until: number;
  };

  /** A seat that was ready to resume has lost its last connection. */
  type NotReadyToResumeEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'not_ready_to_resume';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** The nudged seat is there. */
  type NudgeAnsweredEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'nudge_answered';
    /** The seat that was nudged. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A seat asked whether the seat on turn is still there. */
  type NudgedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** When the place of `target` can be claimed without an answer, unix ms; absent: the limit of the turn decides. */
    claim_at?: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'nudged';
    /** The seat that asks. */
    seat: number;
    /** Its number. */
    seq: number;
    /** The seat on turn, which is asked. */
    target: number;
  };

  /** Tiles were drawn for first play; not where the owner plays first. */
  type OrderDrawnEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The seat that plays first. */
    first: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'order_drawn';
    /** The tiles of each round; all seats draw in the first, the tied seats in each further one. */
    rounds: Array<Array<Protocol.OrderTile>>;
    /** Its number. */
    seq: number;
  };

  /** A seat passed. */
  type PassedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'passed';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
    /** The number of the turn. */
    turn_no: number;
  };

  /** An operator paused the game. */
  type PausedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks, which stand. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'paused';
    /** Its number. */
    seq: number;
    /** When the game goes on by itself, unix ms. */
    until: number;
  };

  /** Tiles were played. */
  type PlayMadeEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** Bonus for the number of tiles played; absent: none. */
    bonus?: number;
    /** The clocks, stopped; present if the play opened the final window. */
    clocks?: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'play_made';
    /** Replacement tiles that will be dealt when the window closes (at once without a window). */
    owed: number;
    /** Points of the play, bonus included. */
    score: number;
    /** The seat on turn. */
    seat: number;
    /** Its number. */
    seq: number;
    /** Start and direction of the play: `8F` across, `F8` down. */
    start: string;
    /** The faces along the play; `.` for a tile that was on the board, lower case for a blank. */
    tiles: Array<string>;
    /** The seat's points after the play. */
    total: number;
    /** The number of the turn. */
    turn_no: number;
    /** The challenge window; absent: the play stands at once. */
    window?: Protocol.OpenWindow;
    /** The words formed, the main word first. */
    words: Array<Protocol.ScoredWord>;
  };

  /** A seat of the adjourned game is ready to resume it. */
  type ReadyToResumeEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'ready_to_resume';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** All seats were ready: the adjourned game goes on. */
  type ResumedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks from now on: that of the seat on turn runs with the time that it had. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'resumed';
    /** Its number. */
    seq: number;
  };

  /** A seat is ready. */
  type SeatReadyEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'seat_ready';
    /** Its contribution to the seed of the bag; absent: empty. */
    nonce?: Protocol.Nonce;
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A seat left the game. */
  type SeatRetiredEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'seat_retired';
    /** The reason. */
    reason: Protocol.RetireReason;
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A vanished seat returned. */
  type SeatReturnedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'seat_returned';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A seat has no connection and the countdown to a claim runs. */
  type SeatVanishedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** When its place can be claimed, unix ms. */
    claim_at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'seat_vanished';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A seat drew tiles. */
  type TilesDrawnEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** Tiles left in the bag. */
    bag: number;
    /** Number of tiles. */
    count: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'tiles_drawn';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
    /** The tiles; present for the seat itself only. */
    tiles?: Array<string>;
  };

  /** A seat gave time to another one, or an operator did. */
  type TimeGivenEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks from now on; the one that ran runs on. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'time_given';
    /** The seat that gave; the target itself if an operator gave. */
    seat: number;
    /** Its number. */
    seq: number;
    /** The seat that got the time. */
    target: number;
    /** How much, ms; it is in the `main_ms` of the target. */
    time_ms: number;
  };

  /** A seat takes no time. */
  type TimeRefusedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'time_refused';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
  };

  /** A turn was lost to a failed challenge. */
  type TurnLostEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'turn_lost';
    /** The seat. */
    seat: number;
    /** Its number. */
    seq: number;
    /** The number of the turn. */
    turn_no: number;
  };

  /** A turn began. */
  type TurnStartedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks from now on. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'turn_started';
    /** The seat on turn. */
    seat: number;
    /** Its number. */
    seq: number;
    /** Its number; commands name it. */
    turn_no: number;
  };

  /** A vacation of a player began, changed or ended. */
  type VacationEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The clocks from now on. */
    clocks: Protocol.Clocks;
    /** The game. */
    game: Protocol.GameId;
    kind: 'vacation';
    /** The seat of the player. */
    seat: number;
    /** Its number. */
    seq: number;
    /** When it ends, unix ms; not after the event if it has ended. */
    until: number;
  };

  /** A play can no longer be challenged. */
  type WindowClosedEvent = {
    /** When it took effect, server time, unix ms. */
    at: number;
    /** The game. */
    game: Protocol.GameId;
    kind: 'window_closed';
    /** The play, by its `play_id`. */
    play_id: number;
    /** The reason. */
    reason: Protocol.WindowReason;
    /** Its number. */
    seq: number;
  };
}
