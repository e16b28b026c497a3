//! Webhooks of a simulation: the tasks that write events and deliver them, and the programs behind the webhooks.

use std::sync::Arc;

use tilewire_base::slow_work::SlowWork;
use tilewire_courier::{Endpoint, WebhookParts, start_webhooks_with};
use tilewire_server::app::App;
use tilewire_store::OutboxStore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::World;
use crate::simulation::receiving::SECRETS;
use crate::simulation::scenario;
use crate::simulation::steps::WebhookNews;

impl World {
    /// Tells the auditor of the webhooks, in runs that have any.
    pub(super) fn plan_webhooks(&mut self) {
        self.auditor.posts(&self.scenario.config.webhooks, SECRETS);
    }

    /// Begins with the webhooks, as a server does before it starts.
    pub(super) async fn begin_webhooks(&self) {
        let targets = self.scenario.config.webhooks.targets.iter();
        let names = targets.map(|target| target.name.clone()).collect();
        let begun = self.disk.stores().begin_webhooks(names).await;
        begun.expect("the disk never refuses it");
    }

    /// Lets the courier write and deliver events until the runtime ends, in runs that have webhooks.
    pub(super) fn send_webhooks(&self, app: &App) {
        let config = &self.scenario.config.webhooks;
        if config.targets.is_empty() {
            return;
        }
        let disk = &self.disk;
        let parts = WebhookParts {
            store: disk.stores(),
            journal: disk.stores_beside(),
            catalogue: scenario::catalogue(),
            clock: app.connection_services().clock.clone(),
            slow_work: SlowWork::InPlace,
        };
        let receivers = self.outside.receivers.iter();
        let endpoints = receivers.map(|receiver| {
            let endpoint: Arc<dyn Endpoint> = Arc::clone(receiver) as _;
            (SECRETS.to_owned(), endpoint)
        });
        let (tracker, stop) = (TaskTracker::new(), CancellationToken::new());
        let started = start_webhooks_with(config, endpoints.collect(), parts, &tracker, &stop);
        started.expect("these are secrets");
    }

    /// Processes the steps of events for webhooks.
    pub(super) fn hear_webhooks(&mut self) {
        for step in self.disk.take_webhook_steps() {
            if let WebhookNews::Posted {
                delivery, is_taken, ..
            } = &step.what
            {
                let content = delivery.content.as_bytes();
                self.trace
                    .note(self.now, "event", u64::from(*is_taken), content);
            }
            self.trace.say(self.now, || format!("{step:?}"));
            self.disk
                .look(|durable| self.auditor.webhook(&step, durable));
        }
    }
}
