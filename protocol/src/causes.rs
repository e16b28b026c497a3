//! The text of an error for people.

use std::error::Error;

/// Returns the text of an error and of its causes, outermost first, separated by `: `. A cause whose text is in the text
/// before it already is left out.
#[must_use]
pub fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let own = error.to_string();
        if !text.contains(&own) {
            text.push_str(": ");
            text.push_str(&own);
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::causes;

    #[derive(Debug, thiserror::Error)]
    enum Outer {
        #[error("cannot read x: {0}")]
        Tells(#[source] io::Error),
        #[error("cannot read x")]
        Silent(#[source] io::Error),
    }

    #[test]
    fn each_cause_is_told_once() {
        let cause = || io::Error::other("no such file");
        assert_eq!(
            causes(&Outer::Tells(cause())),
            "cannot read x: no such file"
        );
        assert_eq!(
            causes(&Outer::Silent(cause())),
            "cannot read x: no such file"
        );
    }
}
