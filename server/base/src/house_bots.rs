//! The identities of the house bots.
//!
//! No token is ever made for them, and other identities begin with another letter.

use tilewire_protocol::{IdentityId, Level, Person, PlayerKind};
use tilewire_rules::bot::BotLevel;

/// The prefix of a house bot's identity.
const PREFIX: &str = "bot-";

/// Says whether an identity belongs to a house bot.
#[must_use]
pub fn is_house_bot(identity: &str) -> bool {
    identity.starts_with(PREFIX)
}

/// Returns house bots of these levels, each with its own identity.
#[must_use]
pub fn house_bots(levels: &[BotLevel]) -> Vec<Person> {
    let bots = levels.iter().enumerate().map(|(at, level)| {
        let same_before = levels[..at].iter().filter(|other| *other == level).count();
        let number = if same_before == 0 {
            String::new()
        } else {
            format!("-{}", same_before + 1)
        };
        Person {
            identity: IdentityId(format!("{PREFIX}{}{number}", level.name())),
            name: format!("{} bot{}", level.name(), number.replace('-', " ")),
            level: Some(aim(*level)),
            bot: true,
            kind: Some(PlayerKind::HouseBot),
            rating: None,
        }
    });
    bots.collect()
}

/// Returns the level whose target a house bot plays for, if the rule set has targets (R-END-13).
const fn aim(level: BotLevel) -> Level {
    match level {
        BotLevel::Beginner | BotLevel::Casual => Level::Beginner,
        BotLevel::Improver | BotLevel::Club => Level::Intermediate,
        BotLevel::Expert | BotLevel::Master => Level::Expert,
    }
}

/// Returns the level of a house bot.
#[must_use]
pub fn level_of(identity: &str) -> Option<BotLevel> {
    let name = identity.strip_prefix(PREFIX)?;
    BotLevel::ALL.into_iter().find(|level| {
        name.strip_prefix(level.name())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_of_one_level_are_different_people() {
        let bots = house_bots(&[BotLevel::Club, BotLevel::Expert, BotLevel::Club]);
        let ids: Vec<&str> = bots.iter().map(|bot| bot.identity.0.as_str()).collect();
        assert_eq!(ids, ["bot-club", "bot-expert", "bot-club-2"]);
        assert_eq!(bots[2].name, "club bot 2");
        for (bot, level) in bots
            .iter()
            .zip([BotLevel::Club, BotLevel::Expert, BotLevel::Club])
        {
            assert!(is_house_bot(&bot.identity.0));
            assert_eq!(level_of(&bot.identity.0), Some(level));
        }
    }

    #[test]
    fn people_are_no_bots() {
        assert!(!is_house_bot(&crate::ids::Ids::system().identity_id()));
        assert_eq!(level_of("bot-clubs"), None);
        assert_eq!(level_of("iclub"), None);
    }
}
