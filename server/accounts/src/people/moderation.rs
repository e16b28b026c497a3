//! Reports of players, and what moderators do about them.

use tilewire_people::accounts::{Account, Actor, Effect, Input, Refusal as AccountRefusal, Role};
use tilewire_people::audit::Entry;
use tilewire_people::conduct::Conduct;
use tilewire_people::handles::Handle;
use tilewire_people::moderation::{
    self, CONTEXT_LINES, ContextLine, Deed, Draft, Order, Reason, Refusal, Restraint, Target,
    hidden_lines, restrained,
};
use tilewire_rules::time::Timestamp;

use super::{Failure, People};
use crate::enforcement::Enforcement;
use crate::identity::Bearer;
use crate::restrictions::LinesHidden;
use tilewire_base::address::ClientAddress;
use tilewire_store::{
    AccountChange, ModerationChange, ModerationError, ReportPosition, StoredAccount, StoredLine,
    StoredReport, StoredRestriction,
};

/// How often an act is computed anew because the account has changed meanwhile.
const ATTEMPTS: usize = 8;

/// A report as a player sends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reporting {
    /// The reported player.
    pub target: Concerned,
    /// The reason.
    pub reason: Reason,
    /// The player's own words.
    pub words: String,
    /// The game that it is about.
    pub game: Option<String>,
    /// The room and the line that it is about.
    pub line: Option<(String, u64)>,
    /// That line and those around it, as far as the player may read them.
    pub context: Vec<StoredLine>,
}

/// An act that a moderator requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Restrict the player until a time; without one, until somebody undoes it.
    Restrain(Restraint, Option<Timestamp>),
    /// Hide lines of a room.
    HideLines(String, Vec<u64>),
    /// Give the player this handle.
    Rename(String),
    /// Close the report without another effect.
    Close,
    /// Take away the points for games that the player left, and end the waiting time.
    Forgive,
}

/// An act that a moderator asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acting {
    /// The player: a handle or an identity. `None`: the reported player of `report`.
    pub player: Option<String>,
    /// The act.
    pub wanted: Wanted,
    /// The reason, which the player reads.
    pub reason: String,
    /// The report that the act closes.
    pub report: Option<u64>,
}

/// A player whom a report or an act concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concerned {
    /// The identity.
    pub identity: String,
    /// The handle; of a guest, the display name.
    pub name: String,
    /// The account, if the player is registered.
    pub account: Option<StoredAccount>,
}

/// An act that is ready to be stored.
struct Act<'a> {
    actor: &'a Actor,
    order: Order,
    /// The new handle.
    handle: Option<Handle>,
    /// The report that it closes.
    closes: Option<u64>,
    /// The entry that it undoes.
    undone: Option<&'a Entry>,
}

impl People {
    /// Returns the restrictions and the connections that they concern.
    #[must_use]
    pub const fn enforcement(&self) -> &Enforcement {
        &self.parts.enforcement
    }

    /// Stores a report and returns its number.
    ///
    /// # Errors
    /// The reason why nothing was stored.
    pub async fn report(
        &self,
        bearer: &Bearer,
        from: ClientAddress,
        asked: Reporting,
    ) -> Result<u64, Failure> {
        let own = self.account(bearer).await?;
        let registration = own.registration.as_ref();
        let registration = registration.ok_or(AccountRefusal::NotRegistered)?;
        let target = asked.target;
        let store = &self.parts.enforcement.store;
        let draft = Draft {
            reporter: own.identity.clone(),
            reporter_name: registration.handle.to_string(),
            target: target.identity,
            target_name: target.name,
            reason: asked.reason,
            words: asked.words,
            game: asked.game,
            line: asked.line,
            context: asked.context.into_iter().map(context_line).collect(),
        };
        let report = draft.check(self.now())?;
        self.limits.report(from)?;
        let number = store.file(report).await?;
        tracing::info!(number, "a player was reported");
        Ok(number)
    }

    /// Returns a line of a room and those around it, whoever may read them.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn lines_around(&self, room: &str, line: u64) -> Result<Vec<StoredLine>, Failure> {
        let store = &self.parts.enforcement.store;
        Ok(store.lines_around(room, line, CONTEXT_LINES).await?)
    }

    /// Returns the display name of an identity, for lists.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn name_of(&self, identity: &str) -> Result<String, Failure> {
        Ok(self.parts.accounts.known_name(identity).await?)
    }

    /// Returns a player of the token as a moderator.
    ///
    /// # Errors
    /// [`AccountRefusal::Forbidden`] when the player has no role that allows it.
    pub async fn moderator(&self, bearer: &Bearer) -> Result<Actor, Failure> {
        let Account {
            identity, roles, ..
        } = self.account(bearer).await?;
        let may = [Role::Moderator, Role::Admin];
        if !may.iter().any(|role| roles.contains(role)) {
            return Err(AccountRefusal::Forbidden.into());
        }
        Ok(Actor::Player { identity, roles })
    }

    /// Returns the player with a handle or an identity.
    ///
    /// # Errors
    /// [`Failure::UnknownPlayer`] when there is none.
    pub async fn concerned(&self, player: &str) -> Result<Concerned, Failure> {
        let by_handle = self.account_of(player).await?;
        let account = match by_handle {
            Some(stored) => Some(stored),
            None => self.parts.store.account(player).await?,
        };
        if let Some(stored) = account {
            let registration = stored.account.registration.as_ref();
            let name = registration
                .ok_or(Failure::UnknownPlayer)?
                .handle
                .to_string();
            return Ok(Concerned {
                identity: stored.account.identity.clone(),
                name,
                account: Some(stored),
            });
        }
        let name = self.parts.accounts.stored_name(player).await?;
        Ok(Concerned {
            identity: player.to_owned(),
            name: name.ok_or(Failure::UnknownPlayer)?,
            account: None,
        })
    }

    /// Returns a page of reports, open ones first.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn reports(
        &self,
        behind: ReportPosition,
        most: usize,
    ) -> Result<Vec<StoredReport>, Failure> {
        Ok(self.parts.enforcement.store.reports(behind, most).await?)
    }

    /// Returns a report.
    ///
    /// # Errors
    /// [`Refusal::UnknownReport`] when there is none.
    pub async fn report_of(&self, number: u64) -> Result<StoredReport, Failure> {
        let found = self.parts.enforcement.store.report(number).await?;
        Ok(found.ok_or(Refusal::UnknownReport)?)
    }

    /// Returns entries of the audit before a number, the newest first; with a target, only its own.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn audit(
        &self,
        target: Option<&str>,
        before: Option<u64>,
        most: usize,
    ) -> Result<Vec<Entry>, Failure> {
        let store = &self.parts.enforcement.store;
        Ok(store.entries(target, before, most).await?)
    }

    /// Returns the restrictions of a player that are in force.
    #[must_use]
    pub fn restrictions_of(&self, identity: &str) -> Vec<StoredRestriction> {
        let now = self.now();
        let mut all = self.parts.enforcement.restrictions.all_of(identity);
        all.retain(|restriction| restriction.until.is_none_or(|until| now < until));
        all
    }

    /// Returns the conduct of a player.
    ///
    /// # Errors
    /// When the storage does not answer.
    pub async fn conduct_of(&self, identity: &str) -> Result<Conduct, Failure> {
        let store = &self.parts.enforcement.store;
        let found = store.conduct(vec![identity.to_owned()]).await?;
        Ok(found
            .first()
            .map_or_else(Conduct::default, |one| one.conduct))
    }

    /// Does what a moderator asks for; returns the number of the entry of the audit.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn act(&self, actor: &Actor, asked: Acting) -> Result<u64, Failure> {
        let report = match asked.report {
            Some(number) => Some(self.report_of(number).await?),
            None => None,
        };
        let target = match (&asked.player, &report) {
            (Some(player), _) => self.concerned(player).await?.identity,
            (None, Some(stored)) => stored.report.target.clone(),
            (None, None) => return Err(Refusal::UnknownReport.into()),
        };
        let mut order = Order {
            deed: Deed::Close,
            reason: asked.reason,
            until: None,
        };
        let mut handle = None;
        match asked.wanted {
            Wanted::Restrain(restraint, until) => {
                order.deed = Deed::Restrain(restraint);
                order.until = until;
            }
            Wanted::HideLines(room, lines) => {
                self.check_lines(&room, &lines, &target).await?;
                order.deed = Deed::HideLines { room, lines };
            }
            Wanted::Rename(wanted) => {
                handle = Some(Handle::parse(&wanted)?);
                order.deed = Deed::Rename;
            }
            Wanted::Close if report.is_none() => return Err(Refusal::UnknownReport.into()),
            Wanted::Close => {}
            Wanted::Forgive => order.deed = Deed::Forgive,
        }
        let act = Act {
            actor,
            order,
            handle,
            closes: asked.report,
            undone: None,
        };
        self.perform(&target, act).await
    }

    /// Undoes the act with a number; returns the number of the new entry of the audit.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn undo(&self, actor: &Actor, number: u64, reason: String) -> Result<u64, Failure> {
        let entry = self.parts.enforcement.store.entry(number).await?;
        let entry = entry.ok_or(Refusal::UnknownAct)?;
        let order = Order {
            deed: moderation::undo(&entry)?,
            reason,
            until: None,
        };
        let act = Act {
            actor,
            order,
            handle: None,
            closes: None,
            undone: Some(&entry),
        };
        self.perform(&entry.action.target, act).await
    }

    /// Checks that a player wrote these lines of a room.
    async fn check_lines(&self, room: &str, lines: &[u64], target: &str) -> Result<(), Failure> {
        if lines.is_empty() || lines.len() > moderation::HIDDEN_MOST {
            return Err(Refusal::BadLines.into());
        }
        for line in lines {
            let found = self.parts.enforcement.store.lines_around(room, *line, 0);
            let found = found.await?;
            if !found.iter().any(|line| line.identity == target) {
                return Err(Refusal::UnknownLine.into());
            }
        }
        Ok(())
    }

    /// Stores an act, and then carries it out.
    async fn perform(&self, target: &str, act: Act<'_>) -> Result<u64, Failure> {
        let enforcement = &self.parts.enforcement;
        let _one_at_a_time = enforcement.restrictions.begin().await;
        for _ in 0..ATTEMPTS {
            let at = self.now();
            let stored = self.parts.store.account(target).await?;
            let role = stored.as_ref().and_then(|one| one.account.highest_role());
            let concerned = Target {
                identity: target.to_owned(),
                role,
            };
            let action = act.order.check(at, act.actor, &concerned)?;
            let account = self.account_after(at, stored, &act).await?;
            let change = ModerationChange {
                at,
                action,
                deed: act.order.deed.clone(),
                account: account.clone(),
                closes: act.closes,
            };
            match enforcement.store.moderate(change).await {
                Ok(number) => {
                    self.carry_out_act(target, &act, account).await;
                    return Ok(number);
                }
                Err(ModerationError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Failure::Busy)
    }

    /// Returns the account of the target after an act, if the act changes it.
    async fn account_after(
        &self,
        at: Timestamp,
        stored: Option<StoredAccount>,
        act: &Act<'_>,
    ) -> Result<Option<AccountChange>, Failure> {
        let (actor, reason) = (act.actor.clone(), act.order.reason.clone());
        let Some(StoredAccount { version, account }) = stored else {
            return match act.order.deed {
                Deed::Rename => Err(AccountRefusal::NotRegistered.into()),
                _ => Ok(None),
            };
        };
        let is_suspended = account.is_suspended(at);
        let input = match (&act.order.deed, &act.handle, act.undone) {
            (Deed::Restrain(Restraint::Suspend), ..) => Input::Suspend {
                actor,
                until: act.order.until,
                reason,
            },
            (Deed::Rename, Some(handle), _) => Input::Rename {
                actor,
                holder: self.holder(&account.identity, handle).await?,
                handle: handle.clone(),
                reason,
            },
            (Deed::Undo(_), _, Some(entry)) if is_suspended && suspends(entry) => {
                Input::Restore { actor, reason }
            }
            _ => return Ok(None),
        };
        Ok(Some(changed(version, account, at, input)?))
    }

    /// Carries out an act that is stored. What fails here is done when the server next looks at the storage.
    async fn carry_out_act(&self, target: &str, act: &Act<'_>, account: Option<AccountChange>) {
        let enforcement = &self.parts.enforcement;
        if let Err(error) = enforcement
            .restrictions
            .reread_now(&*enforcement.store)
            .await
        {
            tracing::warn!(%error, "the restrictions could not be read again");
        }
        let hidden = act.undone.map_or_else(
            || match &act.order.deed {
                Deed::HideLines { room, lines } => Some((room.clone(), lines.clone())),
                _ => None,
            },
            |entry| hidden_lines(&entry.action.action),
        );
        if let Some((room, lines)) = hidden {
            enforcement.restrictions.change_lines(LinesHidden {
                room,
                lines,
                is_hidden: act.undone.is_none(),
            });
        }
        enforcement.carry_out(self.now());
        if let Some(change) = account {
            self.carry_out(&change.account, change.effects);
        }
        tracing::info!(identity = target, deed = ?act.order.deed, "a moderator acted");
    }
}

/// Says whether an entry of the audit suspended its target.
fn suspends(entry: &Entry) -> bool {
    restrained(&entry.action.action) == Some(Restraint::Suspend)
}

/// Returns the change of an account by an input of a moderator, without the entry of the audit: the act has one.
///
/// # Errors
/// The refusal of the account.
pub fn changed(
    version: u64,
    mut account: Account,
    at: Timestamp,
    input: Input,
) -> Result<AccountChange, AccountRefusal> {
    let mut effects = account.handle(at, input)?;
    effects.retain(|effect| !matches!(effect, Effect::Audit(_)));
    Ok(AccountChange {
        expected: version,
        account,
        effects,
        at,
    })
}

fn context_line(line: StoredLine) -> ContextLine {
    ContextLine {
        line: line.line,
        at: line.at,
        identity: line.identity,
        name: line.name,
        text: line.text,
    }
}

impl From<ModerationError> for Failure {
    fn from(error: ModerationError) -> Self {
        match error {
            ModerationError::TooManyReports(until) => Refusal::TooManyReports { until }.into(),
            ModerationError::NoChange => Refusal::NoChange.into(),
            ModerationError::HandleTaken => AccountRefusal::HandleTaken.into(),
            ModerationError::Stale => Self::Busy,
            ModerationError::Store(error) => error.into(),
        }
    }
}
