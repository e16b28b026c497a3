//! Requests about mail: codes that prove an address, logins and recoveries by code, the address of an account, and the
//! letters that a player wants.

use axum::body::Body;
use axum::http::Response;
use schemars::JsonSchema;
use serde::Deserialize;
use tilewire_people::accounts::Account;
use tilewire_people::codes::{MAIL_CODE_DIGITS, MailPurpose};
use tilewire_people::letters::{Language, LetterChoices};
use tilewire_protocol::ErrorCode;
use tilewire_protocol::http::{self, LetterLanguage};

use super::bodies::{me, signed_in, unknown_value};
use super::call::Call;
use super::input::parsed;
use super::refusal::Refusal;
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::{CodeAsked, MailProof, OwnerProof};
use tilewire_store::Hidden;

/// Asks for a code to a mail address.
#[derive(Deserialize, JsonSchema)]
pub(super) struct MailCodeOrder {
    /// The address, in ASCII.
    #[schemars(length(max = 254))]
    address: String,
    /// The purpose of the code.
    purpose: CodePurpose,
    /// The language of the letter, if the address belongs to no account.
    #[serde(default = "english")]
    language: LetterLanguage,
}

/// The purpose of a code. A code for one purpose proves nothing for another.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CodePurpose {
    /// To register with the address, or to add it to an account.
    Register,
    /// To log in, or to confirm a change of an account that has the address.
    LogIn,
    /// To set a new password.
    Recover,
}

/// A code with its ticket.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "MailProof")]
pub(super) struct MailProofBody {
    /// The ticket of the request for the code.
    #[schemars(length(max = 64))]
    ticket: String,
    /// The digits in the letter. Blanks do not count.
    #[schemars(length(max = 64))]
    code: String,
}

/// Logs a player in by a code.
#[derive(Deserialize, JsonSchema)]
pub(super) struct LogInByMail {
    /// The code to log in.
    mail: MailProofBody,
    /// The program and the machine, for the list of sessions.
    #[serde(default)]
    label: String,
}

/// Sets a new password by a code.
#[derive(Deserialize, JsonSchema)]
pub(super) struct RecoverByMail {
    /// The code to recover.
    mail: MailProofBody,
    /// The new password.
    #[schemars(length(min = 10, max = 128))]
    password: String,
    /// The program and the machine, for the list of sessions.
    #[serde(default)]
    label: String,
}

/// Gives an account another mail address. The proof of the owner is the password or a code to log in.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ChangeMail {
    /// The code to register, for the new address.
    mail: MailProofBody,
    /// The password.
    #[serde(default)]
    password: Option<String>,
    /// A code to log in, for the present address.
    #[serde(default)]
    present: Option<MailProofBody>,
}

/// Takes the mail address away from an account. The proof of the owner is the password or a code to log in.
#[derive(Deserialize, JsonSchema)]
pub(super) struct RemoveMail {
    /// The password.
    #[serde(default)]
    password: Option<String>,
    /// A code to log in, for the present address.
    #[serde(default)]
    present: Option<MailProofBody>,
}

/// Returns the mail address of an account, if it has one.
pub(super) fn mail(account: &Account) -> Option<http::Mail> {
    let mail = account.registration.as_ref()?.mail.as_ref()?;
    Some(http::Mail {
        address: mail.clone(),
        refused: false,
    })
}

/// Returns the letters that a registered player wants.
pub(super) fn letters(account: &Account) -> Option<http::Letters> {
    account.registration.as_ref()?;
    let LetterChoices {
        turn,
        update,
        reminder,
        result,
        invitation,
        language,
    } = account.letters;
    Some(http::Letters {
        turn,
        update,
        reminder,
        result,
        invitation,
        language: match language {
            Language::En => LetterLanguage::En,
            Language::De => LetterLanguage::De,
        },
    })
}

fn choices(letters: &http::Letters) -> Result<LetterChoices, Refusal> {
    Ok(LetterChoices {
        turn: letters.turn,
        update: letters.update,
        reminder: letters.reminder,
        result: letters.result,
        invitation: letters.invitation,
        language: known(letters.language)?,
    })
}

fn known(language: LetterLanguage) -> Result<Language, Refusal> {
    match language {
        LetterLanguage::En => Ok(Language::En),
        LetterLanguage::De => Ok(Language::De),
        LetterLanguage::Unknown => Err(unknown_value("language", LetterLanguage::ALL)),
    }
}

const fn english() -> LetterLanguage {
    LetterLanguage::En
}

impl From<CodePurpose> for MailPurpose {
    fn from(purpose: CodePurpose) -> Self {
        match purpose {
            CodePurpose::Register => Self::Register,
            CodePurpose::LogIn => Self::LogIn,
            CodePurpose::Recover => Self::Recover,
        }
    }
}

impl From<MailProofBody> for MailProof {
    fn from(body: MailProofBody) -> Self {
        Self {
            ticket: Hidden(body.ticket),
            code: Hidden(body.code),
        }
    }
}

/// Sends a code.
pub(super) async fn send_code(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: MailCodeOrder = parsed(&call.body)?;
    let asked = CodeAsked {
        address: asked.address,
        purpose: asked.purpose.into(),
        language: known(asked.language)?,
    };
    let sent = call.people.mail_code(call.from, asked).await?;
    Ok(call.ok(&http::MailTicket {
        ticket: sent.ticket,
        digits: MAIL_CODE_DIGITS,
        expires_at: sent.expires_at.0,
        delayed: sent.is_delayed,
    }))
}

/// Logs a player in by a code.
pub(super) async fn log_in(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: LogInByMail = parsed(&call.body)?;
    let label = call.label(asked.label);
    let mail = asked.mail.into();
    let done = call.people.log_in_by_mail(call.from, mail, &label);
    Ok(call.ok(&signed_in(done.await?)))
}

/// Sets a new password by a code.
pub(super) async fn recover(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: RecoverByMail = parsed(&call.body)?;
    let label = call.label(asked.label);
    let (mail, password) = (asked.mail.into(), asked.password);
    let done = call
        .people
        .recover_by_mail(call.from, mail, password, &label);
    Ok(call.ok(&signed_in(done.await?)))
}

/// Sets the address.
pub(super) async fn change_mail(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: ChangeMail = parsed(&call.body)?;
    let owner = owner(asked.password, asked.present)?;
    let new = asked.mail.into();
    let changed = call.people.change_mail(holder, call.from, new, owner);
    Ok(call.ok(&me(&changed.await?)))
}

/// Removes the address.
pub(super) async fn remove_mail(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: RemoveMail = parsed(&call.body)?;
    let owner = owner(asked.password, asked.present)?;
    let removed = call.people.remove_mail(holder, call.from, owner);
    Ok(call.ok(&me(&removed.await?)))
}

/// Sets the letters that the player wants.
pub(super) async fn choose(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let asked: http::Letters = parsed(&call.body)?;
    let chosen = call.people.choose_letters(holder, choices(&asked)?);
    Ok(call.ok(&me(&chosen.await?)))
}

/// Returns the proof of the owner: one of the two.
fn owner(password: Option<String>, present: Option<MailProofBody>) -> Result<OwnerProof, Refusal> {
    match (password, present) {
        (Some(password), None) => Ok(OwnerProof::Password(password)),
        (None, Some(code)) => Ok(OwnerProof::Code(code.into())),
        (None, None) | (Some(_), Some(_)) => {
            let message = "give either the password or a code for the present address";
            Err(Refusal::field(
                ErrorCode::BadField.as_str(),
                "password",
                message,
            ))
        }
    }
}
