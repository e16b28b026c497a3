//! Enumerations of the wire. A value of a later version decodes to `Unknown`, so that an old client survives it.

use crate::macros::wire_enum;

wire_enum! {
    /// How time is counted.
    ClockKind {
        /// One budget for the game; none left loses.
        SuddenDeath = "sudden_death",
        /// A budget that grows by a fixed amount after each of the seat's turns.
        Increment = "increment",
        /// A budget that starts to shrink only after a delay in each turn.
        Delay = "delay",
        /// A budget that may be overdrawn for points, up to a cap.
        Overtime = "overtime",
        /// A limit for each turn, with a bank for emergencies.
        PerMove = "per_move",
        /// No limit at all.
        Untimed = "untimed",
    }
}

wire_enum! {
    /// The cost of a challenge.
    ChallengeKind {
        /// No challenges: the server refuses plays with words not in the lexicon.
        Void = "void",
        /// A failed challenge costs nothing.
        Single = "single",
        /// A failed challenge costs the challenger's next turn.
        Double = "double",
        /// A failed challenge costs five points.
        FivePoint = "five_point",
        /// A failed challenge costs ten points.
        TenPoint = "ten_point",
        /// The loser of a challenge loses the game (two seats only).
        Triple = "triple",
    }
}

wire_enum! {
    /// Which turns count towards the end of a game without progress.
    EndCounts {
        /// Passes, exchanges, plays challenged off and lost turns.
        Scoreless = "scoreless",
        /// Passes only.
        Passes = "passes",
        /// Every turn that brought no point, plays worth 0 included.
        WithoutScore = "without_score",
    }
}

wire_enum! {
    /// How ties are resolved.
    Ties {
        /// The higher score before the racks were counted wins; equal again is shared.
        BeforeAdjustment = "before_adjustment",
        /// Equal final scores are shared.
        Stand = "stand",
    }
}

wire_enum! {
    /// Which seat plays first.
    FirstPlay {
        /// Tiles are drawn for it, in public.
        Draw = "draw",
        /// Seat 0, the owner of the seek.
        Owner = "owner",
    }
}

wire_enum! {
    /// A player's level, chosen by the player; it sets the target if the rule set has targets.
    Level {
        /// New to the game.
        Beginner = "beginner",
        /// Neither new nor strong.
        Intermediate = "intermediate",
        /// Strong.
        Expert = "expert",
    }
}

wire_enum! {
    /// When unplayed tiles count at the end.
    RackCount {
        /// However the game ended by the rules.
        Always = "always",
        /// Only if the bag was empty.
        EmptyBag = "empty_bag",
    }
}

wire_enum! {
    /// Why the offer of a rematch ended.
    RematchEnd {
        /// A player declined.
        Declined = "declined",
        /// The player who offered it took it back or left.
        Withdrawn = "withdrawn",
        /// Not all players agreed in time.
        Expired = "expired",
    }
}

wire_enum! {
    /// How an invitation ended.
    InvitationEnd {
        /// The invited player accepted: the game exists.
        Accepted = "accepted",
        /// The invited player declined.
        Declined = "declined",
        /// The player who invited took it back, or it cannot be answered any more.
        Withdrawn = "withdrawn",
        /// The invited player did not answer in time.
        Expired = "expired",
    }
}

wire_enum! {
    /// Why a player declines an invitation.
    DeclineReason {
        /// The player has no time now.
        Busy = "busy",
        /// The player would like other options.
        OtherOptions = "other_options",
        /// The player does not want to play.
        No = "no",
    }
}

wire_enum! {
    /// The games in a list.
    GameScope {
        /// The caller's own unfinished games.
        Mine = "mine",
        /// Public games being played now.
        Live = "live",
        /// The caller's own finished games.
        Finished = "finished",
    }
}

wire_enum! {
    /// The role of a connection that is attached to a game.
    Role {
        /// It owns a seat: it sees that seat's rack and may act.
        Player = "player",
        /// It watches: no racks, no commands.
        Spectator = "spectator",
    }
}

wire_enum! {
    /// How `attach` brings a client up to date.
    AttachOutcome {
        /// With exactly the events after the given `seq`.
        Events = "events",
        /// With a `snapshot`, which replaces the client's state of the game.
        Snapshot = "snapshot",
    }
}

wire_enum! {
    /// The phase of a game.
    Phase {
        /// Not all players have said `ready`; no clock runs.
        Waiting = "waiting",
        /// Turns are being played.
        Running = "running",
        /// The last play may still be challenged; clocks stand.
        Final = "final",
        /// Over; the result is known.
        Ended = "ended",
    }
}

wire_enum! {
    /// Why a challenge window closed.
    WindowReason {
        /// The seat on turn ended its turn.
        NextTurn = "next_turn",
        /// Every eligible seat accepted.
        Accepted = "accepted",
        /// Its time ran out.
        Timer = "timer",
        /// A challenge was decided.
        Verdict = "verdict",
        /// The author of the play retired.
        AuthorRetired = "author_retired",
        /// Only one active seat was left.
        LastOpponentRetired = "last_opponent_retired",
        /// The flag of the seat on turn fell.
        Flag = "flag",
        /// The game ended.
        GameOver = "game_over",
    }
}

wire_enum! {
    /// Why a hold ended.
    HoldReason {
        /// The holder released it.
        Released = "released",
        /// The holder accepted the play.
        Accepted = "accepted",
        /// The play was challenged.
        Challenged = "challenged",
        /// The time of the hold ran out.
        Limit = "limit",
        /// The holder retired.
        Retired = "retired",
        /// The window closed for another reason.
        Closed = "closed",
    }
}

wire_enum! {
    /// Why a seat left the game before its end.
    RetireReason {
        /// It resigned.
        Resigned = "resigned",
        /// Its time ran out, or its overtime passed the cap.
        Flagged = "flagged",
        /// It let a per-move limit pass.
        Expired = "expired",
        /// It vanished and its place was claimed.
        Abandoned = "abandoned",
    }
}

wire_enum! {
    /// Why a request to abort a rated game, or to adjourn a game, was declined.
    AbortDecline {
        /// Another seat refused.
        Refused = "refused",
        /// Another seat did not answer in time.
        Expired = "expired",
        /// The seat that had asked completed a turn, or the game counts now; of a request to adjourn: any seat completed a turn.
        Played = "played",
    }
}

wire_enum! {
    /// The consequence when a seat of a live game has vanished for `vanish_claim_ms`.
    VanishPolicy {
        /// An opponent can claim its place.
        Claim = "claim",
        /// The server adjourns the game, once for each seat; the next time, an opponent can claim.
        Adjourn = "adjourn",
        /// Nothing; the clock decides.
        PlayOn = "play_on",
    }
}

wire_enum! {
    /// The kind of player in a seat.
    PlayerKind {
        /// A guest.
        Guest = "guest",
        /// A registered player, or a user of an embedding site.
        Registered = "registered",
        /// A program with a registered account that is marked as a bot.
        ExternalBot = "external_bot",
        /// A bot of the server.
        HouseBot = "house_bot",
    }
}

wire_enum! {
    /// Why a game ended.
    EndReason {
        /// A seat played its last tile with an empty bag, and the play stands.
        OutPlay = "out_play",
        /// Too many turns without score in a row.
        ScorelessTurns = "scoreless_turns",
        /// Too many passes in a row.
        Passes = "passes",
        /// The cap on turns without score was reached.
        TurnCap = "turn_cap",
        /// A seat reached its target score.
        Target = "target",
        /// The bag is empty and no seat has a legal play left.
        AllPlayed = "all_played",
        /// The bag is empty and the trailing seat can no longer catch up.
        Uncatchable = "uncatchable",
        /// A resignation left one active seat.
        Resignation = "resignation",
        /// Time left one active seat.
        Time = "time",
        /// A vanished seat's place was claimed and one active seat was left.
        Abandonment = "abandonment",
        /// A challenge under the triple rule was decided.
        TripleChallenge = "triple_challenge",
        /// Aborted before it counted.
        Aborted = "aborted",
        /// Not all players got ready in time.
        Cancelled = "cancelled",
        /// An operator decided the game.
        Adjudicated = "adjudicated",
    }
}

wire_enum! {
    /// How a finished turn was used.
    TurnKind {
        /// Tiles were played (standing or challenged off).
        Play = "play",
        /// Tiles were exchanged.
        Exchange = "exchange",
        /// The seat passed.
        Pass = "pass",
        /// The turn was lost to a failed challenge.
        LostTurn = "lost_turn",
    }
}

wire_enum! {
    /// The kind of change in the lobby.
    LobbyChangeKind {
        /// A seek was opened.
        SeekAdded = "seek_added",
        /// The members of a seek changed.
        SeekChanged = "seek_changed",
        /// A seek is gone (cancelled, or a game began).
        SeekRemoved = "seek_removed",
        /// A public game began.
        GameStarted = "game_started",
        /// The score, the turn, the clocks or the crowd of a public game changed.
        GameChanged = "game_changed",
        /// A public game ended.
        GameEnded = "game_ended",
        /// A public game goes on, but its players have left it to a house bot: it has left the list.
        GameRemoved = "game_removed",
    }
}

wire_enum! {
    /// The kinds of chat rooms.
    ChatKind {
        /// The players of a game.
        Players = "players",
        /// The spectators of a game.
        Spectators = "spectators",
        /// Two friends.
        Direct = "direct",
        /// Everybody in the lobby.
        Lobby = "lobby",
    }
}

wire_enum! {
    /// Why a connection is in a chat room no longer.
    ChatClosedReason {
        /// The client read too slowly. It can join again, after its last line.
        TooSlow = "too_slow",
        /// The two players of a direct room cannot write to each other any more: as a rule they are friends no longer.
        NotFriends = "not_friends",
        /// The player has switched chat off.
        ChatOff = "chat_off",
    }
}

wire_enum! {
    /// An action of a moderator, or an automatic one of the server, against a player.
    ModerationKind {
        /// The player cannot write in chat.
        Mute = "mute",
        /// The player cannot begin rated games.
        NoRated = "no_rated",
        /// The player cannot open or join public seeks, and gets no quick match.
        NoPublic = "no_public",
        /// The player cannot log in.
        Suspend = "suspend",
        /// Lines of the player are hidden.
        HideLines = "hide_lines",
        /// The player has another handle.
        Rename = "rename",
        /// One of these was undone.
        Undo = "undo",
        /// The server lets the player wait before the next public game, because the player left several games.
        Wait = "wait",
        /// A moderator has taken away the points for such games, and the waiting time with them.
        Forgive = "forgive",
    }
}

wire_enum! {
    /// The kind of turn that a hint shows.
    HintTheme {
        /// A play that gets the bonus for the number of tiles laid.
        Bonus = "bonus",
        /// A play that lays a tile on a word premium.
        WordPremium = "word_premium",
        /// A play that forms several words.
        SeveralWords = "several_words",
        /// Another play.
        Play = "play",
        /// An exchange.
        Exchange = "exchange",
        /// A pass.
        Pass = "pass",
    }
}
