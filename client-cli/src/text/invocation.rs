//! Commands for the user to type: complete, and quoted for a shell.

/// How the user called the program: its name, and the flags that select the player and the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The name or path of the program.
    pub program: String,
    /// The address of the server, unless it is the default.
    pub server: Option<String>,
    /// The profile, unless it is the default.
    pub profile: Option<String>,
    /// The directory for identities, if the user set one.
    pub data_dir: Option<String>,
}

impl Invocation {
    /// The command with these arguments, for the same player on the same server.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> String {
        let flags = [
            ("--server", &self.server),
            ("--profile", &self.profile),
            ("--data-dir", &self.data_dir),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(flag, value)| Some([flag, value.as_deref()?]));
        let words = args.iter().copied().chain(flags.flatten());
        quoted([self.program.as_str()].into_iter().chain(words))
    }

    /// The command with these arguments, for another person on the same server.
    #[must_use]
    pub fn command_for_others(&self, args: &[&str]) -> String {
        let theirs = Self {
            program: "tilewire".to_owned(),
            server: self.server.clone(),
            profile: None,
            data_dir: None,
        };
        theirs.command(args)
    }

    /// The name of the profile.
    #[must_use]
    pub fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or(DEFAULT_PROFILE)
    }
}

/// The profile without `--profile`.
pub const DEFAULT_PROFILE: &str = "default";

/// Joins words into a line that a shell splits into the same words.
fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    // A quoter that allows NUL always succeeds; an argument of a process contains none.
    let quoter = shlex::Quoter::new().allow_nul(true);
    quoter.join(words).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_command_has_the_flags_that_differ_from_the_defaults() {
        let plain = Invocation {
            program: "tilewire".to_owned(),
            server: None,
            profile: None,
            data_dir: None,
        };
        let resume = ["play", "--resume", "G1"];
        assert_eq!(plain.command(&resume), "tilewire play --resume G1");
        let full = Invocation {
            program: "/opt/my games/tilewire".to_owned(),
            server: Some("ws://[::1]:7790/ws".to_owned()),
            profile: Some("two".to_owned()),
            data_dir: Some("it's here".to_owned()),
        };
        let command = full.command(&resume);
        let words = shlex::split(&command).expect("a shell can split it");
        assert_eq!(
            words,
            [
                "/opt/my games/tilewire",
                "play",
                "--resume",
                "G1",
                "--server",
                "ws://[::1]:7790/ws",
                "--profile",
                "two",
                "--data-dir",
                "it's here"
            ]
        );
        let invitation = full.command_for_others(&["play", "--code", "ABC"]);
        let words = shlex::split(&invitation).expect("a shell can split it");
        assert_eq!(
            words,
            [
                "tilewire",
                "play",
                "--code",
                "ABC",
                "--server",
                "ws://[::1]:7790/ws"
            ]
        );
    }
}
