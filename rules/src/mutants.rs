//! Bugs that can be put in on purpose, to see that the simulation finds them.
//!
//! Without the feature `mutants` there are none: [`is`] is `false` for the compiler. With it, one bug at a time can be
//! switched on for the current thread.

#[cfg(feature = "mutants")]
use std::cell::Cell;

macro_rules! mutants {
    ($($(#[doc = $broken:literal])+ $name:ident,)+) => {
        /// A promise that is broken.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mutant {
            $($(#[doc = $broken])+ $name,)+
        }

        impl Mutant {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];
        }
    };
}

mutants! {
    /// A command that took effect is carried out again when it is sent again.
    CommandsForgotten,
    /// A retry of an accepted command draws a tile.
    DoubleDraw,
    /// A challenge window closes a millisecond late.
    WindowOffByOne,
    /// A command meant for another turn is carried out.
    StaleTurnTaken,
    /// A flag never falls.
    FlagForgotten,
    /// A hold lasts for ever.
    HoldWithoutEnd,
    /// An outage is put on record, but the clock is charged with it.
    OutageCharged,
    /// The tiles of a draw are shown to everybody.
    TilesShown,
    /// Snapshots show every rack.
    RacksShown,
    /// A command is answered before its events are stored.
    AnsweredBeforeStored,
    /// An append names the record before the last one as the last.
    WrongFence,
    /// A room does not wake up for the deadlines of its game.
    DeadlineForgotten,
    /// A client that resumes misses the first event it should get.
    ResumeSkipsOne,
    /// Commands whose append is in doubt are never answered.
    AnswerLost,
    /// What was in doubt and not stored is not decided again.
    DoubtForgotten,
    /// Nobody is told that a paused game goes on.
    StaysPaused,
    /// A hub resumes across events it does not have.
    HubKeepsGap,
    /// A retry of a lobby command is answered though the game was not made.
    PromiseForgotten,
    /// A game that could not be read at the start is not taken up.
    UnreadForgotten,
    /// A change of the lobby that failed is taken for not stored.
    LobbyDoubtForgotten,
    /// Spectators of a delayed game see everything at once.
    DelayForgotten,
    /// Spectators of every delayed game see the racks.
    CommentaryForAll,
    /// The lists show a delayed game as it is.
    LiveLine,
    /// The server notes that it runs while games still lack the credit for the last outage.
    CreditsForgotten,
    /// The deadlines of sleeping games wake nobody.
    NeverWoken,
}

#[cfg(feature = "mutants")]
thread_local! {
    static CURRENT: Cell<Option<Mutant>> = const { Cell::new(None) };
}

/// Switches one bug on for this thread, or all off.
#[cfg(feature = "mutants")]
pub fn switch(mutant: Option<Mutant>) {
    CURRENT.set(mutant);
}

/// Says whether this bug is on.
#[cfg(feature = "mutants")]
#[must_use]
pub fn is(mutant: Mutant) -> bool {
    CURRENT.get() == Some(mutant)
}

/// Says whether this bug is on: there are none in this program.
#[cfg(not(feature = "mutants"))]
#[must_use]
pub const fn is(_mutant: Mutant) -> bool {
    false
}
