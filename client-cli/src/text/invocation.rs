//! Commands for the user to type: complete, and quoted for a shell.

use unicode_width::UnicodeWidthStr as _;

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
        self.words(args).join(" ")
    }

    /// The command with these arguments, for another person on the same server, in lines of at most `width` columns. A shell takes
    /// the lines together: each but the last ends in a backslash. A longer word has a line of its own.
    #[must_use]
    pub fn lines_for_others(&self, args: &[&str], width: usize) -> Vec<String> {
        const GOES_ON: &str = " \\";
        let mut lines: Vec<String> = Vec::new();
        for word in self.of_others().words(args) {
            match lines.last_mut() {
                Some(line) if line.width() + 1 + word.width() + GOES_ON.len() <= width => {
                    line.push(' ');
                    line.push_str(&word);
                }
                Some(line) => {
                    line.push_str(GOES_ON);
                    lines.push(word);
                }
                None => lines.push(word),
            }
        }
        lines
    }

    /// The words of a command, each quoted for a shell.
    fn words(&self, args: &[&str]) -> Vec<String> {
        let flags = [
            ("--server", &self.server),
            ("--profile", &self.profile),
            ("--data-dir", &self.data_dir),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(flag, value)| Some([flag, value.as_deref()?]));
        let words = args.iter().copied().chain(flags.flatten());
        let words = [self.program.as_str()].into_iter().chain(words);
        words.map(quoted).collect()
    }

    /// Another person on the same server.
    fn of_others(&self) -> Self {
        Self {
            program: "tilewire".to_owned(),
            server: self.server.clone(),
            profile: None,
            data_dir: None,
        }
    }

    /// The name of the profile.
    #[must_use]
    pub fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or(DEFAULT_PROFILE)
    }
}

/// The profile without `--profile`.
pub const DEFAULT_PROFILE: &str = "default";

/// Quotes a word so that a shell takes it as it is.
fn quoted(word: &str) -> String {
    // A quoter that allows NUL always succeeds; an argument of a process contains none.
    let quoter = shlex::Quoter::new().allow_nul(true);
    quoter.quote(word).unwrap_or_default().into_owned()
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
        let lines = full.lines_for_others(&["play", "--code", "ABC"], 40);
        let wide = lines.iter().find(|line| line.width() > 40);
        assert_eq!(wide, None);
        assert!(lines.len() > 1, "{lines:?}");
        let invitation = lines.join("\n").replace(" \\\n", " ");
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
