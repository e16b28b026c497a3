//! The inputs of a decision of the lobby, and its outcome.

use tilewire_protocol::{Bytes, GameId, IdentityId, Level, OkBody, Person, SeekId};
use tilewire_rules::event::PlayerKind;
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::{Millis, Timestamp};

use super::criteria::{Criteria, RangeBounds};
use super::invitation::{Answer, InvitationBounds};
use super::open_seek::OpenSeek;
use super::rematch::{Finished, RematchTimes};
use tilewire_accounts::people::{Invited, Ratings};
use tilewire_base::address::ClientAddress;

/// The limits of seeks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LobbyBounds {
    /// All seeks.
    pub seeks: usize,
    /// Seeks of one identity.
    pub seeks_per_identity: usize,
    /// Seeks of the clients of one address.
    pub seeks_per_address: usize,
    /// The time for which a seek stays open after its owner's connection was lost.
    pub orphan_ms: Millis,
    /// The same for a game by correspondence, whose players need not be present.
    pub correspondence_ms: Millis,
    /// The times of rematches of live games.
    pub rematch: RematchTimes,
    /// The same for games by correspondence.
    pub correspondence_rematch: RematchTimes,
    /// The bounds of invitations.
    pub invitations: InvitationBounds,
    /// The rating range of a quick match.
    pub range: RangeBounds,
}

/// The client that sent a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asker {
    /// The identity.
    pub identity: String,
    /// The address, if it is known.
    pub address: Option<ClientAddress>,
    /// The display name.
    pub name: String,
    /// The hash of the nonce that it will send with `ready`, if it announced one.
    pub nonce_hash: Option<Bytes>,
    /// The level that it named.
    pub level: Option<Level>,
    /// The kind of player.
    pub kind: PlayerKind,
}

/// The audience of a seek.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// All clients.
    Public,
    /// Its members; others join with its code.
    Private,
    /// The players whom it is offered to.
    Offered,
}

/// How far the rating range of a quick match widens in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// As far as the bounds say.
    Bounded,
    /// To every rating.
    AnyRating,
}

/// An action of the lobby.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Open a seek, which these house bots join immediately, for certain players.
    Open(GameOptions, Visibility, Vec<Person>, Criteria),
    /// Join the oldest seek with equal options, or open one.
    Quick(GameOptions, Reach),
    /// Join a public seek.
    Join(SeekId),
    /// Join a private seek.
    JoinByCode(String),
    /// Offer a rematch of a game that has ended, or agree to one.
    OfferRematch(Box<Finished>),
    /// Decline a rematch, or take back one's own offer.
    DeclineRematch(GameId),
    /// Invite a player.
    Invite(GameOptions, Box<Invited>),
    /// Answer an invitation, or take back one's own.
    AnswerInvitation(SeekId, Answer),
    /// Leave a seek.
    Leave(SeekId),
    /// Close one's own seek.
    Cancel(SeekId),
    /// Start one's own seek with its present members.
    Start(SeekId),
}

/// Says whether one of two identities blocks the other.
pub type AreBlocked<'a> = &'a dyn Fn(&str, &str) -> bool;

/// Says whether the first of two identities blocks the second.
pub type HasBlocked<'a> = &'a dyn Fn(&str, &str) -> bool;

/// Says whether the first of two identities follows the second.
pub type Follows<'a> = &'a dyn Fn(&str, &str) -> bool;

/// The inputs of a decision besides the lobby: time, fresh ids, presence, relations, ratings.
pub struct Context<'a> {
    /// Server time.
    pub now: Timestamp,
    /// An id for a seek, if one is opened.
    pub fresh_seek: SeekId,
    /// An id for a game, if one starts.
    pub fresh_game: GameId,
    /// A code, if a private seek is opened.
    pub fresh_code: String,
    /// Says whether an identity is online.
    pub is_online: &'a dyn Fn(&str) -> bool,
    /// Says whether one of two identities blocks the other.
    pub are_blocked: AreBlocked<'a>,
    /// Says whether the first of two identities follows the second.
    pub follows: Follows<'a>,
    /// The ratings of players.
    pub ratings: &'a dyn Ratings,
}

/// The changes of a decision: stored first, then announced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Seeks that are new or changed.
    pub put: Vec<OpenSeek>,
    /// Seeks that are closed.
    pub remove: Vec<OpenSeek>,
    /// A seek that becomes a game.
    pub start: Option<OpenSeek>,
    /// Members that the seek which is changed or becomes a game has no longer, because of a block or of
    /// the criteria.
    pub left_out: Vec<IdentityId>,
    /// The answer to the request.
    pub answer: OkBody,
}

/// The seeks of a plan as they were before it; `None` for a new seek.
#[derive(Debug)]
pub struct Former(pub(super) Vec<(SeekId, Option<OpenSeek>)>);

impl Former {
    /// Returns a seek as it was; `None` if it is new.
    #[must_use]
    pub fn get(&self, seek: &SeekId) -> Option<&OpenSeek> {
        let mut all = self.0.iter();
        let (_, before) = all.find(|(own, _)| own == seek)?;
        before.as_ref()
    }
}
