//! Accounts: `tilewire register`, `login`, `recover`, `logout`, `password`, `recovery-codes`, `handle`, `sessions`,
//! `account` and `profile`, over the server's HTTP API.

pub(crate) mod api;
mod mail;
mod password;
mod personal;
mod push;
mod settings;
pub(crate) mod show;
mod vacation;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;
use tilewire_protocol::Token;
use tilewire_protocol::http::{Me, NewRecoveryCodes, PasswordChanged, Player, Sessions, SignedIn};

use api::Api;
pub use mail::{Language, LetterKind, MailSetting};
pub use push::{PushKind, PushSetting};
pub use settings::{Setting, SettingsArgs};

/// A task with an account.
#[derive(Debug, Subcommand)]
pub enum AccountTask {
    /// Register: choose a username and a password, and keep your games
    Register {
        /// The account
        #[command(flatten)]
        account: SignInArgs,
        /// The account is a bot: its rated games are in bot pools. This cannot be changed later
        #[arg(long)]
        bot: bool,
        /// Your email, for notifications about games; a code is sent there. From stdin, the code follows the password
        #[arg(long, value_name = "ADDRESS")]
        mail: Option<String>,
    },
    /// Sign in; this profile's guest identity comes back when you sign out. With an email instead of the username, a
    /// code is sent there, and you need no password
    Login(SignInArgs),
    /// Set a new password with a recovery code, and sign in; you are signed out everywhere else. With an email instead
    /// of the username, a code is sent there
    Recover(SignInArgs),
    /// Sign out of this profile
    Logout,
    /// Change your password; you are signed out everywhere else
    Password {
        /// Read the current and the new password from stdin, one on each line
        #[arg(long)]
        password_stdin: bool,
    },
    /// Get new recovery codes; the old ones stop working
    RecoveryCodes {
        /// Read the password from stdin
        #[arg(long)]
        password_stdin: bool,
    },
    /// Change your username; once every 30 days
    Handle {
        /// The new username
        #[arg(value_name = "USERNAME")]
        handle: String,
    },
    /// List where you are signed in
    Sessions(SessionsArgs),
    /// Show or change your account settings, download your data, or delete the account
    Account(SettingsArgs),
    /// Show your account, or a player
    Profile {
        /// The username of a player; without it, your own account
        #[arg(value_name = "NAME")]
        player: Option<String>,
    },
}

/// Flags of `register`, `login` and `recover`.
#[derive(Debug, Clone, Args)]
pub struct SignInArgs {
    /// The username; for `login` and `recover`, or your email
    #[arg(value_name = "USERNAME")]
    pub handle: String,
    /// Read secrets from stdin, one on each line: the password; for `recover` and with an email, the code first
    #[arg(long)]
    pub password_stdin: bool,
    /// The name of this machine in your list of sessions
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
}

impl SignInArgs {
    /// Says whether the user has given a mail address. No username has an `@`.
    fn is_address(&self) -> bool {
        self.handle.contains('@')
    }
}

/// Flags of `sessions`.
#[derive(Debug, Clone, Args)]
pub struct SessionsArgs {
    /// A task other than listing.
    #[command(subcommand)]
    pub task: Option<SessionsTask>,
}

/// A task with sessions.
#[derive(Debug, Clone, Subcommand)]
pub enum SessionsTask {
    /// Sign out a session, or all other sessions
    Revoke {
        /// The id of the session in the list, or `all`
        #[arg(value_name = "ID|all")]
        session: String,
    },
}

/// The server, and the token of the profile there.
#[derive(Debug, Clone)]
pub struct Endpoint<'a> {
    /// The address of the WebSocket.
    pub server: &'a str,
    /// The token, if the profile has one.
    pub token: Option<Token>,
    /// Whether to write JSON.
    pub as_json: bool,
}

/// The effect of a command on the token of the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewToken {
    /// It stays.
    Keep,
    /// That of an account replaces it.
    LogIn {
        /// The token of the account.
        token: Token,
        /// The token of a guest to return to.
        guest: Option<Token>,
    },
    /// It is removed: the session has ended.
    LogOut,
}

/// Does a task and writes the result.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses, or if there is no password.
pub fn run(task: &AccountTask, endpoint: &Endpoint<'_>) -> Result<NewToken> {
    let is_login = matches!(task, AccountTask::Login(_) | AccountTask::Recover(_));
    if endpoint.token.is_none() && !is_login {
        bail!("this profile has no identity on the server; sign in first: tilewire login USERNAME");
    }
    let api = Api::new(endpoint);
    let as_json = endpoint.as_json;
    match task {
        AccountTask::Register { account, bot, mail } => {
            let secrets = password::Source::new(account.password_stdin)?;
            let password = secrets.new_password()?;
            let mut body = json!({ "password": password, "bot": bot });
            if let Some(address) = mail {
                body["mail"] = mail::proof(&api, address, "register", secrets)?;
            }
            sign_in(&api, "/register", account, body, endpoint)
        }
        AccountTask::Login(args) => log_in(&api, args, endpoint),
        AccountTask::Recover(args) => recover(&api, args, endpoint),
        AccountTask::Password { password_stdin } => {
            let secrets = password::Source::new(*password_stdin)?;
            let current = secrets.password("Current password")?;
            let body = json!({ "current": current, "new": secrets.new_password()? });
            let changed: PasswordChanged = api.post("/password", &body)?;
            let text = "Your new password is set. You are signed out everywhere else.";
            show::done("password_changed", text, as_json)?;
            let (token, guest) = (Token(changed.token), None);
            Ok(NewToken::LogIn { token, guest })
        }
        AccountTask::RecoveryCodes { password_stdin } => {
            let password = password::Source::new(*password_stdin)?.password("Password")?;
            let renewed: NewRecoveryCodes =
                api.post("/recovery-codes", &json!({ "password": password }))?;
            show::new_recovery_codes(&renewed, as_json)?;
            Ok(NewToken::Keep)
        }
        AccountTask::Handle { handle } => {
            let me: Me = api.post("/handle", &json!({ "handle": handle }))?;
            show::me(&me, as_json)?;
            Ok(NewToken::Keep)
        }
        AccountTask::Logout => {
            api.send_bare("POST", "/logout")?;
            show::done("logged_out", "You are signed out.", as_json)?;
            Ok(NewToken::LogOut)
        }
        AccountTask::Sessions(SessionsArgs { task: None }) => {
            let sessions: Sessions = api.get("/sessions")?;
            show::sessions(&sessions, as_json)?;
            Ok(NewToken::Keep)
        }
        AccountTask::Sessions(SessionsArgs {
            task: Some(SessionsTask::Revoke { session }),
        }) => revoke(&api, session, as_json),
        AccountTask::Account(args) => settings::run(&api, args, as_json),
        AccountTask::Profile { player: None } => {
            let me: Me = api.get("/me")?;
            show::me(&me, as_json)?;
            Ok(NewToken::Keep)
        }
        AccountTask::Profile { player: Some(name) } => {
            let player: Player = api.get(&format!("/players/{}", api::encoded(name)))?;
            show::player(&player, as_json)?;
            Ok(NewToken::Keep)
        }
    }
}

/// Logs in: with the password, or with a code that comes to a mail address.
fn log_in(api: &Api, args: &SignInArgs, endpoint: &Endpoint<'_>) -> Result<NewToken> {
    let secrets = password::Source::new(args.password_stdin)?;
    if args.is_address() {
        let mail = mail::proof(api, &args.handle, "log_in", secrets)?;
        return sign_in(api, "/login/code", args, json!({ "mail": mail }), endpoint);
    }
    let password = secrets.password("Password")?;
    sign_in(
        api,
        "/login",
        args,
        json!({ "password": password }),
        endpoint,
    )
}

/// Sets a new password: with a recovery code, or with a code that comes to a mail address.
fn recover(api: &Api, args: &SignInArgs, endpoint: &Endpoint<'_>) -> Result<NewToken> {
    let secrets = password::Source::new(args.password_stdin)?;
    if args.is_address() {
        let mail = mail::proof(api, &args.handle, "recover", secrets)?;
        let body = json!({ "mail": mail, "password": secrets.new_password()? });
        return sign_in(api, "/recover/code", args, body, endpoint);
    }
    let code = secrets.password("Recovery code")?;
    let body = json!({ "code": code, "password": secrets.new_password()? });
    sign_in(api, "/recover", args, body, endpoint)
}

/// Sends a registration, a login or a recovery. A login keeps the token of the profile's guest: without the token,
/// nobody could play the guest's games again.
fn sign_in(
    api: &Api,
    path: &str,
    args: &SignInArgs,
    mut body: serde_json::Value,
    endpoint: &Endpoint<'_>,
) -> Result<NewToken> {
    if !args.is_address() {
        body["handle"] = args.handle.as_str().into();
    }
    if let Some(label) = &args.label {
        body["label"] = label.as_str().into();
    }
    let is_login = path != "/register";
    let has_guest = || api.get::<Me>("/me").is_ok_and(|me| me.handle.is_none());
    let guest = endpoint.token.clone().filter(|_| is_login && has_guest());
    let signed_in: SignedIn = api.post(path, &body)?;
    show::signed_in(&signed_in, guest.is_some(), endpoint.as_json)?;
    let token = Token(signed_in.token);
    Ok(NewToken::LogIn { token, guest })
}

fn revoke(api: &Api, session: &str, as_json: bool) -> Result<NewToken> {
    if session == "all" {
        api.send_bare("DELETE", "/sessions")?;
        show::done(
            "sessions_revoked",
            "You are signed out everywhere else.",
            as_json,
        )?;
        return Ok(NewToken::Keep);
    }
    let sessions: Sessions = api.get("/sessions")?;
    let Some(found) = sessions.sessions.iter().find(|one| one.id == session) else {
        bail!("there is no session {session}; `tilewire sessions` lists them");
    };
    api.send_bare("DELETE", &format!("/sessions/{}", api::encoded(session)))?;
    show::done("sessions_revoked", "That session is signed out.", as_json)?;
    Ok(match found.current {
        true => NewToken::LogOut,
        false => NewToken::Keep,
    })
}
