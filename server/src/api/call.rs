//! Each operation: its body, what the accounts do, and the answer.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde::Serialize;

use super::bodies::{
    ChangeHandle, ChangePassword, LogIn, Me, Player, Recover, Register, Sessions, SignedInBody,
};
use super::input::{decoded, parsed};
use super::refusal::Refusal;
use super::routes::{Operation, Route};
use super::{archive, document, json};
use crate::address::ClientAddress;
use crate::history::History;
use crate::identity::Bearer;
use crate::people::{Failure, People, Recovery, Registration};

/// A request that has its token and its body.
pub(super) struct Call<'a> {
    pub(super) people: &'a People,
    pub(super) history: &'a History,
    pub(super) from: ClientAddress,
    pub(super) route: &'static Route,
    pub(super) parameters: Vec<&'a str>,
    /// The part of the URL behind the question mark.
    pub(super) query: &'a str,
    /// The name of the program, if the body has no label.
    pub(super) agent: String,
    pub(super) body: Vec<u8>,
}

impl Call<'_> {
    /// Answers a request that needs no token.
    pub(super) async fn without_token(self) -> Result<Response<Body>, Refusal> {
        match self.route.operation {
            Operation::LogIn => {
                let asked: LogIn = parsed(&self.body)?;
                let label = self.label(asked.label);
                let handle = asked.handle.as_str();
                let done = self
                    .people
                    .log_in(self.from, handle, asked.password, &label)
                    .await?;
                Ok(self.ok(&SignedInBody::from(done)))
            }
            Operation::Recover => {
                let asked: Recover = parsed(&self.body)?;
                let recovery = Recovery {
                    label: self.label(asked.label),
                    handle: asked.handle,
                    code: asked.code,
                    password: asked.password,
                };
                let done = self.people.recover(self.from, recovery).await?;
                Ok(self.ok(&SignedInBody::from(done)))
            }
            Operation::Document => Ok(json(StatusCode::OK, Body::from(document::json()))),
            Operation::Register
            | Operation::LogOut
            | Operation::Sessions
            | Operation::EndSession
            | Operation::EndOtherSessions
            | Operation::ChangePassword
            | Operation::ChangeHandle
            | Operation::Me
            | Operation::Player
            | Operation::Archive
            | Operation::GameResult
            | Operation::Statistics
            | Operation::Ratings
            | Operation::HeadToHead
            | Operation::Leaderboard
            | Operation::Export => Err(Refusal::no_token()),
        }
    }

    /// Answers a request of the holder of a token.
    pub(super) async fn with_token(self, holder: &Bearer) -> Result<Response<Body>, Refusal> {
        let people = self.people;
        match self.route.operation {
            Operation::Register => {
                let asked: Register = parsed(&self.body)?;
                let registration = Registration {
                    label: self.label(asked.label),
                    handle: asked.handle,
                    password: asked.password,
                };
                let done = people.register(holder, self.from, registration).await?;
                Ok(self.ok(&SignedInBody::from(done)))
            }
            Operation::LogOut => {
                people.log_out(holder).await?;
                Ok(self.nothing())
            }
            Operation::Sessions => {
                let account = people.account(holder).await?;
                let (own, now) = (&holder.pass.family, people.now());
                Ok(self.ok(&Sessions::of(&account, own, now)))
            }
            Operation::EndSession => {
                people.end_session(holder, self.parameter(0)).await?;
                Ok(self.nothing())
            }
            Operation::EndOtherSessions => {
                people.end_other_sessions(holder).await?;
                Ok(self.nothing())
            }
            Operation::ChangePassword => {
                let asked: ChangePassword = parsed(&self.body)?;
                let changed = people.change_password(holder, self.from, asked.current, asked.new);
                Ok(self.ok(&Me::from(&changed.await?)))
            }
            Operation::ChangeHandle => {
                let asked: ChangeHandle = parsed(&self.body)?;
                let account = people.change_handle(holder, &asked.handle).await?;
                Ok(self.ok(&Me::from(&account)))
            }
            Operation::Me => Ok(self.ok(&Me::from(&people.account(holder).await?))),
            Operation::Player => {
                let handle = decoded(self.parameter(0))?;
                let account = people.player(&handle).await?;
                let player = Player::of(&account);
                let player = player.ok_or(Failure::UnknownPlayer)?;
                Ok(self.ok(&player))
            }
            Operation::Archive
            | Operation::GameResult
            | Operation::Statistics
            | Operation::Ratings
            | Operation::HeadToHead
            | Operation::Leaderboard
            | Operation::Export => archive::answer(&self, holder).await,
            Operation::LogIn | Operation::Recover | Operation::Document => {
                self.without_token().await
            }
        }
    }

    /// Returns the label of a session: that of the body, or the name of the program.
    fn label(&self, asked: String) -> String {
        if asked.trim().is_empty() {
            self.agent.clone()
        } else {
            asked
        }
    }

    /// Returns a parameter of the path; empty if it has fewer.
    pub(super) fn parameter(&self, number: usize) -> &str {
        self.parameters.get(number).copied().unwrap_or_default()
    }

    pub(super) fn ok(&self, body: &impl Serialize) -> Response<Body> {
        let text = serde_json::to_vec(body).expect("a body is plain data");
        json(self.route.answer.0, Body::from(text))
    }

    fn nothing(&self) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.route.answer.0;
        response
    }
}
