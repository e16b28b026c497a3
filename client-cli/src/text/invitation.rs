//! Invitations in words.

use tilewire_protocol::{DeclineReason, IdentityId, Invitation, InvitationEnd, Seek};

use super::{format_options, printable};

/// Describes what has happened to an invitation, for the player with this identity.
#[must_use]
pub fn narrate_invitation(told: &Invitation, own: Option<&IdentityId>) -> String {
    let (from, to) = (printable(&told.from.name), printable(&told.to.name));
    let options = format_options(&told.options);
    let is_sent = own == Some(&told.from.identity);
    match (told.end, is_sent) {
        (None, true) => format!("You have invited {to}: {options}."),
        (None, false) => {
            format!("{from} invites you: {options}. In the lobby, type accept or decline.")
        }
        (Some(InvitationEnd::Accepted), true) => format!("{to} accepted your invitation."),
        (Some(InvitationEnd::Accepted), false) => {
            format!("You have accepted {from}'s invitation.")
        }
        (Some(InvitationEnd::Declined), true) => {
            format!("{to} declined your invitation{}.", why(told.reason))
        }
        (Some(InvitationEnd::Declined), false) => {
            format!("You have declined {from}'s invitation.")
        }
        (Some(InvitationEnd::Withdrawn), true) => {
            format!("You have cancelled your invitation to {to}.")
        }
        (Some(InvitationEnd::Withdrawn), false) => {
            format!("{from} has cancelled the invitation.")
        }
        (Some(InvitationEnd::Expired), true) => format!("Your invitation to {to} has expired."),
        (Some(InvitationEnd::Expired), false) => {
            format!("{from}'s invitation has expired.")
        }
        (Some(InvitationEnd::Unknown), _) => "An invitation is over.".to_owned(),
    }
}

/// An invitation in one line of a list.
#[must_use]
pub fn invitation_line(told: &Invitation) -> String {
    format!(
        "{} invites {}: {}",
        printable(&told.from.name),
        printable(&told.to.name),
        format_options(&told.options)
    )
}

/// Describes an offer to the player who is about to join it with its code.
#[must_use]
pub fn narrate_found(seek: &Seek) -> String {
    let mut members = seek.members.iter();
    let owner = members.find(|person| person.identity == seek.owner);
    let name = owner.map_or_else(String::new, |person| printable(&person.name));
    let casual = if seek.options.rated { "" } else { ", casual" };
    format!(
        "{name} invites you: {}{casual}.",
        format_options(&seek.options)
    )
}

const fn why(reason: Option<DeclineReason>) -> &'static str {
    match reason {
        Some(DeclineReason::Busy) => ": not right now",
        Some(DeclineReason::OtherOptions) => ": different settings, please",
        Some(DeclineReason::No | DeclineReason::Unknown) | None => "",
    }
}

#[cfg(test)]
mod tests {
    use tilewire_client::fixtures::options;
    use tilewire_protocol::Person;

    use super::*;

    fn person(name: &str) -> Person {
        Person {
            identity: name.to_lowercase().as_str().into(),
            name: name.to_owned(),
            level: None,
            bot: false,
            kind: None,
            rating: None,
        }
    }

    #[track_caller]
    fn check(end: Option<InvitationEnd>, reason: Option<DeclineReason>, expected: [&str; 2]) {
        let told = Invitation {
            invitation: "i1".into(),
            from: person("Anna"),
            to: person("Ben"),
            options: options(2),
            created_at: 0,
            expires_at: 1,
            end,
            reason,
            game: None,
        };
        for (own, expected) in ["anna", "ben"].into_iter().zip(expected) {
            let text = narrate_invitation(&told, Some(&own.into()));
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn each_player_hears_what_the_other_one_does() {
        let (declined, busy) = (Some(InvitationEnd::Declined), Some(DeclineReason::Busy));
        check(
            declined,
            busy,
            [
                "Ben declined your invitation: not right now.",
                "You have declined Anna's invitation.",
            ],
        );
        check(
            Some(InvitationEnd::Withdrawn),
            None,
            [
                "You have cancelled your invitation to Ben.",
                "Anna has cancelled the invitation.",
            ],
        );
        check(
            Some(InvitationEnd::Expired),
            None,
            [
                "Your invitation to Ben has expired.",
                "Anna's invitation has expired.",
            ],
        );
    }
}
