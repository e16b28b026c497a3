//! Reads the input of a request: its body, and the parameter in its path.

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use data_encoding::HEXLOWER_PERMISSIVE;
use serde::de::DeserializeOwned;
use tilewire_protocol::ErrorCode;

use super::refusal::Refusal;

/// The largest body of a request. The largest one has a handle, a password of 512 bytes and a label.
const BODY_MAX_BYTES: usize = 4_096;

/// Reads the body of a request. The type is required: a page of another site cannot send it without asking first.
pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, Refusal> {
    let media = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let media = media.and_then(|value| value.split(';').next());
    if !media.is_some_and(|media| media.trim().eq_ignore_ascii_case("application/json")) {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        let message = "the body must have `Content-Type: application/json`";
        return Err(Refusal::new(status, ErrorCode::BadFrame.as_str(), message));
    }
    let bytes = to_bytes(body, BODY_MAX_BYTES).await;
    Ok(bytes.map_err(|_| too_large())?.into())
}

/// Refuses a body that is announced as too large, before anything of it is read.
pub(super) fn check_length(body: &Body) -> Result<(), Refusal> {
    let announced = body.size_hint().lower();
    let fits = usize::try_from(announced).is_ok_and(|bytes| bytes <= BODY_MAX_BYTES);
    if fits { Ok(()) } else { Err(too_large()) }
}

fn too_large() -> Refusal {
    let message = format!("the body has at most {BODY_MAX_BYTES} bytes");
    let status = StatusCode::PAYLOAD_TOO_LARGE;
    Refusal::new(status, ErrorCode::TooLarge.as_str(), message)
}

/// Returns the name of the field that an error of serde is about: the end of the path, or a field that is missing, unknown or
/// there twice. The rest of the message can have a value, which no answer repeats.
pub(super) fn field_of(path: &serde_path_to_error::Path, why: &str) -> String {
    let mut parts: Vec<String> = path
        .iter()
        .filter(|part| !matches!(part, serde_path_to_error::Segment::Unknown))
        .map(ToString::to_string)
        .collect();
    for fault in ["missing field `", "unknown field `", "duplicate field `"] {
        let named = why
            .strip_prefix(fault)
            .and_then(|rest| rest.split_once('`'));
        if let Some((name, _)) = named
            && parts.last().is_none_or(|last| last != name)
        {
            parts.push(name.to_owned());
        }
    }
    parts.join(".")
}

/// Reads a body. The error names the field, never its value.
pub(super) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut reader);
    let parsed = read.map_err(|error: serde_path_to_error::Error<serde_json::Error>| {
        let field = field_of(error.path(), &error.inner().to_string());
        let code = match error.inner().is_data() {
            true => ErrorCode::BadField.as_str(),
            false => ErrorCode::BadFrame.as_str(),
        };
        let line = (error.inner().line(), error.inner().column());
        let message = format!(
            "the body is not what this request takes (line {}, column {}); see /api/v1/openapi.json",
            line.0, line.1
        );
        Refusal::field(code, &field, message)
    })?;
    reader.end().map_err(|_| {
        let message = "the body has bytes after its end";
        Refusal::field(ErrorCode::BadFrame.as_str(), "", message)
    })?;
    Ok(parsed)
}

/// Returns a part of a path without its percent signs.
pub(super) fn decoded(part: &str) -> Result<String, Refusal> {
    percent_decoded(part).ok_or_else(|| Refusal::not_found("nothing has this name"))
}

/// Returns a text without its percent signs; `None` if it is not UTF-8 then.
pub(super) fn percent_decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next(), rest.next()].map(Option::unwrap_or_default);
                let decoded = HEXLOWER_PERMISSIVE.decode(&digits).ok()?;
                *decoded.first()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::super::bodies::LogIn;
    use super::*;

    #[test]
    fn a_part_of_a_path_is_decoded() {
        for (part, expected) in [("anna", "anna"), ("Zo%C3%AB", "Zoë"), ("a%2Fb", "a/b")] {
            assert_eq!(decoded(part).unwrap(), expected);
        }
        for part in ["%", "%4", "%zz", "%ff", "a%+1"] {
            assert!(decoded(part).is_err(), "{part}");
        }
    }

    #[test]
    fn an_error_of_a_body_names_the_field_and_no_secret() {
        let error = |body: &str| parsed::<LogIn>(body.as_bytes()).err().unwrap().body;
        let wrong = error(r#"{"handle": "anna", "password": {"secret": 1}}"#);
        assert_eq!(wrong.code, "bad_field");
        let field = wrong.detail.unwrap().field;
        assert_eq!(field.as_deref(), Some("password"));
        assert!(!wrong.message.contains("secret"));
        let missing = error(r#"{"handle": "anna"}"#);
        assert_eq!(missing.detail.unwrap().field.as_deref(), Some("password"));
        for body in ["", "{", "[]x", r#"{"handle":"a","password":"b"} {}"#] {
            let code = error(body).code;
            assert!(code == "bad_frame" || code == "bad_field", "{body}: {code}");
        }
    }
}
