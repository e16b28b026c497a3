//! The operator's test: one letter to an address, and the step at which it fails.

use anyhow::{Context, bail};
use tilewire_people::letters::{Address, Language};

use super::compose::{About, Envelope, Links, domain_of, message_id, parcel, words};
use super::start::post;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_config::MailConfig;

/// Sends a test letter to an address; returns what there is to say.
///
/// # Errors
/// Names the step that failed, and what the mail server said.
pub fn trial(config: &MailConfig, address: &Address) -> anyhow::Result<String> {
    if !config.is_on() {
        bail!("there is no mail server: set mail.server");
    }
    let (from, post) = post(config)?;
    // A test is another letter each time.
    let key = format!("test/{}", Ids::system().token_family());
    let id = message_id(&key, domain_of(&from));
    let body = words(&About::Test, None, Language::En);
    let envelope = Envelope {
        from: &from,
        to: address.as_str(),
        id: &id,
        at: ServerClock::system().now(),
    };
    let links = Links {
        page: config.page().map(|page| format!("{page}/")),
        ..Links::default()
    };
    let parcel = parcel(envelope, &body, None, &links)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let sent = runtime.block_on(post.send(&parcel));
    sent.with_context(|| format!("{} did not take the letter", config.server))?;
    Ok(format!(
        "{} has taken a letter to {address}, {id}; look for it there\n",
        config.server
    ))
}
