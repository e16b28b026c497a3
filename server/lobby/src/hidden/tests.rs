//! A subscriber's view of changes of seeks while a block hides some of them.

use tilewire_protocol::LobbyChangeKind::{SeekAdded, SeekChanged, SeekRemoved};
use tilewire_protocol::{IdentityId, LobbyChangeKind, Seek};
use tilewire_rules::options::GameOptions;

use super::*;
use crate::tests::person;
use tilewire_wire::options;

/// Changes of Anna's seek, as Ben gets them.
struct Scene {
    hidden: Hidden,
    blocks: Blocks,
    /// The players that Anna excludes.
    excluded: Vec<IdentityId>,
}

fn change(kind: LobbyChangeKind, members: &[&str]) -> LobbyChange {
    let id = SeekId("s".to_owned());
    let seek = (kind != SeekRemoved).then(|| Seek {
        seek: id.clone(),
        owner: IdentityId("anna".to_owned()),
        options: options::to_wire(&GameOptions::classic("wordnik")),
        private: false,
        code: None,
        members: members.iter().copied().map(person).collect(),
        created_at: 0,
        criteria: None,
        range: None,
    });
    LobbyChange {
        change: kind,
        seek_id: seek.is_none().then_some(id),
        seek,
        game: None,
    }
}

fn gone() -> Shown {
    Shown::Instead(Box::new(removal(&SeekId("s".to_owned()))))
}

impl Scene {
    fn new() -> Self {
        Self {
            hidden: Hidden::default(),
            blocks: Blocks::default(),
            excluded: Vec::new(),
        }
    }

    fn show(&mut self, kind: LobbyChangeKind, members: &[&str]) -> Shown {
        let change = change(kind, members);
        self.hidden
            .show(&change, &self.excluded, "ben", &self.blocks)
    }

    fn show_again(&mut self, members: &[&str]) -> Shown {
        let change = change(SeekChanged, members);
        self.hidden
            .show_again(&change, &self.excluded, "ben", &self.blocks)
    }
}

#[test]
fn a_hidden_seek_comes_changes_and_goes_unseen() {
    for (one, other) in [("anna", "ben"), ("ben", "anna")] {
        let mut scene = Scene::new();
        scene.blocks.insert(one, other);
        for (kind, members) in [
            (SeekAdded, &["anna"][..]),
            (SeekChanged, &["anna", "carla"]),
            (SeekRemoved, &[]),
        ] {
            assert_eq!(scene.show(kind, members), Shown::Nothing, "{kind:?}");
        }
        // Another seek of the same id would be a new one.
        assert!(scene.hidden.is_empty());
        assert_eq!(scene.show(SeekAdded, &["carla"]), Shown::AsItIs);
    }
}

#[test]
fn a_seek_goes_when_a_blocked_player_joins_and_comes_back() {
    let mut scene = Scene::new();
    scene.blocks.insert("anna", "ben");
    assert_eq!(scene.show(SeekAdded, &["carla"]), Shown::AsItIs);
    assert_eq!(scene.show(SeekChanged, &["carla", "anna"]), gone());
    let still = scene.show(SeekChanged, &["carla", "anna", "dora"]);
    assert_eq!(still, Shown::Nothing);
    assert_eq!(scene.show(SeekChanged, &["carla"]), Shown::AsItIs);
    assert_eq!(scene.show(SeekRemoved, &[]), Shown::AsItIs);
}

#[test]
fn the_own_seek_is_always_seen() {
    let mut scene = Scene::new();
    scene.blocks.insert("anna", "ben");
    assert_eq!(scene.show(SeekAdded, &["ben"]), Shown::AsItIs);
    // Both joined before the block.
    assert_eq!(scene.show(SeekChanged, &["ben", "anna"]), Shown::AsItIs);
    assert_eq!(scene.show_again(&["ben", "anna"]), Shown::Nothing);
}

#[test]
fn a_block_takes_a_seek_and_its_end_gives_it_back() {
    let mut scene = Scene::new();
    assert_eq!(scene.show(SeekAdded, &["anna"]), Shown::AsItIs);
    assert_eq!(scene.show_again(&["anna"]), Shown::Nothing, "no block");
    scene.blocks.insert("anna", "ben");
    assert_eq!(scene.show_again(&["anna"]), gone());
    assert_eq!(scene.show_again(&["anna"]), Shown::Nothing, "twice");
    scene.blocks.remove("anna", "ben");
    assert_eq!(scene.show_again(&["anna"]), Shown::AsItIs);
    assert_eq!(scene.show_again(&["anna"]), Shown::Nothing, "twice");
}

/// A seek of Anna's that excludes Ben comes, changes and goes unseen; another player's exclusion hides nothing.
#[test]
fn an_excluded_player_sees_no_change() {
    let mut scene = Scene::new();
    scene.excluded = vec![IdentityId("ben".to_owned())];
    for (kind, members) in [
        (SeekAdded, &["anna"][..]),
        (SeekChanged, &["anna", "carla"]),
    ] {
        assert_eq!(scene.show(kind, members), Shown::Nothing, "{kind:?}");
    }
    assert_eq!(scene.show_again(&["anna"]), Shown::Nothing);
    assert_eq!(scene.show(SeekRemoved, &[]), Shown::Nothing);
    let mut scene = Scene::new();
    scene.excluded = vec![IdentityId("dora".to_owned())];
    assert_eq!(scene.show(SeekAdded, &["anna"]), Shown::AsItIs);
}
