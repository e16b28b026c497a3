//! The games of other nodes, from reports in and out of order.

use tilewire_protocol::SummarySeat;

use super::*;
use crate::summaries::running_summary;

const ONE: NodeId = NodeId(1);
const TWO: NodeId = NodeId(2);

fn summary(game: &str, player: &str) -> GameSummary {
    GameSummary {
        game: game.into(),
        seats: vec![SummarySeat {
            identity: player.into(),
            name: player.to_owned(),
            score: 0,
            on_turn: false,
            bot: false,
            rank: None,
            rating: None,
        }],
        ..running_summary()
    }
}

fn json(summary: &GameSummary) -> String {
    serde_json::to_string(summary).unwrap()
}

fn line(game: &str, player: Option<&str>) -> ReportedLine {
    ReportedLine {
        game: game.into(),
        created_at: 7,
        summary: player.map(|player| json(&summary(game, player))),
        has_begun: false,
    }
}

fn games(lines: &[(&str, Option<&str>)]) -> GameReport {
    GameReport {
        games: lines
            .iter()
            .map(|(game, player)| line(game, *player))
            .collect(),
        ..GameReport::default()
    }
}

/// Takes a report; returns the news.
fn take(reported: &mut Reported, at: i64, node: NodeId, report: GameReport) -> Vec<String> {
    let learned = reported.take(Timestamp(at), node, report);
    let named = |news: GameNews| match news {
        GameNews::Started(game) => format!("{} began", game.game),
        GameNews::Ended(game) => format!("{} ended", game.game),
    };
    learned.news.into_iter().map(named).collect()
}

fn listed(reported: &Reported) -> Vec<String> {
    reported.listed().map(|(game, _)| game.0.clone()).collect()
}

fn nothing() -> Vec<String> {
    Vec::new()
}

#[test]
fn a_game_begins_and_ends_once() {
    let mut reported = Reported::new(9);
    let opened = Opened::default();
    reported.opened("a".into(), Some(ONE), Timestamp(5), opened);
    assert_eq!((reported.running(ONE), listed(&reported)), (1, nothing()));
    let waits = games(&[("a", None)]);
    assert_eq!(take(&mut reported, 10, ONE, waits), nothing());
    let began = games(&[("a", Some("ada"))]);
    assert_eq!(take(&mut reported, 20, ONE, began.clone()), ["a began"]);
    assert_eq!(take(&mut reported, 30, ONE, began), nothing());
    assert_eq!(listed(&reported), ["a"]);
    let plays = reported.public_game_of("ada").map(|(_, game)| game.0);
    assert_eq!(plays.as_deref(), Some("a"));
    let gone = GameReport {
        gone: vec!["a".into()],
        ..GameReport::default()
    };
    assert_eq!(take(&mut reported, 40, ONE, gone), nothing());
    assert_eq!(
        (listed(&reported), reported.public_game_of("ada")),
        (nothing(), None)
    );
    let ended = GameReport {
        ended: vec![json(&summary("a", "ada"))],
        ..GameReport::default()
    };
    assert_eq!(take(&mut reported, 50, ONE, ended.clone()), ["a ended"]);
    assert_eq!(take(&mut reported, 60, ONE, ended), nothing());
    assert_eq!((reported.len(), reported.running(ONE)), (0, 0));
}

/// A game that is new to this node is in the lists of clients, unless it began a moment ago.
#[test]
fn only_a_game_that_has_just_begun_is_news_without_its_past() {
    let mut reported = Reported::new(9);
    let mut report = games(&[("a", Some("ada")), ("b", Some("ben"))]);
    report.games[1].has_begun = true;
    assert_eq!(take(&mut reported, 0, ONE, report), ["b began"]);
}

#[test]
fn a_whole_list_replaces_the_one_before() {
    let mut reported = Reported::new(9);
    let first = games(&[("a", Some("ada")), ("b", None), ("c", Some("cleo"))]);
    take(&mut reported, 0, ONE, first);
    take(&mut reported, 0, TWO, games(&[("d", Some("dan"))]));
    let begins = GameReport {
        is_anew: true,
        ..games(&[("a", Some("ada"))])
    };
    take(&mut reported, 10, ONE, begins);
    assert_eq!(listed(&reported), ["a", "c", "d"], "it is not whole yet");
    let completes = GameReport {
        is_whole: true,
        ..games(&[("e", Some("eve"))])
    };
    assert_eq!(take(&mut reported, 20, ONE, completes), nothing());
    assert_eq!(listed(&reported), ["a", "d", "e"]);
}

#[test]
fn a_game_moves_to_another_node_without_news() {
    let mut reported = Reported::new(9);
    take(&mut reported, 0, ONE, games(&[("a", Some("ada"))]));
    take(&mut reported, 10, TWO, games(&[("a", Some("ada"))]));
    let gone = GameReport {
        gone: vec!["a".into()],
        ..GameReport::default()
    };
    take(&mut reported, 20, ONE, gone);
    assert_eq!(listed(&reported), ["a"]);
    assert_eq!((reported.running(ONE), reported.running(TWO)), (0, 1));
}

#[test]
fn a_game_whose_node_has_lost_it_is_asked_for() {
    let mut reported = Reported::new(9);
    take(
        &mut reported,
        0,
        ONE,
        games(&[("a", Some("ada")), ("b", None)]),
    );
    let mut tidy = |at, place: Location| reported.tidy(Timestamp(at), |_| place);
    let none: Vec<GameId> = Vec::new();
    assert_eq!(tidy(10_000, Location::Elsewhere(Some(ONE))), none);
    assert_eq!(tidy(20_000, Location::Elsewhere(None)), none, "a takeover");
    assert_eq!(tidy(30_000, Location::Elsewhere(Some(TWO))), none);
    assert_eq!(tidy(39_999, Location::Elsewhere(Some(TWO))), none);
    assert_eq!(tidy(40_000, Location::Elsewhere(Some(TWO))), ["a"]);
    let ended = reported.settle(&"a".into()).map(|game| game.phase);
    assert_eq!((ended, reported.len()), (Some(Phase::Ended), 0));
    assert_eq!(reported.settle(&"a".into()), None);
}

#[test]
fn what_is_old_is_forgotten_and_a_node_has_a_bound() {
    let mut reported = Reported::new(2);
    reported.opened("a".into(), Some(ONE), Timestamp(0), Opened::default());
    take(&mut reported, 0, ONE, games(&[("b", None), ("c", None)]));
    assert_eq!(reported.len(), 2);
    assert!(!reported.has(&"c".into()), "it is one too many");
    reported.tidy(Timestamp(UNREPORTED_MS.0), |_| {
        Location::Elsewhere(Some(ONE))
    });
    assert!(!reported.has(&"a".into()) && reported.has(&"b".into()));
}
