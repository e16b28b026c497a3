//! Values in JSON text whose structure was checked.

use std::borrow::Cow;

/// A place in a text, between two values.
#[derive(Debug, Clone)]
pub(crate) struct Lexer<'de> {
    text: &'de str,
    at: usize,
}

impl<'de> Lexer<'de> {
    pub(super) const fn new(text: &'de str) -> Self {
        Self { text, at: 0 }
    }

    /// Steps over white space and returns the byte behind it.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Steps over this byte, if it is the next one.
    pub(super) fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Steps to the next entry of a list or map; `None` at its end, which is `close`.
    pub(super) fn next_entry(&mut self, is_first: bool, close: u8) -> Option<()> {
        match self.peek()? {
            byte if byte == close => {
                self.at += 1;
                None
            }
            b',' if !is_first => {
                self.at += 1;
                Some(())
            }
            _ => is_first.then_some(()),
        }
    }

    pub(super) fn boolean(&mut self) -> Option<bool> {
        let (value, letters) = match self.peek()? {
            b't' => (true, 4),
            b'f' => (false, 5),
            _ => return None,
        };
        self.at += letters;
        Some(value)
    }

    pub(super) fn integer(&mut self) -> Option<i64> {
        let sign = usize::from(self.peek()? == b'-');
        let digits = self.text.as_bytes().get(self.at + sign..)?;
        let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
        let end = self.at + sign + digits.count();
        let value = self.text.get(self.at..end)?.parse().ok()?;
        self.at = end;
        Some(value)
    }

    pub(super) fn string(&mut self) -> Option<Cow<'de, str>> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at + 1;
        let rest = self.text.as_bytes().get(start..)?;
        let mut len = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        let is_plain = rest[len] == b'"';
        while *rest.get(len)? != b'"' {
            len += if rest[len] == b'\\' { 2 } else { 1 };
        }
        let end = start + len;
        let text = if is_plain {
            Cow::Borrowed(self.text.get(start..end)?)
        } else {
            Cow::Owned(serde_json::from_str(self.text.get(self.at..=end)?).ok()?)
        };
        self.at = end + 1;
        Some(text)
    }

    /// Steps over one value.
    pub(super) fn skip(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => drop(self.string()?),
                b'[' | b'{' => {
                    self.at += 1;
                    depth += 1;
                }
                b']' | b'}' => {
                    self.at += 1;
                    depth = depth.checked_sub(1)?;
                }
                b',' | b':' => self.at += 1,
                _ => {
                    let rest = &self.text.as_bytes()[self.at..];
                    let is_end = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'-';
                    let len = rest.iter().position(is_end).unwrap_or(rest.len());
                    self.at += len.max(1);
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}
