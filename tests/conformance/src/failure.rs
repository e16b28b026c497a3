//! A failure in three lines: the message that was sent last, what was due, and the clause.

use std::cell::RefCell;

use serde_json::Value;

/// The documents with the clauses.
const DOCUMENTS: [&str; 2] = [
    include_str!("../../../docs/PROTOCOL.md"),
    include_str!("../../../docs/http.md"),
];
/// Most characters of a line.
const LINE_CHARS: usize = 300;

thread_local! {
    /// The message that the case of this thread sent last.
    static SENT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Notes a message that the case of this thread sent.
pub fn sent(message: &str) {
    SENT.with_borrow_mut(|last| *last = short(message));
}

/// Begins a case in this thread: nothing was sent yet.
pub(crate) fn begin() {
    SENT.with_borrow_mut(String::clear);
}

/// Returns the three lines about a failure of the case of this thread.
pub(crate) fn lines(due: &str, clauses: &[String]) -> String {
    let sent = SENT.with_borrow(|last| match last.as_str() {
        "" => "nothing".to_owned(),
        last => last.to_owned(),
    });
    let clause = match clauses.iter().find_map(|id| Some((id, clause(id)?))) {
        Some((id, text)) if clauses.len() == 1 => format!("{id}: {text}"),
        Some((id, text)) => format!("{}; {id}: {text}", clauses.join(", ")),
        None => clauses.join(", "),
    };
    format!(
        "sent:   {sent}\ndue:    {}\nclause: {}",
        short(due),
        short(&clause)
    )
}

/// Returns the first sentence of a clause.
fn clause(id: &str) -> Option<String> {
    let begin = format!("**{id}** ");
    let rest = DOCUMENTS
        .iter()
        .find_map(|text| Some(text.split_once(&begin)?.1))?;
    let paragraph = rest.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let text = words.join(" ");
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    Some(text[..end].to_owned())
}

/// Returns a text in one line of bounded length.
pub(crate) fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LINE_CHARS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// Returns a message in one line.
#[must_use]
pub fn told(message: Option<&Value>) -> String {
    message.map_or_else(
        || "no message".to_owned(),
        |message| short(&message.to_string()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_three_short_lines() {
        begin();
        sent(&"[\"play\",1,{}]\n".repeat(200));
        let clauses = ["P-AUTH-6".to_owned(), "P-CLOSE-1".to_owned()];
        let shown = lines(&"x ".repeat(2_000), &clauses);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 3, "{shown}");
        assert!(lines[0].starts_with("sent:   [\"play\""), "{shown}");
        let clause = "clause: P-AUTH-6, P-CLOSE-1; P-AUTH-6: A token that is not taken";
        assert!(lines[2].starts_with(clause), "{shown}");
        assert!(
            lines.iter().all(|line| line.chars().count() < 320),
            "{shown}"
        );
    }
}
