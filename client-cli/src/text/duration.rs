//! Durations as text: `20s`, `25m`, `72h`, `3d`, `1h30m`, `250ms`.

const UNITS: [(&str, i64); 5] = [
    ("ms", 1),
    ("s", 1_000),
    ("m", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
];

/// Parses a duration, in milliseconds.
///
/// # Errors
/// Returns an error if the text is not a sequence of numbers with units, or if the duration is too long.
pub fn parse_duration_ms(text: &str) -> Result<i64, String> {
    let wrong = || format!("`{text}` is not a duration; write for example 20s, 25m, 72h or 1h30m");
    if text == "0" {
        return Ok(0);
    }
    if text.is_empty() {
        return Err(wrong());
    }
    let mut rest = text;
    let mut total: i64 = 0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let number: i64 = rest[..digits].parse().map_err(|_| wrong())?;
        rest = &rest[digits..];
        let letters = rest
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (_, unit_ms) = UNITS
            .iter()
            .find(|(name, _)| *name == &rest[..letters])
            .ok_or_else(wrong)?;
        rest = &rest[letters..];
        total = number
            .checked_mul(*unit_ms)
            .and_then(|ms| total.checked_add(ms))
            .filter(|ms| *ms <= tilewire_protocol::limits::INTEGER_MAX)
            .ok_or_else(|| format!("`{text}` is too long"))?;
    }
    Ok(total)
}

/// Writes how long ago something was, in the largest unit: `3h ago`.
#[must_use]
pub fn ago(ms: i64) -> String {
    match in_largest_unit(ms) {
        Some(text) => format!("{text} ago"),
        None => "just now".to_owned(),
    }
}

/// Writes how long something takes, in the largest unit: `3h`.
#[must_use]
pub fn largest_unit(ms: i64) -> String {
    in_largest_unit(ms).unwrap_or_else(|| "less than 1m".to_owned())
}

fn in_largest_unit(ms: i64) -> Option<String> {
    let mut units = UNITS.iter().rev();
    let (name, unit_ms) = units.find(|(_, unit_ms)| *unit_ms >= 60_000 && ms >= *unit_ms)?;
    Some(format!("{}{name}", ms / unit_ms))
}

/// Writes a duration in the format of [`parse_duration_ms`], in the largest exact units.
#[must_use]
pub fn format_ms(ms: i64) -> String {
    if ms <= 0 {
        return "0".to_owned();
    }
    let mut rest = ms;
    let mut text = String::new();
    for (name, unit_ms) in UNITS.iter().rev() {
        let number = rest / unit_ms;
        if number > 0 {
            text.push_str(&format!("{number}{name}"));
            rest -= number * unit_ms;
        }
    }
    text
}
