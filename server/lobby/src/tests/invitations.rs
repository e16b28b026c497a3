//! Invitations: their recipients, their ends, and the sender's view.

use std::collections::BTreeSet;

use tilewire_protocol::{DeclineReason, Invitation, InvitationEnd};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::options::{FirstPlay, GameOptions};
use tilewire_rules::time::{Millis, Seat, Timestamp};

use super::super::invitation::{Answer, InvitationBounds};
use super::super::open_seek::OpenSeek;
use super::{Action, ErrorCode, Plan, Scene, SeekId, quick, seen_by, usual};
use tilewire_accounts::people::Invited;

pub(super) const BOUNDS: InvitationBounds = InvitationBounds {
    most: 3,
    open_ms: Millis(90),
    correspondence_ms: Millis(7_000),
};

fn invited(who: &str) -> Invited {
    Invited {
        identity: who.to_owned(),
        handle: who.to_owned(),
        is_bot: who == "dora",
        is_willing: true,
    }
}

fn to(who: &str) -> Action {
    Action::Invite(usual(2), Box::new(invited(who)))
}

/// An invitation of a player who does not take it.
fn to_unwilling(who: &str) -> Action {
    let unwilling = Invited {
        is_willing: false,
        ..invited(who)
    };
    Action::Invite(usual(2), Box::new(unwilling))
}

fn accept(invitation: &SeekId) -> Action {
    Action::AnswerInvitation(invitation.clone(), Answer::Accept)
}

fn decline(invitation: &SeekId, reason: Option<DeclineReason>) -> Action {
    Action::AnswerInvitation(invitation.clone(), Answer::Decline(reason))
}

/// Returns the messages to the players of an invitation that ends.
fn told(open: &OpenSeek) -> Invitation {
    open.invitation_ended(open.invitation.as_ref().expect("an invitation"))
}

fn nobody() -> BTreeSet<String> {
    BTreeSet::new()
}

impl Scene {
    /// Lets time pass; returns the plan of the lobby's regular look.
    fn looks(&mut self, now: i64) -> Plan {
        let online = self.online.clone();
        let is_online = |identity: &str| online.contains(identity);
        let blocks = self.blocks.clone();
        let has_blocked = |one: &str, other: &str| blocks.contains(&(one, other));
        let bounds = &super::BOUNDS;
        let plan = self
            .lobby
            .tidy(bounds, Timestamp(now), &is_online, &has_blocked, &nobody());
        self.lobby.adopt(&plan);
        plan
    }

    #[track_caller]
    fn check_unknown(&mut self, who: &str, action: Action) {
        assert_eq!(self.refused(who, action), ErrorCode::UnknownInvitation);
    }
}

#[test]
fn the_invited_player_accepts_and_the_inviter_has_seat_0() {
    let mut scene = Scene::new();
    let plan = scene.plan("anna", to("ben")).expect("allowed");
    scene.lobby.adopt(&plan);
    let invitation = plan.answer.invitation.expect("an invitation");
    assert_eq!(
        (&*invitation.from.name, &*invitation.to.name),
        ("anna", "ben")
    );
    assert_eq!((invitation.expires_at, invitation.end), (90, None));
    let id = invitation.invitation;
    for who in ["carla", "dora"] {
        scene.check_unknown(who, accept(&id));
        scene.check_unknown(who, decline(&id, None));
    }
    assert_eq!(scene.refused("anna", accept(&id)), ErrorCode::AlreadyJoined);
    let plan = scene.plan("ben", accept(&id)).expect("allowed");
    scene.lobby.adopt(&plan);
    let open = plan.start.expect("the game begins");
    assert_eq!(plan.answer.game, open.starting);
    assert!(plan.answer.seek.is_none());
    let players = open.seek.members.iter();
    let players: Vec<&str> = players.map(|own| own.identity.as_str()).collect();
    assert_eq!(players, ["anna", "ben"]);
    let game = open.starting.clone().expect("a game");
    let accepted = open.accepted(open.invitation.as_ref().expect("an invitation"), &game);
    assert_eq!(accepted.end, Some(InvitationEnd::Accepted));
    assert_eq!(accepted.game, Some(game));
    scene.check_unknown("ben", accept(&id));
    scene.check_unknown("anna", decline(&id, None));
}

/// 000-F1: under the rules of Wordfeud the inviter has the first turn. Other rules keep their draw.
#[test]
fn seat_0_begins_where_the_rules_let_the_owner_begin() {
    for first in [FirstPlay::Seat(Seat(0)), FirstPlay::Draw] {
        let mut scene = Scene::new();
        let options = GameOptions { first, ..usual(2) };
        let action = Action::Invite(options, Box::new(invited("ben")));
        let (id, _) = scene.ok("anna", action);
        let plan = scene.plan("ben", accept(&id)).expect("allowed");
        let open = plan.start.expect("the game begins");
        assert_eq!(open.options.first, first);
        assert_eq!(open.seek.members[0].identity.as_str(), "anna");
    }
}

#[test]
fn an_invitation_ends_when_it_is_declined_taken_back_or_expires() {
    let mut scene = Scene::new();
    let (id, _) = scene.ok("anna", to("ben"));
    let busy = Some(DeclineReason::Busy);
    let plan = scene.plan("ben", decline(&id, busy)).expect("allowed");
    scene.lobby.adopt(&plan);
    let end = told(&plan.remove[0]);
    assert_eq!((end.end, end.reason), (Some(InvitationEnd::Declined), busy));
    let (id, _) = scene.ok("anna", to("ben"));
    let plan = scene.plan("anna", decline(&id, busy)).expect("allowed");
    scene.lobby.adopt(&plan);
    let end = told(&plan.remove[0]);
    assert_eq!(
        (end.end, end.reason),
        (Some(InvitationEnd::Withdrawn), None)
    );
    scene.ok("anna", to("ben"));
    assert_eq!(scene.looks(89), Plan::default());
    let plan = scene.looks(90);
    assert_eq!(told(&plan.remove[0]).end, Some(InvitationEnd::Expired));
    assert_eq!(scene.count(), 0);
}

#[test]
fn an_invitation_waits_for_players_who_are_away() {
    let mut scene = Scene::new();
    let (id, _) = scene.ok("anna", to("ben"));
    scene.online.remove("anna");
    let left = BTreeSet::from(["anna".to_owned()]);
    assert_eq!(scene.tidy(Timestamp(80), &left), 1, "she may come back");
    assert_eq!(scene.refused("ben", accept(&id)), ErrorCode::OwnerAway);
    scene.online.insert("anna");
    assert!(scene.ok("ben", accept(&id)).1.is_some());
    // By correspondence nobody has to be there, and the invitation stands for longer.
    let mut scene = Scene::new();
    let clock = ClockKind::PerMove {
        limit_ms: 3_600_000,
        bank_ms: 0,
    };
    let options = GameOptions { clock, ..usual(2) };
    let action = Action::Invite(options, Box::new(invited("ben")));
    let (id, _) = scene.ok("anna", action);
    scene.online.remove("anna");
    assert_eq!(scene.tidy(Timestamp(6_999), &left), 1);
    assert!(scene.ok("ben", accept(&id)).1.is_some());
}

#[test]
fn only_registered_players_invite_and_nobody_invites_twice() {
    let mut scene = Scene::new();
    let guest = scene.refused("carla", to("ben"));
    assert_eq!(guest, ErrorCode::NotRegistered);
    assert_eq!(scene.refused("anna", to("anna")), ErrorCode::Yourself);
    let three = Action::Invite(usual(3), Box::new(invited("ben")));
    assert_eq!(scene.refused("anna", three), ErrorCode::BadOptions);
    let rated = || GameOptions {
        rated: true,
        ..usual(2)
    };
    let against_bot = Action::Invite(rated(), Box::new(invited("dora")));
    assert_eq!(scene.refused("anna", against_bot), ErrorCode::NotRateable);
    scene.ok("anna", to("ben"));
    assert_eq!(scene.refused("anna", to("ben")), ErrorCode::AlreadyInvited);
    scene.ok("anna", Action::Invite(rated(), Box::new(invited("ben"))));
    scene.ok("anna", to("dora"));
    let fourth = Action::Invite(rated(), Box::new(invited("eve")));
    assert_eq!(scene.refused("anna", fourth), ErrorCode::TooManyInvitations);
    // Ben has sent none.
    scene.ok("ben", to("anna"));
}

/// Invitations leave the places of seeks free.
#[test]
fn invitations_are_no_open_seeks() {
    let mut scene = Scene::new();
    scene.ok("anna", to("ben"));
    scene.ok("anna", to("dora"));
    for seats in [2, 3] {
        scene.ok("anna", super::open(seats));
    }
    assert_eq!(
        scene.refused("anna", super::open(4)),
        ErrorCode::TooManySeeks
    );
}

#[test]
fn nobody_else_sees_or_takes_an_invitation() {
    let mut scene = Scene::new();
    let (id, _) = scene.ok("anna", to("ben"));
    for who in ["anna", "ben", "carla"] {
        let open = scene.lobby.get(&id).expect("open");
        assert_eq!(seen_by(open, who), None, "{who}");
        for request in [Action::Join, Action::Leave, Action::Cancel, Action::Start] {
            let refused = scene.refused(who, request(id.clone()));
            assert_eq!(refused, ErrorCode::UnknownSeek, "{who}");
        }
    }
    let (other, game) = scene.ok("carla", quick(2));
    assert!(game.is_none() && other != id);
}

/// A sender that the player blocks, that blocks the player, or that the player takes nothing from, gets what the sender gets
/// whose invitation is not answered.
#[test]
fn the_sender_cannot_tell_who_does_not_want_to_hear_of_it() {
    let seen = |block: Option<(&'static str, &'static str)>, action: Action| {
        let mut scene = Scene::new();
        scene.blocks.extend(block);
        let plan = scene.plan("anna", action).expect("allowed");
        scene.lobby.adopt(&plan);
        let again = scene.refused("anna", to("ben"));
        let (open, answer) = (&plan.put[0], plan.answer.clone());
        let is_heard = open.invitation.as_ref().is_some_and(|own| !own.is_unheard);
        let answered = scene.plan("ben", accept(&open.seek.seek)).is_ok();
        assert_eq!(is_heard, answered, "{block:?}");
        let ended = scene.looks(90);
        let ended: Vec<_> = ended.remove.iter().map(told).collect();
        (is_heard, (answer, again, ended))
    };
    let (is_heard, unanswered) = seen(None, to("ben"));
    assert!(is_heard);
    for (block, action) in [
        (Some(("ben", "anna")), to("ben")),
        (None, to_unwilling("ben")),
    ] {
        assert_eq!(
            seen(block, action),
            (false, unanswered.clone()),
            "{block:?}"
        );
    }
}

#[test]
fn a_block_ends_an_open_invitation() {
    // The invited player blocks: nothing changes for the sender.
    let mut scene = Scene::new();
    let (id, _) = scene.ok("anna", to("ben"));
    let before = scene.lobby.get(&id).expect("open").clone();
    scene.blocks.insert(("ben", "anna"));
    scene.check_unknown("ben", accept(&id));
    let plan = scene.looks(1);
    assert!(plan.remove.is_empty() && plan.put[0].was_cut_off(&before));
    assert_eq!(scene.looks(2), Plan::default(), "once");
    scene.blocks.clear();
    scene.check_unknown("ben", accept(&id));
    scene.check_unknown("ben", decline(&id, None));
    assert_eq!(
        told(&scene.looks(90).remove[0]).end,
        Some(InvitationEnd::Expired)
    );
    // The sender blocks: both are told.
    scene.now = Timestamp(90);
    let (id, _) = scene.ok("anna", to("ben"));
    scene.blocks.insert(("anna", "ben"));
    scene.check_unknown("ben", accept(&id));
    let plan = scene.looks(91);
    assert_eq!(told(&plan.remove[0]).end, Some(InvitationEnd::Withdrawn));
    assert_eq!(scene.count(), 0);
}

#[test]
fn a_stored_invitation_is_read_again() {
    let mut scene = Scene::new();
    for action in [to("ben"), to_unwilling("dora")] {
        let (id, _) = scene.ok("anna", action);
        let open = scene.lobby.get(&id).expect("open");
        let text = serde_json::to_string(open).expect("plain data");
        assert_eq!(
            serde_json::from_str::<OpenSeek>(&text).expect("the same"),
            *open
        );
    }
}
