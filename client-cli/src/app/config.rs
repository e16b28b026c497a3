//! What the program is to do, decided before it starts.

use tilewire_protocol::{
    Challenge, Clock, GameId, GameOptions, Hello, Level, LexiconInfo, SeekId, SpectatorView, Token,
};

use crate::command::Visibility;

/// Everything the application is given at its start.
#[derive(Debug, Clone)]
pub struct AppConfig {
    /// What to do.
    pub goal: Goal,
    /// The proof of an earlier identity.
    pub token: Option<Token>,
    /// The display name wanted.
    pub name: Option<String>,
    /// How people find the identity: told when the token is refused.
    pub identity_hint: String,
    /// What to do about plays of others.
    pub accept: Accept,
    /// What to do about a line that the server refuses for the moment.
    pub for_now: ForNow,
    /// What to ask the server for when a game is followed for the first time.
    pub follow: Follow,
    /// What to do at the end of the game.
    pub at_end: AtEnd,
    /// The player's own level, when joining.
    pub level: Option<Level>,
    /// How long to go on trying when a connection is lost, ms.
    pub give_up_ms: i64,
    /// Random bytes, for ids, nonces and jitter.
    pub seed: [u8; 32],
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Offer a game.
    Open(Offer, Visibility),
    /// Be matched.
    Quick(Offer),
    /// Join an offer.
    Join(SeekId),
    /// Join a private offer.
    JoinCode(String),
    /// Return to a game, or to the only unfinished one.
    Resume(Option<GameId>),
    /// Watch a game, or the only live one; with the code of a private one.
    Watch(Option<GameId>, Option<String>),
    /// Stay in the lobby until a game is found; what is offered there is decided beforehand.
    Lobby(Offer),
    /// List games and offers.
    List,
    /// Learn the own name and identity, and no more.
    Identify,
    /// List the rule sets, or describe one with the tiles of a language.
    Rules(Option<(String, Option<String>)>),
}

/// What to play; what is left out is the server's first, or the rule set's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offer {
    /// Id of the rule set.
    pub rule_set: Option<String>,
    /// Number of players.
    pub seats: u8,
    /// Name of the lexicon.
    pub lexicon: Option<String>,
    /// How time is counted.
    pub clock: Option<Clock>,
    /// What challenges cost.
    pub challenge: Option<Challenge>,
    /// The player's own level.
    pub level: Option<Level>,
    /// House bots that join at once.
    pub bots: Vec<String>,
    /// How long an opponent must be gone before its place can be claimed, ms.
    pub vanish_claim_ms: Option<i64>,
    /// What spectators see.
    pub spectators: Option<SpectatorView>,
}

/// What to do about plays of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Let the person decide.
    Ask,
    /// Accept them at once.
    Auto,
}

/// What to do about a line that the server refuses for the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForNow {
    /// Tell, and leave it to whoever typed it.
    Tell,
    /// Send it again until it is answered for good.
    Insist,
}

/// What to ask the server for when a game is followed for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// Every event from the first.
    FromStart,
    /// The game as it stands.
    FromNow,
}

/// What to do at the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtEnd {
    /// End the program, once every line that was read is answered.
    Leave,
    /// Stay until told to quit.
    Stay,
}

impl Offer {
    /// The options to send to the server that said `hello`.
    #[must_use]
    pub fn options(&self, hello: &Hello) -> GameOptions {
        let rule_set = || hello.rule_sets.first().map(|rule_set| rule_set.id.clone());
        let rule_set = self.rule_set.clone().or_else(rule_set).unwrap_or_default();
        let lexicon = || {
            let fits = |lexicon: &&LexiconInfo| can_be_played(hello, &rule_set, lexicon);
            let fitting = hello.lexica.iter().find(fits);
            let first = fitting.or_else(|| hello.lexica.first());
            first.map(|lexicon| lexicon.name.clone())
        };
        GameOptions {
            lexicon: self.lexicon.clone().or_else(lexicon).unwrap_or_default(),
            rule_set,
            seats: self.seats,
            language: None,
            clock: self.clock.clone(),
            challenge: self.challenge.clone(),
            end: None,
            all_played: None,
            uncatchable: None,
            ties: None,
            first: None,
            vanish_claim_ms: self.vanish_claim_ms,
            spectators: self.spectators.clone(),
        }
    }
}

/// Whether a rule set has tiles for the lexicon's language, as far as the server says.
fn can_be_played(hello: &Hello, rule_set: &str, lexicon: &LexiconInfo) -> bool {
    let rule_set = hello.rule_sets.iter().find(|known| known.id == rule_set);
    match (
        rule_set.and_then(|known| known.languages.as_ref()),
        &lexicon.language,
    ) {
        (Some(languages), Some(language)) => languages.contains(language),
        _ => true,
    }
}
