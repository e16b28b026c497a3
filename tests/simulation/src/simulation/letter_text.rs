//! Reads a mail message: its id, its text, and whether the text shows certain tiles.

/// Returns the `Message-ID`.
#[must_use]
pub fn name_of(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let name = lines.find_map(|line| line.strip_prefix("Message-ID: "))?;
    Some(name.trim().to_owned())
}

/// Returns the part that is plain text.
#[must_use]
pub fn text_of(bytes: &[u8]) -> Option<String> {
    let whole = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let begin = whole.find("Content-Type: text/plain")?;
    let (head, body) = whole[begin..].split_once("\n\n")?;
    let body = body.split("\n--").next()?;
    let encoding = head
        .lines()
        .find_map(|line| line.strip_prefix("Content-Transfer-Encoding: "));
    match encoding.map(str::trim) {
        Some("quoted-printable") => Some(unquoted(body)),
        Some("base64") => {
            let packed: String = body.split_whitespace().collect();
            let bytes = data_encoding::BASE64.decode(packed.as_bytes()).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        }
        _ => Some(body.to_owned()),
    }
}

/// Undoes the encoding `quoted-printable`.
fn unquoted(text: &str) -> String {
    let text = text.replace("=\n", "");
    let mut parts = text.split('=');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part
            .get(..2)
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => {
                bytes.push(b'=');
                bytes.extend_from_slice(part.as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Says whether a line that is no row of the board shows these tiles together, in any order. The words that were played are no
/// secret; fewer than five tiles say nothing.
#[must_use]
pub fn shows_tiles(text: &str, tiles: &[String], played: &[String]) -> bool {
    let sorted = |text: &str| {
        let mut faces: Vec<char> = text.chars().collect();
        faces.sort_unstable();
        faces
    };
    let wanted = sorted(&tiles.concat());
    if wanted.len() < 5 {
        return false;
    }
    let is_board = |line: &str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let lines = text.lines().filter(|line| !is_board(line));
    let mut words = lines.flat_map(|line| line.split(|c: char| !c.is_alphabetic() && c != '?'));
    words.any(|word| {
        let is_played = played.iter().any(|known| known.eq_ignore_ascii_case(word));
        word.len() >= 5 && !is_played && sorted(word) == wanted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rack_in_a_text_is_found() {
        let rack = ["A", "E", "N", "R", "?"].map(str::to_owned);
        let played = ["EARN?".to_owned()];
        for (text, expected) in [
            ("  ?NEAR   12", true),
            ("Ben: 8F ?NEAR", true),
            ("Ben: 8F EARN?, 12", false),
            ("  8 ?NEAR", false),
            ("  NEAR   12", false),
            ("near?", false),
        ] {
            assert_eq!(shows_tiles(text, &rack, &played), expected, "{text}");
        }
    }

    #[test]
    fn the_text_of_a_message_is_decoded() {
        let message = b"Message-ID: <a@b>\r\nX: y\r\n\r\n--a-1\r\nContent-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: quoted-printable\r\n\r\nDein Zug =C3=BCber=\r\n all\r\n--a-1--\r\n";
        assert_eq!(name_of(message).as_deref(), Some("<a@b>"));
        assert_eq!(text_of(message).as_deref(), Some("Dein Zug über all"));
    }
}
