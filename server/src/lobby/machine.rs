//! The lobby as a machine without I/O: open seeks, and who may do what with them.
//!
//! [`Lobby::decide`] changes nothing: it answers with a [`Plan`], and only after the plan is stored does its shell
//! [`Lobby::adopt`] it and tell anybody. So nobody learns of a seek that a crash would take back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tilewire_protocol::{
    Bytes, ErrorCode, GameId, IdentityId, Level, OkBody, Person, Seek, SeekId,
};
use tilewire_rules::options::GameOptions;

use crate::wire::{Refusal, options};

/// How many seeks there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LobbyBounds {
    /// In all.
    pub seeks: usize,
    /// Of one identity.
    pub seeks_per_identity: usize,
    /// A seek outlives its owner's last connection so long, ms.
    pub orphan_ms: i64,
}

/// An open seek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSeek {
    /// As its members see it, the code included.
    pub seek: Seek,
    /// What it is about, with every default filled in.
    pub options: GameOptions,
    /// The hashes of the members' nonces, where they announced one; as many as members.
    pub nonce_hashes: Vec<Option<Bytes>>,
    /// The game it is becoming: noted before the game is made, so that a crash in between is repaired.
    pub starting: Option<GameId>,
    /// Since when its owner has no connection.
    #[serde(skip)]
    pub orphaned_at: Option<i64>,
}

impl OpenSeek {
    fn is_full(&self) -> bool {
        self.seek.members.len() >= usize::from(self.options.seats)
    }
}

/// Somebody who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asker {
    /// The identity.
    pub identity: String,
    /// The display name.
    pub name: String,
    /// The hash of the nonce it will send with `ready`, if it announces one.
    pub nonce_hash: Option<Bytes>,
    /// The level it names.
    pub level: Option<Level>,
}

/// Who sees a seek.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// Its members; others join by its code.
    Private,
}

/// What is asked of the lobby.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Open a seek, which these house bots join at once.
    Open(GameOptions, Visibility, Vec<Person>),
    /// Join the oldest equal one, or open one.
    Quick(GameOptions),
    /// Join a public one.
    Join(SeekId),
    /// Join a private one.
    JoinByCode(String),
    /// Leave a joined one.
    Leave(SeekId),
    /// Close an own one.
    Cancel(SeekId),
    /// Start an own one with the members it has.
    Start(SeekId),
}

/// What a decision needs from outside: the time, fresh ids, who is there.
pub struct Context<'a> {
    /// Server time, unix ms.
    pub now: i64,
    /// An id for a seek, if one is opened.
    pub fresh_seek: SeekId,
    /// An id for a game, if one starts.
    pub fresh_game: GameId,
    /// A code, if a private seek is opened.
    pub fresh_code: String,
    /// Says who is connected.
    pub is_online: &'a dyn Fn(&str) -> bool,
}

/// What is to be stored, and then done and told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Seeks that are new or changed.
    pub put: Vec<OpenSeek>,
    /// Seeks that are gone.
    pub remove: Vec<OpenSeek>,
    /// A seek that is to become a game.
    pub start: Option<OpenSeek>,
    /// The answer to whoever asked.
    pub answer: OkBody,
}

/// The state of the lobby.
#[derive(Debug, Default)]
pub struct Lobby {
    seeks: BTreeMap<SeekId, OpenSeek>,
}

impl Lobby {
    /// Returns a lobby with what was stored.
    #[must_use]
    pub fn new(seeks: Vec<OpenSeek>) -> Self {
        let seeks = seeks.into_iter();
        Self {
            seeks: seeks.map(|open| (open.seek.seek.clone(), open)).collect(),
        }
    }

    /// Returns all seeks, the oldest first.
    #[must_use]
    pub fn seeks(&self) -> Vec<&OpenSeek> {
        let mut seeks: Vec<&OpenSeek> = self.seeks.values().collect();
        seeks.sort_by_key(|open| (open.seek.created_at, open.seek.seek.clone()));
        seeks
    }

    /// Returns how many seeks somebody is a member of.
    #[must_use]
    pub fn seeks_of(&self, identity: &str) -> usize {
        let is_member = |open: &&OpenSeek| {
            let mut members = open.seek.members.iter();
            open.starting.is_none() && members.any(|person| person.identity.0 == identity)
        };
        self.seeks.values().filter(is_member).count()
    }

    /// Returns a seek.
    #[must_use]
    pub fn get(&self, seek: &SeekId) -> Option<&OpenSeek> {
        self.seeks.get(seek)
    }

    /// Returns how many seeks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seeks.len()
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seeks.is_empty()
    }

    /// Returns what comes of an action, without doing it.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decide(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        action: Action,
    ) -> Result<Plan, Refusal> {
        match action {
            Action::Open(options, visibility, bots) => {
                self.open(bounds, context, asker, options, visibility, bots)
            }
            Action::Quick(options) => {
                let oldest = self
                    .seeks()
                    .into_iter()
                    .find(|open| fits(open, &options, asker, context.is_online));
                match oldest.cloned() {
                    Some(open) => join(open, context, asker),
                    None => {
                        let nobody = Vec::new();
                        self.open(bounds, context, asker, options, Visibility::Public, nobody)
                    }
                }
            }
            Action::Join(seek) => {
                let open = self.find(&seek)?;
                if open.seek.private {
                    return Err(refusal(ErrorCode::UnknownSeek));
                }
                join(open.clone(), context, asker)
            }
            Action::JoinByCode(code) => {
                let by_code = self
                    .seeks
                    .values()
                    .find(|open| open.seek.code.as_deref() == Some(code.as_str()));
                let open = by_code.filter(|open| open.starting.is_none());
                join(
                    open.cloned().ok_or_else(|| refusal(ErrorCode::WrongCode))?,
                    context,
                    asker,
                )
            }
            Action::Leave(seek) => self.leave(&seek, asker),
            Action::Cancel(seek) => Ok(Plan {
                remove: vec![self.own(&seek, asker)?.clone()],
                ..Plan::default()
            }),
            Action::Start(seek) => {
                let open = self.own(&seek, asker)?.clone();
                if open.seek.members.len() < 2 {
                    return Err(refusal(ErrorCode::TooFewPlayers));
                }
                Ok(starting(open, context.fresh_game))
            }
        }
    }

    /// Makes a stored plan the state.
    pub fn adopt(&mut self, plan: &Plan) {
        for open in plan.put.iter().chain(&plan.start) {
            self.seeks.insert(open.seek.seek.clone(), open.clone());
        }
        for open in &plan.remove {
            self.seeks.remove(&open.seek.seek);
        }
    }

    /// Notes who is there, and returns the plan that clears away seeks whose owner has been gone for too long.
    pub fn tidy(
        &mut self,
        bounds: &LobbyBounds,
        now: i64,
        is_online: &dyn Fn(&str) -> bool,
    ) -> Plan {
        let mut plan = Plan::default();
        for open in self
            .seeks
            .values_mut()
            .filter(|open| open.starting.is_none())
        {
            if is_online(&open.seek.owner.0) {
                open.orphaned_at = None;
            } else if now >= *open.orphaned_at.get_or_insert(now) + bounds.orphan_ms {
                plan.remove.push(open.clone());
            }
        }
        plan
    }

    fn open(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        options: GameOptions,
        visibility: Visibility,
        bots: Vec<Person>,
    ) -> Result<Plan, Refusal> {
        if bots.len() >= usize::from(options.seats) {
            let text = "there are more bots than seats beside your own";
            return Err(Refusal::field(ErrorCode::BadOptions, "bots", text));
        }
        let private = visibility == Visibility::Private;
        let own = self
            .seeks
            .values()
            .filter(|open| open.seek.owner.0 == asker.identity)
            .count();
        if own >= bounds.seeks_per_identity {
            return Err(refusal(ErrorCode::TooManySeeks));
        }
        if self.seeks.len() >= bounds.seeks {
            return Err(Refusal::new(
                ErrorCode::Busy,
                "there are as many open seeks as there may be",
            ));
        }
        let seek = Seek {
            seek: context.fresh_seek,
            owner: IdentityId(asker.identity.clone()),
            options: options::to_wire(&options),
            private,
            code: private.then_some(context.fresh_code),
            members: std::iter::once(person(asker)).chain(bots).collect(),
            created_at: context.now,
        };
        let mut nonce_hashes = vec![None; seek.members.len()];
        nonce_hashes[0].clone_from(&asker.nonce_hash);
        let open = OpenSeek {
            seek,
            options,
            nonce_hashes,
            starting: None,
            orphaned_at: None,
        };
        if open.is_full() {
            return Ok(starting(open, context.fresh_game));
        }
        let answer = OkBody {
            seek: Some(open.seek.clone()),
            ..OkBody::default()
        };
        Ok(Plan {
            put: vec![open],
            answer,
            ..Plan::default()
        })
    }

    fn leave(&self, seek: &SeekId, asker: &Asker) -> Result<Plan, Refusal> {
        let mut open = self.find(seek)?.clone();
        let Some(at) = member(&open, asker) else {
            return Err(refusal(ErrorCode::NotAMember));
        };
        if at == 0 {
            // A seek without its owner is nobody's.
            return Ok(Plan {
                remove: vec![open],
                ..Plan::default()
            });
        }
        open.seek.members.remove(at);
        open.nonce_hashes.remove(at);
        Ok(Plan {
            put: vec![open],
            ..Plan::default()
        })
    }

    fn find(&self, seek: &SeekId) -> Result<&OpenSeek, Refusal> {
        let open = self.seeks.get(seek).filter(|open| open.starting.is_none());
        open.ok_or_else(|| refusal(ErrorCode::UnknownSeek))
    }

    fn own(&self, seek: &SeekId, asker: &Asker) -> Result<&OpenSeek, Refusal> {
        let open = self.find(seek)?;
        match member(open, asker) {
            Some(0) => Ok(open),
            Some(_) => Err(refusal(ErrorCode::NotTheOwner)),
            None if open.seek.private => Err(refusal(ErrorCode::UnknownSeek)),
            None => Err(refusal(ErrorCode::NotTheOwner)),
        }
    }
}

fn fits(
    open: &OpenSeek,
    options: &GameOptions,
    asker: &Asker,
    is_online: &dyn Fn(&str) -> bool,
) -> bool {
    !open.seek.private
        && open.starting.is_none()
        && open.options == *options
        && member(open, asker).is_none()
        // Nobody is matched with somebody who is not there.
        && open.seek.members.iter().all(|person| person.bot || is_online(&person.identity.0))
}

fn join(mut open: OpenSeek, context: Context<'_>, asker: &Asker) -> Result<Plan, Refusal> {
    if member(&open, asker).is_some() {
        return Err(refusal(ErrorCode::AlreadyJoined));
    }
    if open.is_full() {
        return Err(refusal(ErrorCode::SeekFull));
    }
    open.seek.members.push(person(asker));
    open.nonce_hashes.push(asker.nonce_hash.clone());
    if open.is_full() {
        return Ok(starting(open, context.fresh_game));
    }
    let answer = OkBody {
        seek: Some(open.seek.clone()),
        ..OkBody::default()
    };
    Ok(Plan {
        put: vec![open],
        answer,
        ..Plan::default()
    })
}

fn starting(mut open: OpenSeek, game: GameId) -> Plan {
    open.starting = Some(game.clone());
    let answer = OkBody {
        seek: Some(open.seek.clone()),
        game: Some(game),
        ..OkBody::default()
    };
    Plan {
        start: Some(open),
        answer,
        ..Plan::default()
    }
}

fn member(open: &OpenSeek, asker: &Asker) -> Option<usize> {
    open.seek
        .members
        .iter()
        .position(|person| person.identity.0 == asker.identity)
}

fn person(asker: &Asker) -> Person {
    Person {
        identity: IdentityId(asker.identity.clone()),
        name: asker.name.clone(),
        level: asker.level,
        bot: false,
    }
}

fn refusal(code: ErrorCode) -> Refusal {
    Refusal::new(code, code.meaning())
}
