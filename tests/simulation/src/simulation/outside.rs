//! The outside services of a simulated server: a mail server, and the programs behind webhooks.

use std::sync::Arc;

use tilewire_config::WebhooksConfig;

use super::disk::Disk;
use super::post::Post;
use super::receiving::{NAMES, Receiving};

/// All of them. They outlive every server.
#[derive(Debug)]
pub(super) struct Outside {
    pub(super) post: Arc<Post>,
    /// In the order of the settings.
    pub(super) receivers: Vec<Arc<Receiving>>,
}

impl Outside {
    pub(super) fn new(seed: u64, webhooks: &WebhooksConfig, disk: &Arc<Disk>) -> Self {
        let names = NAMES.into_iter();
        let receivers = names.map(|name| Receiving::new(seed, name, webhooks.step_ms, disk));
        Self {
            post: Post::new(seed, disk),
            receivers: receivers.collect(),
        }
    }

    /// From here on nothing fails.
    pub(super) fn behave(&self) {
        self.post.behave();
        for receiver in &self.receivers {
            receiver.behave();
        }
    }
}
