//! Runs the application: executes its effects, and returns its reports.

use std::collections::VecDeque;

use anyhow::Result;
use tilewire_protocol::{Codec, Token, causes};
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::clock::Clock;
use super::profile::Profile;
use super::socket::Socket;
use crate::account::Endpoint;
use crate::app::{App, Complaint, Effect, Input, REPORTS_AT_ONCE, Report};
use crate::people;
use crate::reporting::ReportOrder;

/// The application with its connection, clock and profile.
#[derive(Debug)]
pub(super) struct Driver {
    pub(super) app: App,
    pub(super) clock: Clock,
    profile: Profile,
    url: String,
    codec: Codec,
    socket: Option<Socket>,
    /// The outcomes of reports of players, from the threads that send them.
    sent: mpsc::Receiver<Complaint>,
    outcome: mpsc::Sender<Complaint>,
    exit: Option<u8>,
}

impl Driver {
    pub(super) fn new(app: App, profile: Profile, url: String, codec: Codec) -> Self {
        let (outcome, sent) = mpsc::channel(REPORTS_AT_ONCE);
        Self {
            app,
            clock: Clock::start(),
            profile,
            url,
            codec,
            socket: None,
            sent,
            outcome,
            exit: None,
        }
    }

    /// The address of the server.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The profile with the identity.
    pub(super) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The exit status, once the application has ended.
    pub(super) fn exit(&self) -> Option<u8> {
        self.exit
    }

    /// Waits for the connection, the outcome of a report or the next deadline. Cancel-safe.
    pub(super) async fn next(&mut self) -> Input {
        let deadline = self.app.deadline();
        let clock = self.clock;
        let socket = async {
            match &mut self.socket {
                Some(socket) => socket.next().await,
                None => std::future::pending().await,
            }
        };
        let due = async {
            match deadline {
                Some(at) => sleep(clock.until(at)).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            input = socket => input.unwrap_or(Input::Tick),
            Some(complaint) = self.sent.recv() => Input::Reported(complaint),
            () = due => Input::Tick,
        }
    }

    /// Passes an input to the application, executes the effects, and returns the reports.
    ///
    /// # Errors
    /// Returns an error if the token cannot be stored.
    pub(super) async fn handle(&mut self, input: Input) -> Result<Vec<Report>> {
        if matches!(input, Input::Lost(_)) {
            self.socket = None;
        }
        let mut reports = Vec::new();
        let mut effects = VecDeque::from(self.app.handle(self.clock.now(), input));
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Connect => self.socket = Some(Socket::open(&self.url, self.codec)),
                Effect::Send(id, message) => {
                    if let Some(socket) = &self.socket {
                        socket.send(id, *message);
                    }
                }
                Effect::KeepToken(token) => self.profile.keep(token)?,
                Effect::ReadToken => {
                    let kept = Input::Kept(self.profile.token()?);
                    effects.extend(self.app.handle(self.clock.now(), kept));
                }
                Effect::Report(report) => reports.push(report),
                Effect::SendReport(order) => self.send_report(*order)?,
                Effect::Exit(status) => self.exit = Some(status),
            }
        }
        Ok(reports)
    }

    /// Sends a report of a player in a thread of its own: requests over HTTP block.
    fn send_report(&self, order: ReportOrder) -> Result<()> {
        let (server, token) = (self.url.clone(), self.profile.token()?);
        let outcome = self.outcome.clone();
        tokio::task::spawn_blocking(move || {
            let complaint = sent(&server, token, &order);
            // The program has ended if nobody takes it.
            drop(outcome.blocking_send(complaint));
        });
        Ok(())
    }

    /// Closes the connection.
    pub(super) async fn close(self) {
        if let Some(socket) = self.socket {
            socket.close().await;
        }
    }
}

/// Sends a report of a player, and waits for the outcome.
fn sent(server: &str, token: Option<Token>, order: &ReportOrder) -> Complaint {
    let endpoint = Endpoint {
        server,
        token,
        as_json: false,
    };
    let sent = people::send_report(&endpoint, order);
    Complaint {
        player: order.name.clone(),
        number: sent.as_ref().ok().copied(),
        message: sent.err().map(|error| causes(error.as_ref())),
    }
}
