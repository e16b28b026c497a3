//! The checks of the section about pushes.

use tilewire_people::letters::Address;

use super::PushConfig;
use super::check::Problems;
use crate::target::Target;

/// Checks the settings of pushes, if there are any.
pub(super) fn push(push: &PushConfig, found: &mut Problems) {
    if !push.is_on() {
        return;
    }
    let is_contact = match push.contact.strip_prefix("mailto:") {
        Some(address) => address.parse::<Address>().is_ok(),
        None => push.contact.parse::<Target>().is_ok(),
    };
    if !is_contact {
        let reason = "is not written mailto:you@example.org or https://HOST/PATH".to_owned();
        found.add("push.contact", reason);
    }
    found.ordered(
        ("push.retry_ms", push.retry_ms),
        ("push.retry_max_ms", push.retry_max_ms),
    );
    found.ordered(
        ("push.connections_per_service", push.connections_per_service),
        ("push.connections", push.connections),
    );
}
