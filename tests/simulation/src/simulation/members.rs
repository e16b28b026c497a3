//! Simulated people with accounts: they register, log in on other machines, end sessions, recover, and try what has ended.

use std::net::IpAddr;

use data_encoding::BASE64URL_NOPAD;
use tilewire_accounts::people::{Failure, People, Recovery, Registration, SignedIn};
use tilewire_base::address::ClientAddress;
use tilewire_people::accounts::{Account, Input, NewRegistration, NewSession, Refusal};
use tilewire_people::codes::{RECOVERY_RANDOM, RecoveryCodes};
use tilewire_people::handles::Handle;
use tilewire_people::invitations::InvitationsFrom;
use tilewire_people::passwords::PasswordHash;
use tilewire_people::relations::Act as RelationAct;
use tilewire_protocol::{ErrorCode, Token};
use tilewire_rules::time::Timestamp;
use tilewire_store::AccountChange;

use super::chance::Chance;
use super::manner::Act;
use super::person::Person;
use super::relating::{Order, moderate, relate};

/// The password of everybody at first.
pub(super) const PASSWORD: &str = "seven crooked lanterns";
/// Its hash, made as cheaply as it can be: the stored hash says how it is computed.
const HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$YSBzaW11bGF0ZWQgc2FsdA$Qh2cwlfn3et2fevdz1SP5owT3LEPB1oFGfaM6xlsL1M";
/// A password of nobody.
const WRONG: &str = "nine borrowed ladders";
/// The password after a recovery.
const RECOVERED: &str = "eleven damp umbrellas";
/// Handles that do not clash.
const HANDLES: [&str; 16] = [
    "Anna", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jack", "Kim", "Leo", "Mia",
    "Ned", "Olga", "Pia",
];
/// The first handles, which most simulations have: those that people invite.
const INVITED: usize = 6;
/// Sessions that a person keeps.
const SESSIONS: usize = 3;

/// The account state of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Without an account.
    Guest,
    /// With an account from before.
    Member,
    /// A guest who registers.
    Newcomer,
}

/// A request about an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Registers the guest with this token.
    Register(String),
    /// Logs in with this password.
    LogIn(String),
    /// Recovers with this code, and sets this password.
    Recover(String, String),
    /// Ends the session of this token.
    LogOut(String),
    /// With the first token, ends the session of the second.
    End(String, String),
    /// Ends all sessions but that of this token.
    EndOthers(String),
    /// With this token, chooses the players that may invite.
    TakeInvitations(String, InvitationsFrom),
    /// With this token, follows or blocks the player with this handle, or does so no longer.
    Relate(String, RelationAct, &'static str),
    /// With this token, begins a vacation of a day, or ends it.
    Vacation(String, bool),
    /// With this token, acts as a moderator.
    Moderate(String, Order),
}

/// The answer to a request about an account.
pub type AccountAnswer = Result<Option<SignedIn>, Failure>;

/// The account of a person, as far as the person knows.
#[derive(Debug)]
pub struct Member {
    handle: &'static str,
    password: String,
    /// Perhaps this is the password.
    other: Option<String>,
    codes: Vec<String>,
    /// Tokens of sessions, and of those that have ended.
    sessions: Vec<String>,
    ended: Vec<String>,
    is_registered: bool,
    /// The request without an answer.
    asked: Option<Ask>,
    asks_at: i64,
}

impl Member {
    /// Returns the account of a person, and how it is stored if it exists before. The identity is that of the person then.
    #[must_use]
    pub fn new(
        person: usize,
        kind: Kind,
        identity: &str,
        random: &[u8; RECOVERY_RANDOM],
    ) -> (Self, Option<AccountChange>) {
        let handle = HANDLES[person % HANDLES.len()];
        let (codes, recovery) = RecoveryCodes::generate(identity, random);
        let is_registered = kind == Kind::Member;
        let member = Self {
            handle,
            password: PASSWORD.to_owned(),
            other: None,
            codes: if is_registered { codes } else { Vec::new() },
            sessions: Vec::new(),
            ended: Vec::new(),
            is_registered,
            asked: None,
            asks_at: 0,
        };
        (
            member,
            is_registered.then(|| stored(identity, handle, recovery)),
        )
    }

    /// Returns the handle.
    #[must_use]
    pub const fn handle(&self) -> &'static str {
        self.handle
    }

    /// Returns whether the person knows to be registered.
    #[must_use]
    pub const fn is_registered(&self) -> bool {
        self.is_registered
    }

    /// The machine has forgotten a request that was not answered.
    pub(super) fn was_forgotten(&mut self) {
        if let Some(Ask::Recover(_, password)) = self.asked.take() {
            self.other = Some(password);
        }
    }

    /// A request was answered.
    pub(super) fn was_told(&mut self, told: &AccountAnswer) {
        let Some(ask) = self.asked.take() else {
            return;
        };
        match told {
            Ok(Some(signed_in)) => self.signed_in(&ask, signed_in),
            Ok(None) => match &ask {
                Ask::LogOut(gone) | Ask::End(_, gone) => self.end(|token| token == gone),
                Ask::EndOthers(by) => self.end(|token| token != by),
                Ask::Register(_)
                | Ask::LogIn(_)
                | Ask::Recover(..)
                | Ask::TakeInvitations(..)
                | Ask::Relate(..)
                | Ask::Vacation(..)
                | Ask::Moderate(..) => {}
            },
            Err(failure) => self.failed(&ask, failure),
        }
    }

    fn signed_in(&mut self, ask: &Ask, signed_in: &SignedIn) {
        match ask {
            Ask::Recover(_, password) => {
                self.end(|_| true);
                self.password.clone_from(password);
                self.other = None;
            }
            Ask::Register(_) => self.codes.clone_from(&signed_in.recovery_codes),
            _ => {}
        }
        self.is_registered = true;
        self.sessions.push(signed_in.issued.token.clone());
    }

    fn failed(&mut self, ask: &Ask, failure: &Failure) {
        match (ask, failure) {
            // The answer to an earlier registration was lost.
            (
                Ask::Register(_),
                Failure::Refused(Refusal::AlreadyRegistered) | Failure::Token(_),
            ) => {
                self.is_registered = true;
            }
            (Ask::LogIn(typed), Failure::Refused(Refusal::BadCredentials)) if typed != WRONG => {
                if let Some(other) = &mut self.other {
                    std::mem::swap(&mut self.password, other);
                }
            }
            (Ask::Recover(_, password), Failure::Storage | Failure::Busy) => {
                self.other = Some(password.clone());
            }
            (
                Ask::LogOut(by)
                | Ask::End(by, _)
                | Ask::EndOthers(by)
                | Ask::TakeInvitations(by, _)
                | Ask::Relate(by, ..)
                | Ask::Vacation(by, _)
                | Ask::Moderate(by, _),
                Failure::Token(_) | Failure::Refused(Refusal::SessionEnded),
            ) => self.refused(by, failure_code(failure)),
            (Ask::End(_, gone), Failure::Refused(Refusal::NoSuchSession)) => {
                self.sessions.retain(|token| token != gone);
            }
            _ => {}
        }
    }

    fn end(&mut self, ends: impl Fn(&String) -> bool) {
        let ended = self.sessions.extract_if(.., |token| ends(token));
        self.ended.extend(ended);
    }

    /// The server has refused a token.
    pub(super) fn refused(&mut self, token: &str, code: ErrorCode) {
        // The sessions of a suspended player have ended.
        if matches!(code, ErrorCode::BadToken | ErrorCode::Revoked) {
            self.sessions.retain(|own| own != token);
        }
    }

    /// Asks something with the token of a session, unless there is none or another request waits for its answer.
    pub(super) fn begin(
        &mut self,
        chance: &mut Chance,
        ask: impl FnOnce(String) -> Ask,
    ) -> Option<Ask> {
        if self.asked.is_some() || self.sessions.is_empty() {
            return None;
        }
        let ask = ask(chance.pick(&self.sessions).clone());
        self.asked = Some(ask.clone());
        Some(ask)
    }

    /// Chooses a token to connect with: sometimes one whose session has ended.
    fn token(&self, chance: &mut Chance) -> Option<Token> {
        let from = match chance.one_in(4) && !self.ended.is_empty() {
            true => &self.ended,
            false => &self.sessions,
        };
        (!from.is_empty()).then(|| Token(chance.pick(from).clone()))
    }

    /// Returns what the person does next about the account, if anything.
    fn ask(&mut self, now: i64, guest: Option<&Token>, chance: &mut Chance) -> Option<Ask> {
        if self.asked.is_some() || now < self.asks_at {
            return None;
        }
        self.asks_at = now + chance.ms(2_000, 50_000);
        let ask = if !self.is_registered {
            Ask::Register(guest?.as_str().to_owned())
        } else if self.sessions.is_empty() {
            self.asks_at = now + chance.ms(500, 4_000);
            let is_wrong = chance.one_in(12);
            let password: &str = if is_wrong { WRONG } else { &self.password };
            Ask::LogIn(password.to_owned())
        } else {
            let by = chance.pick(&self.sessions).clone();
            let other = chance.pick(&self.sessions).clone();
            match chance.below(10) {
                0..=3 if self.sessions.len() < SESSIONS => Ask::LogIn(self.password.clone()),
                4 | 5 => Ask::LogOut(by),
                6 => Ask::End(by, other),
                7 => Ask::EndOthers(by),
                9 => {
                    let settings = [InvitationsFrom::Anybody, InvitationsFrom::Nobody];
                    Ask::TakeInvitations(by, *chance.pick(&settings))
                }
                // A recovery costs as much time as a hundred other requests.
                8 if !self.codes.is_empty() && chance.one_in(6) => {
                    let left = self.codes.len();
                    let code = self.codes.swap_remove(chance.index(left));
                    Ask::Recover(code, format!("{RECOVERED} {left}"))
                }
                _ => return None,
            }
        };
        self.asked = Some(ask.clone());
        Some(ask)
    }
}

fn failure_code(failure: &Failure) -> ErrorCode {
    match failure {
        Failure::Token(body) => body.code,
        _ => ErrorCode::BadToken,
    }
}

/// How an account is stored that was there before the simulation.
fn stored(identity: &str, handle: &str, recovery: RecoveryCodes) -> AccountChange {
    let at = Timestamp(0);
    let mut account = Account::guest(identity, at);
    let handle = Handle::parse(handle).expect("a usual handle");
    let hash = serde_json::Value::from(HASH);
    let password: PasswordHash = serde_json::from_value(hash).expect("it is a text");
    let session = NewSession {
        family: format!("before-{identity}"),
        label: "before".to_owned(),
    };
    let new = NewRegistration {
        handle,
        is_bot: false,
        password: Some(password),
        recovery,
        mail: None,
    };
    let input = Input::Register {
        new,
        holder: None,
        guest: None,
        session,
    };
    let effects = account.handle(at, input).expect("nothing is in the way");
    AccountChange {
        expected: 0,
        account,
        effects,
        at,
    }
}

/// Returns the family of tokens that a token belongs to, as its claims say.
#[must_use]
pub fn family_of(token: &str) -> Option<String> {
    let claims = token.split('.').nth(1)?;
    let claims = BASE64URL_NOPAD.decode(claims.as_bytes()).ok()?;
    let claims: serde_json::Value = serde_json::from_slice(&claims).ok()?;
    Some(claims["fam"].as_str()?.to_owned())
}

/// Returns the address of a person.
///
/// # Panics
/// When there are more people than addresses.
#[must_use]
pub fn address(person: usize) -> ClientAddress {
    let host = u8::try_from(person).expect("few people");
    ClientAddress::from(IpAddr::from([192, 0, 2, host]))
}

/// Asks the server about an account.
///
/// # Errors
/// Those of the server.
pub async fn perform(people: &People, person: usize, handle: &str, ask: Ask) -> AccountAnswer {
    let (from, label) = (address(person), "simulation");
    match ask {
        Ask::Register(token) => {
            let bearer = people.bearer(&token).await?;
            let asked = Registration {
                handle: handle.to_owned(),
                password: Some(PASSWORD.to_owned()),
                mail: None,
                is_bot: false,
                label: label.to_owned(),
            };
            people.register(&bearer, from, asked).await.map(Some)
        }
        Ask::LogIn(password) => {
            let signed_in = people.log_in(from, handle, password, label).await;
            signed_in.map(Some)
        }
        Ask::Recover(code, password) => {
            let asked = Recovery {
                handle: handle.to_owned(),
                code,
                password,
                label: label.to_owned(),
            };
            people.recover(from, asked).await.map(Some)
        }
        Ask::LogOut(by) => {
            let bearer = people.bearer(&by).await?;
            people.log_out(&bearer).await.map(|()| None)
        }
        Ask::End(by, other) => {
            let bearer = people.bearer(&by).await?;
            let family = family_of(&other).unwrap_or_default();
            people.end_session(&bearer, &family).await.map(|()| None)
        }
        Ask::EndOthers(by) => {
            let bearer = people.bearer(&by).await?;
            people.end_other_sessions(&bearer).await.map(|()| None)
        }
        Ask::TakeInvitations(by, from) => {
            let bearer = people.bearer(&by).await?;
            let taken = people.take_invitations(&bearer, from).await;
            taken.map(|_| None)
        }
        Ask::Relate(by, act, handle) => {
            let related = relate(people, &by, act, handle).await;
            related.map(|()| None)
        }
        Ask::Vacation(by, begins) => {
            let bearer = people.bearer(&by).await?;
            let changed = match begins {
                true => people.take_vacation(&bearer, 1).await,
                false => people.end_vacation(&bearer).await,
            };
            changed.map(|_| None)
        }
        Ask::Moderate(by, order) => moderate(people, &by, order).await.map(|()| None),
    }
}

/// Returns a handle that somebody may have.
pub(super) fn some_handle(chance: &mut Chance) -> &'static str {
    HANDLES[chance.index(INVITED)]
}

impl Person {
    /// Returns whether the person can take part in rated games.
    #[must_use]
    pub fn is_registered(&self) -> bool {
        self.member.as_ref().is_some_and(Member::is_registered)
    }

    /// Sees to the account. Returns whether there is a session, or no account to log in to.
    pub(super) fn sees_to_account(
        &mut self,
        now: i64,
        chance: &mut Chance,
        acts: &mut Vec<Act>,
    ) -> bool {
        let Some(member) = &mut self.member else {
            return true;
        };
        if let Some(ask) = member.ask(now, self.token.as_ref(), chance) {
            acts.push(Act::Ask(ask));
        }
        !member.is_registered || !member.sessions.is_empty()
    }

    /// Chooses the token of the next connection.
    pub(super) fn choose_token(&mut self, chance: &mut Chance) {
        let registered = self.member.as_ref().filter(|member| member.is_registered);
        if let Some(member) = registered {
            self.token = member.token(chance);
        }
    }
}
