//! Rematches in words.

use tilewire_client::GameView;
use tilewire_protocol::{RematchChanged, RematchEnd, Series};

use super::{player_name, printable};

/// Describes a change of the rematch of the game of `view`; `None` for what the player did, or for another game.
#[must_use]
pub fn narrate_rematch(view: &GameView, changed: &RematchChanged) -> Option<String> {
    if changed.game != view.game {
        return None;
    }
    if let Some(next) = &changed.next {
        let next = printable(next.as_str());
        return view
            .seat
            .is_none()
            .then(|| format!("The rematch has started: {next}."));
    }
    let by = changed.by.map(|seat| player_name(view, seat));
    match (changed.end, by) {
        (Some(RematchEnd::Declined), Some(name)) => Some(format!("{name} declined the rematch.")),
        (Some(RematchEnd::Withdrawn), Some(name)) => {
            Some(format!("{name} withdrew the rematch offer."))
        }
        (Some(RematchEnd::Expired), _) => Some("The rematch offer expired.".to_owned()),
        (Some(_), _) => Some("The rematch offer is over.".to_owned()),
        (None, _) => offered(view, changed),
    }
}

/// Describes an open offer, for a player who has not agreed.
fn offered(view: &GameView, changed: &RematchChanged) -> Option<String> {
    let own = view.seat?;
    let first = *changed.agreed.first()?;
    let name = player_name(view, first);
    if changed.agreed.contains(&own) {
        let waits = changed.agreed.len() < view.seats.len();
        return waits.then(|| "Waiting for all players to accept the rematch.".to_owned());
    }
    Some(format!(
        "{name} wants a rematch: type rematch, or rematch no."
    ))
}

/// The place of a game in a series of rematches, such as `Game 3 of the series: anna 1½, ben ½.`
#[must_use]
pub fn series_text(view: &GameView, series: &Series) -> String {
    let scores = (0..)
        .zip(&series.score)
        .map(|(seat, score)| format!("{} {}", player_name(view, seat), half_points(*score)));
    let scores: Vec<String> = scores.collect();
    format!(
        "Game {} of the series: {}.",
        series.number,
        scores.join(", ")
    )
}

/// Half points as points: `3` is `1½`.
fn half_points(halves: u32) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}

#[cfg(test)]
mod tests {
    use tilewire_client::fixtures::Story;
    use tilewire_protocol::GameId;

    use super::*;

    fn changed(agreed: &[u8]) -> RematchChanged {
        RematchChanged {
            agreed: agreed.to_vec(),
            ..RematchChanged::about(Story::new(&["Anna", "Ben"], None).view().game.clone())
        }
    }

    #[track_caller]
    fn check(seat: Option<u8>, changed: &RematchChanged, expected: Option<&str>) {
        let story = Story::new(&["Anna", "Ben"], seat);
        assert_eq!(narrate_rematch(story.view(), changed).as_deref(), expected);
    }

    #[test]
    fn a_player_hears_of_the_others_wish_and_its_end() {
        check(
            Some(0),
            &changed(&[1]),
            Some("Ben wants a rematch: type rematch, or rematch no."),
        );
        check(
            Some(1),
            &changed(&[1]),
            Some("Waiting for all players to accept the rematch."),
        );
        check(None, &changed(&[1]), None);
        let declined = RematchChanged {
            end: Some(RematchEnd::Declined),
            by: Some(1),
            ..changed(&[])
        };
        check(Some(0), &declined, Some("Ben declined the rematch."));
        let next = RematchChanged {
            next: Some("next".into()),
            ..changed(&[])
        };
        check(None, &next, Some("The rematch has started: next."));
        check(Some(0), &next, None);
        let other = RematchChanged {
            game: GameId("other".to_owned()),
            ..declined
        };
        check(Some(0), &other, None);
    }

    #[test]
    fn a_series_shows_points_and_halves() {
        let series = Series {
            first_game: "first".into(),
            number: 4,
            score: vec![5, 1],
            first: 0,
        };
        let story = Story::new(&["Anna", "Ben"], None);
        let text = series_text(story.view(), &series);
        assert_eq!(text, "Game 4 of the series: Anna 2½, Ben ½.");
    }
}
