//! The checks of the section about mail.

use axum::http::Uri;
use lettre::message::Mailbox;

use super::MailConfig;
use super::check::Problems;

/// Checks the settings of the mail server, if there is one.
pub(super) fn mail(mail: &MailConfig, found: &mut Problems) {
    if !mail.is_on() {
        return;
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b".-:".contains(&byte);
    if !mail.server.bytes().all(is_name) {
        found.add("mail.server", "is not the name of a machine".to_owned());
    }
    if mail.from.is_empty() {
        let reason = "needs a sender: set mail.from, such as `Tilewire <tiles@example.org>`";
        found.add("mail.server", reason.to_owned());
    } else if mail.from.parse::<Mailbox>().is_err() {
        let reason = "is not a sender such as `Tilewire <tiles@example.org>`";
        found.add("mail.from", reason.to_owned());
    }
    let has_password = !mail.password_file.as_os_str().is_empty();
    match (mail.user.is_empty(), has_password) {
        (false, false) => found.add("mail.user", "needs mail.password_file".to_owned()),
        (true, true) => found.add("mail.password_file", "needs mail.user".to_owned()),
        (true, false) | (false, true) => {}
    }
    if !mail.public_url.is_empty() && !is_page(&mail.public_url) {
        let reason = "is not written https://HOST or https://HOST/PATH".to_owned();
        found.add("mail.public_url", reason);
    }
    found.ordered(
        ("mail.retry_ms", mail.retry_ms),
        ("mail.retry_max_ms", mail.retry_max_ms),
    );
}

fn is_page(text: &str) -> bool {
    let Ok(uri) = text.parse::<Uri>() else {
        return false;
    };
    let is_web = matches!(uri.scheme_str(), Some("https" | "http"));
    is_web
        && uri.query().is_none()
        && uri
            .authority()
            .is_some_and(|host| !host.as_str().contains('@'))
}
