//! Each operation: its body, what the accounts do, and the answer.

use std::ops::Deref;

use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde::Serialize;

use super::bodies::{
    AskErasure, ChangeHandle, ChangePassword, ConductBody, Confirm, ErasureBody, LogIn, Me,
    NewRecoveryCodes, Player, Players, PlayersQuery, Recover, Register, Sessions, SignedInBody,
    SwitchChat, TakeInvitations,
};
use super::input::{decoded, parsed};
use super::refusal::Refusal;
use super::routes::{Account, Open, Operation, Route};
use super::{
    Services, archive, document, json, letters, moderation, nodes, personal, pushes, query,
    relations, vacations,
};
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::{Failure, MailProof, Recovery, Registration};
use tilewire_base::address::ClientAddress;

/// A request that has its token and its body.
pub(super) struct Call<'a> {
    pub(super) services: Services<'a>,
    pub(super) from: ClientAddress,
    pub(super) route: &'static Route,
    pub(super) parameters: Vec<&'a str>,
    /// The part of the URL behind the question mark.
    pub(super) query: &'a str,
    /// The name of the program, if the body has no label.
    pub(super) agent: String,
    pub(super) body: Vec<u8>,
}

impl<'a> Deref for Call<'a> {
    type Target = Services<'a>;

    fn deref(&self) -> &Services<'a> {
        &self.services
    }
}

impl Call<'_> {
    /// Answers a request, which has the holder of its token if it needs one.
    pub(super) async fn answer(self, holder: Option<&Bearer>) -> Result<Response<Body>, Refusal> {
        match (self.route.operation, holder) {
            (Operation::Open(operation), _) => self.open(operation).await,
            (Operation::Admin(_), _) | (_, None) => Err(Refusal::no_token()),
            (Operation::Account(operation), Some(holder)) => self.account(operation, holder).await,
            (Operation::Relations(operation), Some(holder)) => {
                relations::answer(&self, operation, holder).await
            }
            (Operation::Letters(operation), Some(holder)) => {
                letters::answer(&self, operation, holder).await
            }
            (Operation::Pushes(operation), Some(holder)) => {
                pushes::answer(&self, operation, holder).await
            }
            (Operation::Games(operation), Some(holder)) => {
                archive::answer(&self, operation, holder).await
            }
            (Operation::Moderation(operation), Some(holder)) => {
                moderation::answer(&self, operation, holder).await
            }
        }
    }

    /// Answers a request that needs no token.
    pub(super) async fn open(self, operation: Open) -> Result<Response<Body>, Refusal> {
        match operation {
            Open::LogIn => {
                let asked: LogIn = parsed(&self.body)?;
                let label = self.label(asked.label);
                let handle = asked.handle.as_str();
                let done = self
                    .people
                    .log_in(self.from, handle, asked.password, &label)
                    .await?;
                Ok(self.ok(&SignedInBody::from(done)))
            }
            Open::Recover => {
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
            Open::MailCode => letters::send_code(&self).await,
            Open::LogInByMail => letters::log_in(&self).await,
            Open::RecoverByMail => letters::recover(&self).await,
            Open::Document => Ok(json(StatusCode::OK, Body::from(document::json()))),
        }
    }

    /// Answers a request of the holder of a token about an account.
    pub(super) async fn account(
        self,
        operation: Account,
        holder: &Bearer,
    ) -> Result<Response<Body>, Refusal> {
        let people = self.people;
        match operation {
            Account::Register => self.register(holder).await,
            Account::LogOut => {
                people.log_out(holder).await?;
                Ok(self.nothing())
            }
            Account::Sessions => {
                let account = people.account(holder).await?;
                let (own, now) = (&holder.pass.family, people.now());
                Ok(self.ok(&Sessions::of(&account, own, now)))
            }
            Account::EndSession => {
                people.end_session(holder, self.parameter(0)).await?;
                Ok(self.nothing())
            }
            Account::EndOtherSessions => {
                people.end_other_sessions(holder).await?;
                Ok(self.nothing())
            }
            Account::ChangePassword => {
                let asked: ChangePassword = parsed(&self.body)?;
                let changed = people.change_password(holder, self.from, asked.current, asked.new);
                Ok(self.ok(&Me::from(&changed.await?)))
            }
            Account::ReplaceRecoveryCodes => {
                let asked: Confirm = parsed(&self.body)?;
                let replaced = people.replace_recovery_codes(holder, self.from, asked.password);
                let (account, recovery_codes) = replaced.await?;
                Ok(self.ok(&NewRecoveryCodes {
                    me: Me::from(&account),
                    recovery_codes,
                }))
            }
            Account::ChangeHandle => {
                let asked: ChangeHandle = parsed(&self.body)?;
                let account = people.change_handle(holder, &asked.handle).await?;
                nodes::tell_of_name(self.relay, &account.identity).await;
                Ok(self.ok(&Me::from(&account)))
            }
            Account::TakeInvitations => self.take_invitations(holder).await,
            Account::SwitchChat => self.switch_chat(holder).await,
            Account::Vacation => vacations::show(&self, holder).await,
            Account::TakeVacation => vacations::take(&self, holder).await,
            Account::EndVacation => vacations::end(&self, holder).await,
            Account::Export => personal::export(&self, holder).await,
            Account::AskErasure => self.ask_erasure(holder).await,
            Account::TakeBackErasure => {
                people.keep(holder).await?;
                Ok(self.nothing())
            }
            Account::Me => self.me(holder).await,
            Account::Search => {
                let asked: PlayersQuery = query::parsed(self.query)?;
                let found = people.search(asked.checked()?).await?;
                let players = found.iter().filter_map(Player::of).collect();
                Ok(self.ok(&Players { players }))
            }
            Account::Player => {
                let handle = decoded(self.parameter(0))?;
                let account = people.player(&handle).await?;
                let player = Player::of(&account).ok_or(Failure::UnknownPlayer)?;
                let relation = people.relation(holder, &account).await?;
                Ok(self.ok(&player.seen_by(relation)))
            }
        }
    }

    async fn register(self, holder: &Bearer) -> Result<Response<Body>, Refusal> {
        let asked: Register = parsed(&self.body)?;
        let registration = Registration {
            label: self.label(asked.label),
            handle: asked.handle,
            password: asked.password,
            mail: asked.mail.map(MailProof::from),
            is_bot: asked.bot,
        };
        let registered = self.people.register(holder, self.from, registration);
        let registered = registered.await?;
        nodes::tell_of_name(self.relay, &registered.account.identity).await;
        Ok(self.ok(&SignedInBody::from(registered)))
    }

    async fn ask_erasure(&self, holder: &Bearer) -> Result<Response<Body>, Refusal> {
        let asked: AskErasure = parsed(&self.body)?;
        let wish = self.people.ask_erasure(holder, &asked.handle).await?;
        Ok(self.ok(&ErasureBody::from(wish)))
    }

    async fn me(&self, holder: &Bearer) -> Result<Response<Body>, Refusal> {
        let account = self.people.account(holder).await?;
        let mut me = Me::from(&account);
        if account.registration.is_some() {
            let conduct = self.people.conduct_of(&account.identity).await?;
            let restrictions = self.people.restrictions_of(&account.identity);
            me.conduct = Some(ConductBody::of(conduct, &restrictions));
            let mailbox = self.people.mailbox(&account.identity).await?;
            me.mail = me.mail.map(|mail| mail.seen_with(mailbox.as_ref()));
        }
        let wish = self.people.erasure(holder).await?;
        me.erased_at = wish.map(|wish| wish.due_at.0);
        Ok(self.ok(&me))
    }

    async fn take_invitations(&self, holder: &Bearer) -> Result<Response<Body>, Refusal> {
        let asked: TakeInvitations = parsed(&self.body)?;
        let taken = self.people.take_invitations(holder, asked.from.into());
        Ok(self.ok(&Me::from(&taken.await?)))
    }

    async fn switch_chat(&self, holder: &Bearer) -> Result<Response<Body>, Refusal> {
        let asked: SwitchChat = parsed(&self.body)?;
        let switched = self.people.switch_chat(holder, asked.enabled);
        Ok(self.ok(&Me::from(&switched.await?)))
    }

    /// Returns the label of a session: that of the body, or the name of the program.
    pub(super) fn label(&self, asked: String) -> String {
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

    pub(super) fn nothing(&self) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.route.answer.0;
        response
    }
}
