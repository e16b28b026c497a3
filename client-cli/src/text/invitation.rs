//! Invitations in words.

use tilewire_protocol::{DeclineReason, IdentityId, Invitation, InvitationEnd};

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
        (Some(InvitationEnd::Accepted), true) => format!("{to} accepts your invitation."),
        (Some(InvitationEnd::Accepted), false) => {
            format!("You have accepted the invitation of {from}.")
        }
        (Some(InvitationEnd::Declined), true) => {
            format!("{to} declines your invitation{}.", why(told.reason))
        }
        (Some(InvitationEnd::Declined), false) => {
            format!("You have declined the invitation of {from}.")
        }
        (Some(InvitationEnd::Withdrawn), true) => {
            format!("Your invitation of {to} is taken back.")
        }
        (Some(InvitationEnd::Withdrawn), false) => {
            format!("{from} takes the invitation back.")
        }
        (Some(InvitationEnd::Expired), true) => format!("Your invitation of {to} has expired."),
        (Some(InvitationEnd::Expired), false) => {
            format!("The invitation of {from} has expired.")
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

const fn why(reason: Option<DeclineReason>) -> &'static str {
    match reason {
        Some(DeclineReason::Busy) => ": no time now",
        Some(DeclineReason::OtherOptions) => ": other options would be better",
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
                "Ben declines your invitation: no time now.",
                "You have declined the invitation of Anna.",
            ],
        );
        check(
            Some(InvitationEnd::Withdrawn),
            None,
            [
                "Your invitation of Ben is taken back.",
                "Anna takes the invitation back.",
            ],
        );
        check(
            Some(InvitationEnd::Expired),
            None,
            [
                "Your invitation of Ben has expired.",
                "The invitation of Anna has expired.",
            ],
        );
    }
}
