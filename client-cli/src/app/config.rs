//! The configuration of the application.

use tilewire_protocol::{
    Challenge, Clock, EndOption, FirstPlay, GameId, GameOptions, Hello, Level, LexiconInfo, LookUp,
    SeekCriteria, SeekId, SpectatorView, Ties, Token, VanishPolicy,
};

use tilewire_rules::lexicon::FstLexicon;

use crate::command::Visibility;
use crate::text::Invocation;

/// The configuration of the application.
#[derive(Debug, Clone)]
pub struct AppConfig {
    /// The task of the program.
    pub goal: Goal,
    /// The token of an earlier session.
    pub token: Option<Token>,
    /// The display name to ask for.
    pub name: Option<String>,
    /// Where the identity is stored; part of the message about a refused token.
    pub identity_hint: String,
    /// How the user called the program; for commands that the program prints.
    pub invocation: Invocation,
    /// Whether to accept the plays of opponents without asking.
    pub accept: Accept,
    /// How to handle a line that the server refuses temporarily.
    pub on_refusal: OnRefusal,
    /// How much of the game to ask for when the program attaches to it for the first time.
    pub follow: Follow,
    /// Whether to end with the game.
    pub at_end: AtEnd,
    /// The level of the player, for joining an offer.
    pub level: Option<Level>,
    /// How long to try to reconnect, ms.
    pub give_up_ms: i64,
    /// Changes the options of an offer by flags of the command line, for `new` and `quick` in the lobby.
    pub change_offer: ChangeOffer,
    /// Random bytes, for ids, nonces and jitter.
    pub seed: [u8; 32],
}

/// Changes the options of an offer by flags such as `--ties stand`; the error says what is wrong with them.
pub type ChangeOffer = fn(&Offer, &[String]) -> Result<Offer, String>;

/// The task of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Offer a game.
    Open(Offer, Visibility),
    /// Join an equal offer, or open one.
    Quick(Offer),
    /// Join a public offer.
    Join(SeekId),
    /// Join a private offer.
    JoinCode(String),
    /// Return to a game; `None` is the only unfinished one.
    Resume(Option<GameId>),
    /// Watch a game; `None` is the only live one. A private game needs its code.
    Watch(Option<GameId>, Option<String>),
    /// Stay in the lobby until the player starts or joins a game; `new` and `quick` use this offer.
    Lobby(Offer),
    /// List games and offers.
    List,
    /// List the player's finished games: the last ones, or those that ended before a game.
    ListFinished(Option<GameId>),
    /// Show the name and identity of the player.
    Identify,
    /// List the rule sets, or describe one, with the tiles of a language.
    Rules(Option<(String, Option<String>)>),
    /// Look up words in the lexicon of a game that has ended.
    LookUp(LookUp),
}

/// The options of a new game; the server fills in every option that is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offer {
    /// The id of the rule set.
    pub rule_set: Option<String>,
    /// The number of players.
    pub seats: u8,
    /// The name of the lexicon; `None`: as [`Offer::options`] says.
    pub lexicon: Option<String>,
    /// The hash of the bot's lexicon; `None` for a person.
    pub lexicon_hash: Option<[u8; 32]>,
    /// The tag of the player's language, such as `de`, if the system says it.
    pub language_tag: Option<String>,
    /// The clock.
    pub clock: Option<Clock>,
    /// The challenge rule.
    pub challenge: Option<Challenge>,
    /// The level of the player.
    pub level: Option<Level>,
    /// The house bots that take seats immediately.
    pub bots: Vec<String>,
    /// When a game without progress ends.
    pub end: Option<EndOption>,
    /// Whether the game ends when the bag is empty and no seat has a legal play.
    pub all_played: Option<bool>,
    /// Whether the game ends when the bag is empty and the last player cannot catch up.
    pub uncatchable: Option<bool>,
    /// How ties are resolved.
    pub ties: Option<Ties>,
    /// The player of the first turn.
    pub first: Option<FirstPlay>,
    /// How long an opponent must be disconnected before the game can be claimed, ms.
    pub vanish_claim_ms: Option<i64>,
    /// The view of spectators: delay and racks.
    pub spectators: Option<SpectatorView>,
    /// Whether the game is rated; `None`: it is not.
    pub rated: Option<bool>,
    /// The consequence when a player is disconnected for too long.
    pub vanish: Option<VanishPolicy>,
    /// Whether vacations move deadlines.
    pub vacation: Option<bool>,
    /// How many hints each seat can use; `None`: three in a casual game with the beginner bot, else none.
    pub hints: Option<u8>,
    /// The players that a new offer admits.
    pub criteria: SeekCriteria,
    /// Whether a rated quick match takes an opponent of any rating in the end.
    pub any_rating: bool,
}

/// The hints of each seat in a casual game with the beginner bot.
const BEGINNER_HINTS: u8 = 3;

/// How to answer the plays of opponents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// The player decides.
    Ask,
    /// The program accepts every play.
    Auto,
}

/// How to handle a line that the server refuses temporarily.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRefusal {
    /// Report the refusal.
    Report,
    /// Send the line again until the answer is final.
    Retry,
}

/// How much of a game to ask for when the program attaches to it for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// Every event from the first.
    FromStart,
    /// A snapshot of the current state.
    FromNow,
}

/// The program's behaviour at the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtEnd {
    /// It ends once every line is answered.
    Leave,
    /// It stays until `quit`.
    Stay,
}

impl Offer {
    /// Returns the options to send to the server that sent `hello`. If the player names no lexicon, the client takes the first of
    /// these that the server offers: the bot's own, one in the first language of the rule set, one in the player's language, any
    /// with tiles.
    #[must_use]
    pub fn options(&self, hello: &Hello) -> GameOptions {
        let rule_set = || hello.rule_sets.first().map(|rule_set| rule_set.id.clone());
        let rule_set = self.rule_set.clone().or_else(rule_set).unwrap_or_default();
        let lexicon = || {
            let fits = |lexicon: &&LexiconInfo| has_tiles_for(hello, &rule_set, lexicon);
            let rank = |lexicon: &&LexiconInfo| self.rank(hello, &rule_set, lexicon);
            // Of equals, the first.
            let fitting = hello.lexica.iter().filter(fits).min_by_key(rank);
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
            end: self.end.clone(),
            all_played: self.all_played,
            uncatchable: self.uncatchable,
            ties: self.ties,
            first: self.first,
            vanish_claim_ms: self.vanish_claim_ms,
            spectators: self.spectators.clone(),
            rated: self.rated.unwrap_or(false),
            vanish: self.vanish,
            vacation: self.vacation.unwrap_or(false),
            hints: self.hints.or_else(|| self.usual_hints()),
        }
    }
}

impl Offer {
    /// The hints of a casual game with the beginner bot.
    fn usual_hints(&self) -> Option<u8> {
        let is_first_game = self.bots.iter().any(|bot| bot == "beginner");
        (is_first_game && self.rated != Some(true)).then_some(BEGINNER_HINTS)
    }

    /// The rank of a lexicon among those that can be played: 0 is the first choice.
    fn rank(&self, hello: &Hello, rule_set: &str, lexicon: &LexiconInfo) -> u8 {
        let known = self.lexicon_hash.as_ref();
        if known.is_some_and(|hash| lexicon.hash.to_array() == Some(*hash)) {
            return 0;
        }
        let rule_set = hello.rule_sets.iter().find(|known| known.id == rule_set);
        let languages = rule_set.and_then(|known| known.languages.as_ref());
        let usual = languages.and_then(|languages| languages.first());
        let is_own = self.language_tag.is_some() && lexicon.language_tag == self.language_tag;
        match (
            usual.is_some() && lexicon.language.as_ref() == usual,
            is_own,
        ) {
            (true, _) if lexicon.name == FstLexicon::BUILTIN => 1,
            (true, _) => 2,
            (false, true) => 3,
            (false, false) => 4,
        }
    }
}

/// Whether a rule set has tiles for the language of the lexicon; true if the server does not say.
fn has_tiles_for(hello: &Hello, rule_set: &str, lexicon: &LexiconInfo) -> bool {
    let rule_set = hello.rule_sets.iter().find(|known| known.id == rule_set);
    match (
        rule_set.and_then(|known| known.languages.as_ref()),
        &lexicon.language,
    ) {
        (Some(languages), Some(language)) => languages.contains(language),
        _ => true,
    }
}
