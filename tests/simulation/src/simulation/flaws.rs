//! Bugs between the simulation and the server; a simulation must find each of them.

/// A promise of the storage or of the machine that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// Some appends are answered before they are on the disk; a crash takes them back.
    AckBeforeSync,
    /// A new game is answered before it is on the disk.
    GamesMadeInMemory,
    /// An append of several records stores only the first of them.
    HalfOfAnAppend,
    /// A log is read without its last record.
    StaleRead,
    /// A log is read while an append whose outcome is unknown can still be stored.
    LoadIsNoBarrier,
    /// One of the unfinished games is not taken up after a restart.
    GameForgotten,
    /// Seeks and answers of the lobby are not stored.
    LobbyInMemory,
    /// The outage before a restart is not told to the server.
    NoCredit,
    /// The server does not notice that it stood still.
    StallsUnseen,
    /// A start accepts every clock.
    AnyClockAccepted,
    /// The disk does not know how much time a sleeping game knows to be lost.
    LossForgotten,
    /// After a start the disk tells the chronicle to begin anew, and accepts a second result of a game.
    PlaceForgotten,
    /// The place of a chapter is stored, and half of its results are lost.
    ChapterTorn,
    /// A stored rating has the last game twice.
    RatedTwice,
    /// Points that are stored count twice.
    PointTwice,
    /// A session that has ended is still on the disk.
    SessionsOutliveTheirEnd,
    /// On its way, a refusal to abort a game becomes a consent.
    ConsentForged,
    /// Of several nodes: a statement proves the owner of a game as of its beginning.
    TermReadBefore,
    /// Of several nodes: the credit of a part that is lost a second time begins with the second loss.
    CreditForgotten,
    /// Of several nodes: an owner reads the logs of its games without their last records.
    TailSkipped,
    /// Of several nodes: a node judges others right after it was unwell itself.
    UnwellJudges,
    /// Of several nodes: the lobby of a node that has lost it goes on.
    TwoLobbies,
}

impl Flaw {
    /// Those that only several nodes can show.
    pub const OF_NODES: [Self; 6] = [
        Self::TermReadBefore,
        Self::LoadIsNoBarrier,
        Self::CreditForgotten,
        Self::TailSkipped,
        Self::UnwellJudges,
        Self::TwoLobbies,
    ];
    /// Those that one server can show.
    pub const ALL: [Self; 17] = [
        Self::AckBeforeSync,
        Self::GamesMadeInMemory,
        Self::HalfOfAnAppend,
        Self::StaleRead,
        Self::LoadIsNoBarrier,
        Self::GameForgotten,
        Self::LobbyInMemory,
        Self::NoCredit,
        Self::StallsUnseen,
        Self::AnyClockAccepted,
        Self::LossForgotten,
        Self::PlaceForgotten,
        Self::ChapterTorn,
        Self::RatedTwice,
        Self::PointTwice,
        Self::SessionsOutliveTheirEnd,
        Self::ConsentForged,
    ];
}
