//! Rule sets that build on another.

use tilewire_rules::clock::ClockKind;
use tilewire_rules::ruleset::{Premiums, RuleSet};

/// A file that builds on another says only what differs; what it says replaces what was there.
#[test]
fn a_file_can_build_on_another() {
    let text = r#"
        id = "blitz"
        name = "Blitz"
        summary = "Three minutes."
        base = "wordfeud-random"
        [rack]
        size = 5
        [clock.sudden_death]
        initial_ms = 180000
    "#;
    let rules = RuleSet::parse(text, "blitz.toml").unwrap_err().to_string();
    assert!(
        rules.contains("bingo.tiles"),
        "the base has a bonus for seven: {rules}"
    );
    let text = text.replace("size = 5", "size = 8");
    let rules = RuleSet::parse(&text, "blitz.toml").unwrap();
    assert_eq!((rules.rack_size, rules.premiums), (8, Premiums::Drawn));
    assert_eq!(
        rules.usual.clock,
        ClockKind::SuddenDeath {
            initial_ms: 180_000
        }
    );
    assert_eq!(rules.layout, RuleSet::builtin("wordfeud").unwrap().layout);
}
