//! The URL of a database, which can have a password.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The placeholder for a password.
const HIDDEN: &str = "hidden";

/// The URL of a database. It shows no password; only [`DatabaseUrl::expose`] does.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Says whether none is given.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the URL with its password.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the URL without its password; nothing of what does not look like a URL, which can have one anywhere.
    #[must_use]
    pub fn without_password(&self) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        let Some((scheme, rest)) = self.0.split_once("://") else {
            return Self(HIDDEN.to_owned());
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let authority = match authority.rsplit_once('@') {
            Some((user, host)) => {
                let user = user.split(':').next().unwrap_or_default();
                format!("{user}@{host}")
            }
            None => authority.to_owned(),
        };
        let (path, options) = path.split_once('?').unwrap_or((path, ""));
        let options: Vec<&str> = options
            .split('&')
            .filter(|option| !option.is_empty() && !option.starts_with("password="))
            .collect();
        let sign = if options.is_empty() { "" } else { "?" };
        Self(format!(
            "{scheme}://{authority}{path}{sign}{}",
            options.join("&")
        ))
    }
}

impl From<&str> for DatabaseUrl {
    fn from(url: &str) -> Self {
        Self(url.to_owned())
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.without_password().0)
    }
}

#[cfg(test)]
mod tests {
    use super::DatabaseUrl;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, shown) in [
            ("", ""),
            ("postgres://u:secret@h:5/d", "postgres://u@h:5/d"),
            ("postgres://u:se@cret@h/d", "postgres://u@h/d"),
            (
                "postgres://u@h/d?sslmode=require",
                "postgres://u@h/d?sslmode=require",
            ),
            ("postgres://u@h/d?password=secret", "postgres://u@h/d"),
            (
                "postgres://h/d?a=1&password=secret&b=2",
                "postgres://h/d?a=1&b=2",
            ),
            ("host=h password=secret", "hidden"),
        ] {
            let found = DatabaseUrl::from(url);
            assert_eq!(format!("{found:?}"), shown);
            assert_eq!(found.expose(), url);
        }
    }
}
