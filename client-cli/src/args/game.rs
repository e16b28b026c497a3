//! Flags for the options of a game, on the command line and after `new` and `quick` in the lobby.

use clap::{Args, Parser};
use tilewire_protocol::{
    Challenge, Clock, EndOption, FirstPlay, Level, SpectatorView, Ties, VanishPolicy,
};

use super::criteria::CriteriaArgs;
use crate::app::Offer;
use crate::text::{
    parse_challenge, parse_clock, parse_duration_ms, parse_end, parse_first, parse_spectators,
    parse_switch, parse_ties, parse_vanish,
};

/// The number of players without `--seats`.
const DEFAULT_SEATS: u8 = 2;

/// The options of a game, for a new offer and for `--quick`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of the game (for a new offer and for --quick)")]
pub struct GameArgs {
    /// Rule set; `tilewire rules` lists them [default: the first one of the server]
    #[arg(long, value_name = "ID", visible_alias = "rules")]
    pub rule_set: Option<String>,
    /// Number of players [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=4))]
    pub seats: Option<u8>,
    /// Lexicon; it determines the language of the tiles [default: the first one of the server that fits]
    #[arg(long, value_name = "NAME")]
    pub lexicon: Option<String>,
    /// sudden:25m, increment:15m+10s, delay:15m+10s, overtime:25m,penalty=10,cap=10m,
    /// per-move:72h,bank=1h or untimed [default: that of the rule set]
    #[arg(long, value_name = "CLOCK", value_parser = parse_clock)]
    pub clock: Option<Clock>,
    /// Challenge rule: void (the server rejects invalid words, no challenges), single,
    /// double, five-point, ten-point or triple; with options window=20s (0: no timer), per-word, consent,
    /// such as five-point,per-word [default: that of the rule set]
    #[arg(long, value_name = "KIND[,..]", value_parser = parse_challenge)]
    pub challenge: Option<Challenge>,
    /// Play against a computer opponent: beginner, casual, improver, club, expert or master; repeat it for more seats
    #[arg(long, value_name = "BOT")]
    pub bot: Vec<String>,
    /// How long an opponent must be disconnected before you can claim the win [default: that of the server]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration_ms)]
    pub claim_after: Option<i64>,
    /// Delay for spectators, up to an hour, such as 3m; 3m,racks also shows them the racks, for commentary
    /// (the delay must be a minute or more) [default: no delay, no racks]
    #[arg(long, value_name = "DELAY[,racks]", value_parser = parse_spectators)]
    pub spectators: Option<SpectatorView>,
    /// The first player: draw (each player draws a tile) or owner (the game creator)
    /// [default: that of the rule set]
    #[arg(long, value_name = "PLAYER", value_parser = parse_first)]
    pub first: Option<FirstPlay>,
    /// When a game without progress ends: scoreless:6, passes:2,per-player or without-score:4, with the additions
    /// per-player (the number counts for each player) and unless-zero (not before someone has scored)
    /// [default: that of the rule set]
    #[arg(long, value_name = "KIND:N[,..]", value_parser = parse_end)]
    pub end: Option<EndOption>,
    /// End the game when the bag is empty and no player has a legal play: on or off (only with --challenge void)
    /// [default: that of the rule set]
    #[arg(long, value_name = "ON", value_parser = parse_switch)]
    pub all_played: Option<bool>,
    /// End the game when the bag is empty and the lead can no longer be caught: on or off (only two players, with
    /// --challenge void) [default: that of the rule set]
    #[arg(long, value_name = "ON", value_parser = parse_switch)]
    pub uncatchable: Option<bool>,
    /// Equal final scores: before-adjustment (the higher score before the rack adjustment wins) or stand
    /// [default: that of the rule set]
    #[arg(long, value_name = "RULE", value_parser = parse_ties)]
    pub ties: Option<Ties>,
    /// Rated, for two registered players; --rated=off in the lobby makes it casual
    #[arg(long, value_name = "ON", value_parser = parse_switch, num_args = 0..=1, require_equals = true,
          default_missing_value = "on")]
    pub rated: Option<bool>,
    /// If a player disconnects: claim (the opponent can claim the win), adjourn (the server adjourns it, once for
    /// each player) or play-on (the clock decides) [default: claim]
    #[arg(long, value_name = "RULE", value_parser = parse_vanish)]
    pub vanish: Option<VanishPolicy>,
    /// Deadlines are extended while a player is on vacation; only with an hour or more per turn
    #[arg(long, value_name = "ON", value_parser = parse_switch, num_args = 0..=1, require_equals = true,
          default_missing_value = "on")]
    pub vacation: Option<bool>,
    /// Hints for each player, up to 8; only in casual games [default: 3 against the beginner bot, else none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=8))]
    pub hints: Option<u8>,
    /// The players that the offer admits.
    #[command(flatten)]
    pub criteria: CriteriaArgs,
}

impl GameArgs {
    /// The offer that the flags describe.
    #[must_use]
    pub fn offer(&self, level: Option<Level>) -> Offer {
        self.change(&Offer {
            language_tag: language_tag(),
            seats: DEFAULT_SEATS,
            level,
            ..Offer::default()
        })
    }

    /// The offer `base` with the options that the flags name.
    fn change(&self, base: &Offer) -> Offer {
        let bots = if self.bot.is_empty() {
            &base.bots
        } else {
            &self.bot
        };
        Offer {
            rule_set: self.rule_set.clone().or_else(|| base.rule_set.clone()),
            seats: self.seats.unwrap_or(base.seats),
            lexicon: self.lexicon.clone().or_else(|| base.lexicon.clone()),
            lexicon_hash: base.lexicon_hash,
            language_tag: base.language_tag.clone(),
            clock: self.clock.clone().or_else(|| base.clock.clone()),
            challenge: self.challenge.clone().or_else(|| base.challenge.clone()),
            level: base.level,
            bots: bots.clone(),
            end: self.end.clone().or_else(|| base.end.clone()),
            all_played: self.all_played.or(base.all_played),
            uncatchable: self.uncatchable.or(base.uncatchable),
            ties: self.ties.or(base.ties),
            first: self.first.or(base.first),
            vanish_claim_ms: self.claim_after.or(base.vanish_claim_ms),
            spectators: self.spectators.clone().or_else(|| base.spectators.clone()),
            rated: self.rated.or(base.rated),
            vanish: self.vanish.or(base.vanish),
            vacation: self.vacation.or(base.vacation),
            hints: self.hints.or(base.hints),
            criteria: self.criteria.change(&base.criteria),
            any_rating: self.criteria.any_rating || base.any_rating,
        }
    }
}

/// The tag of the language that the system is set to, such as `de` for `de_AT.UTF-8`.
fn language_tag() -> Option<String> {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
    let mut set = set.filter_map(|name| std::env::var(name).ok());
    let locale = set.find(|locale| !locale.is_empty())?;
    let tag = locale.split(['_', '.', '@', '-']).next()?;
    let is_language =
        (2..=3).contains(&tag.len()) && tag.bytes().all(|letter| letter.is_ascii_lowercase());
    is_language.then(|| tag.to_owned())
}

/// A line of the lobby: the flags after `new` or `quick`.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct OfferLine {
    #[command(flatten)]
    game: GameArgs,
}

/// The offer `base` with the options that these flags name.
///
/// # Errors
/// Returns an error that names the flag and the problem.
pub fn change_offer(base: &Offer, flags: &[String]) -> Result<Offer, String> {
    let line = OfferLine::try_parse_from(flags).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        first.trim_start_matches("error: ").to_owned()
    })?;
    Ok(line.game.change(base))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(flags: &[&str]) -> Result<Offer, String> {
        let base = Offer {
            seats: 3,
            rule_set: Some("super".to_owned()),
            ..Offer::default()
        };
        let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        change_offer(&base, &flags)
    }

    #[test]
    fn every_option_of_a_game_has_a_flag() {
        let offer = changed(&[
            "--first",
            "owner",
            "--end",
            "passes:2,per-player",
            "--all-played",
            "on",
            "--uncatchable",
            "off",
            "--ties",
            "stand",
            "--spectators",
            "3m,racks",
            "--rated",
            "--vanish",
            "play-on",
            "--hints",
            "5",
        ])
        .unwrap();
        assert_eq!((offer.seats, offer.rule_set.as_deref()), (3, Some("super")));
        assert_eq!(offer.first, Some(FirstPlay::Owner));
        assert_eq!(offer.ties, Some(Ties::Stand));
        assert_eq!(
            (offer.all_played, offer.uncatchable),
            (Some(true), Some(false))
        );
        let end = offer.end.unwrap();
        assert_eq!((end.limit, end.per_seat), (2, true));
        assert!(offer.spectators.unwrap().racks);
        assert_eq!(offer.rated, Some(true));
        assert_eq!(offer.vanish, Some(VanishPolicy::PlayOn));
        assert_eq!(offer.hints, Some(5));
        assert_eq!(changed(&["--rated=off"]).unwrap().rated, Some(false));
        let all = [
            "rule-set",
            "seats",
            "lexicon",
            "clock",
            "challenge",
            "bot",
            "claim-after",
            "spectators",
            "first",
            "end",
            "all-played",
            "uncatchable",
            "ties",
            "rated",
            "vanish",
            "vacation",
            "hints",
            "rating",
            "established",
            "registered",
            "followed",
            "exclude",
            "any-rating",
        ];
        let command = <OfferLine as clap::CommandFactory>::command();
        let flags: Vec<&str> = command
            .get_arguments()
            .filter_map(clap::Arg::get_long)
            .collect();
        assert_eq!(
            flags, all,
            "a flag for each field of the options and the criteria"
        );
    }

    #[test]
    fn a_wrong_flag_is_named() {
        for (flags, problem) in [
            (&["--ties", "maybe"][..], "`maybe` is not a rule for ties"),
            (&["--tie", "stand"], "unexpected argument '--tie'"),
            (&["stand"], "unexpected argument 'stand'"),
        ] {
            let error = changed(flags).unwrap_err();
            assert!(error.contains(problem), "{flags:?}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
