//! The checks of the section about webhooks.

use std::collections::BTreeSet;

use super::check::Problems;
use super::{Config, WebhookPlayers, WebhookTarget};
use crate::target::{NoTarget, Scheme, Target};

use tilewire_rules::quoted::quoted;

/// Webhooks of one server.
const TARGETS: usize = 16;
/// Bytes of a name.
const NAME_BYTES: usize = 40;
const KEY: &str = "webhooks.targets";

/// Checks the webhooks and their bounds.
pub(super) fn webhooks(config: &Config, found: &mut Problems) {
    let webhooks = &config.webhooks;
    found.ordered(
        ("webhooks.retry_ms", webhooks.retry_ms),
        ("webhooks.retry_max_ms", webhooks.retry_max_ms),
    );
    found.ordered(
        ("webhooks.give_up_ms", webhooks.give_up_ms),
        ("webhooks.kept_ms", webhooks.kept_ms),
    );
    if webhooks.targets.len() > TARGETS {
        found.add(KEY, format!("has more than {TARGETS} webhooks"));
    }
    let mut names = BTreeSet::new();
    for target in &webhooks.targets {
        if !names.insert(&target.name) {
            found.add(
                KEY,
                format!("the name {} occurs twice", quoted(&target.name)),
            );
        }
        if let Some(reason) = problem(target) {
            found.add(KEY, format!("{}: {reason}", quoted(&target.name)));
        }
        if target.players == WebhookPlayers::Site && config.site.issuer.is_empty() {
            let reason = "players = \"site\" needs an embedding site, site.issuer";
            found.add(KEY, format!("{}: {reason}", quoted(&target.name)));
        }
    }
}

/// Returns the error in the settings of a webhook.
fn problem(target: &WebhookTarget) -> Option<&'static str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let name = &target.name;
    if name.is_empty() || name.len() > NAME_BYTES || !name.bytes().all(is_plain) {
        return Some("a name has 1 to 40 letters, digits and the characters - _ .");
    }
    if target.secret_file.as_os_str().is_empty() {
        return Some("it has no secret_file");
    }
    let schemes: &[Scheme] = match target.allow_private.0.is_empty() {
        true => &[Scheme::Https],
        false => &Scheme::ALL,
    };
    match Target::read(&target.url, schemes) {
        Ok(_) => None,
        Err(NoTarget::HasUser) => Some("its url must have no user and no password"),
        Err(NoTarget::Unreadable | NoTarget::OtherScheme) => {
            Some("its url is not written https://HOST/PATH; http:// needs allow_private")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> WebhookTarget {
        WebhookTarget {
            name: "shop".to_owned(),
            url: url.to_owned(),
            secret_file: "secret".into(),
            ca_file: "".into(),
            events: Default::default(),
            players: WebhookPlayers::All,
            private_games: false,
            allow_private: Default::default(),
        }
    }

    #[test]
    fn an_address_is_https_unless_it_is_private() {
        for (url, is_good) in [
            ("https://shop.example/webhook", true),
            ("https://shop.example:8443/hook?a=1", true),
            ("https://[2001:db8::1]/webhook", true),
            ("http://shop.example/webhook", false),
            ("https://user@shop.example/", false),
            ("https:///webhook", false),
            ("ftp://shop.example/", false),
            ("shop.example", false),
            ("", false),
        ] {
            assert_eq!(problem(&target(url)).is_none(), is_good, "{url}");
        }
        let mut inside = target("http://10.0.0.1:8080/webhook");
        inside.allow_private.0 = vec!["10.0.0.0/8".parse().unwrap()];
        assert_eq!(problem(&inside), None);
    }

    #[test]
    fn a_webhook_has_a_plain_name_and_a_secret() {
        for name in ["", "two words", "line\nbreak", &"x".repeat(41)] {
            let bad = WebhookTarget {
                name: name.to_owned(),
                ..target("https://shop.example/")
            };
            assert!(problem(&bad).is_some(), "{name:?}");
        }
        let bare = WebhookTarget {
            secret_file: "".into(),
            ..target("https://shop.example/")
        };
        assert!(problem(&bare).is_some());
    }
}
