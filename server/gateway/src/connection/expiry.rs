//! The time at which a certificate expires, read from its bytes (X.509 in DER, RFC 5280).
//!
//! The TLS library checks certificates of others and does not show when our own ends.

use std::time::UNIX_EPOCH;

const INTEGER: u8 = 0x02;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
/// The version of a certificate; the first version leaves it out.
const VERSION: u8 = 0xa0;

/// Returns when a certificate expires, seconds since the Unix epoch; `None` if the bytes are no certificate, or it expires
/// before the epoch.
pub(super) fn expires_at(certificate: &[u8]) -> Option<u64> {
    let (certificate, _) = expect(SEQUENCE, certificate)?;
    let (signed, _) = expect(SEQUENCE, certificate)?;
    let behind_version = expect(VERSION, signed).map_or(signed, |(_, rest)| rest);
    let (_serial, rest) = expect(INTEGER, behind_version)?;
    let (_algorithm, rest) = expect(SEQUENCE, rest)?;
    let (_issuer, rest) = expect(SEQUENCE, rest)?;
    let (validity, _) = expect(SEQUENCE, rest)?;
    let (_, _not_before, rest) = element(validity)?;
    let (tag, not_after, _) = element(rest)?;
    seconds(tag, std::str::from_utf8(not_after).ok()?)
}

/// Reads a time: `YYMMDDhhmmssZ`, in the years 1950 to 2049, or `YYYYMMDDhhmmssZ`.
fn seconds(tag: u8, text: &str) -> Option<u64> {
    let digits = text.strip_suffix('Z')?;
    let is_known = digits.bytes().all(|byte| byte.is_ascii_digit());
    let digits = match (tag, digits.len()) {
        (UTC_TIME, 12) if digits < "50" => format!("20{digits}"),
        (UTC_TIME, 12) => format!("19{digits}"),
        (GENERALIZED_TIME, 14) => digits.to_owned(),
        _ => return None,
    };
    if !is_known {
        return None;
    }
    let part = |from: usize, to: usize| &digits[from..to];
    let (date, time) = (
        [part(0, 4), part(4, 6), part(6, 8)].join("-"),
        [part(8, 10), part(10, 12), part(12, 14)].join(":"),
    );
    let at = humantime::parse_rfc3339(&format!("{date}T{time}Z")).ok()?;
    Some(at.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

/// Splits an element with this tag off: its content, and what follows.
fn expect(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (found, content, rest) = element(bytes)?;
    (found == tag).then_some((content, rest))
}

/// Splits the first element off: its tag, its content, and what follows.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, mut rest) = rest.split_first()?;
    let length = match first {
        0..=0x7f => usize::from(first),
        0x81..=0x84 => {
            let (digits, behind) = rest.split_at_checked(usize::from(first & 0x7f))?;
            rest = behind;
            let add = |length: usize, digit: &u8| length << 8 | usize::from(*digit);
            digits.iter().fold(0, add)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An element of DER.
    fn der(tag: u8, parts: &[Vec<u8>]) -> Vec<u8> {
        let content = parts.concat();
        let length = content.len();
        let length = match length {
            0..=0x7f => vec![u8::try_from(length).unwrap()],
            _ => [&[0x82], &u16::try_from(length).unwrap().to_be_bytes()[..]].concat(),
        };
        [vec![tag], length, content].concat()
    }

    /// A certificate without signature and subject, which nobody reads here.
    fn certificate(version: &[Vec<u8>], not_after: Vec<u8>) -> Vec<u8> {
        let validity = [der(UTC_TIME, &[b"200101000000Z".to_vec()]), not_after];
        let issuer = der(SEQUENCE, &[vec![7; 200]]);
        let fields = [
            der(INTEGER, &[vec![1, 2, 3]]),
            der(SEQUENCE, &[]),
            issuer,
            der(SEQUENCE, &validity),
        ];
        der(SEQUENCE, &[der(SEQUENCE, &[version, &fields[..]].concat())])
    }

    #[test]
    fn the_end_of_a_certificate_is_read() {
        let check = |tag, text: &str, expected| {
            let not_after = der(tag, &[text.as_bytes().to_vec()]);
            let version = [der(VERSION, &[der(INTEGER, &[vec![2]])])];
            let first_version = certificate(&[], not_after.clone());
            assert_eq!(expires_at(&first_version), expected, "{text}");
            let third_version = certificate(&version, not_after);
            assert_eq!(expires_at(&third_version), expected, "{text}");
        };
        check(UTC_TIME, "300102030405Z", Some(1_893_553_445));
        check(GENERALIZED_TIME, "20300102030405Z", Some(1_893_553_445));
        check(UTC_TIME, "491231235959Z", Some(2_524_607_999));
        check(UTC_TIME, "500101000000Z", None); // 1950
        check(UTC_TIME, "700101000001Z", Some(1));
        check(GENERALIZED_TIME, "20301302030405Z", None);
        check(GENERALIZED_TIME, "300102030405Z", None);
        check(UTC_TIME, "3001020304+5Z", None);
        check(UTC_TIME, "300102030405", None);
        check(INTEGER, "300102030405Z", None);
    }

    #[test]
    fn bytes_that_are_no_certificate_have_no_end() {
        let whole = certificate(&[], der(UTC_TIME, &[b"300102030405Z".to_vec()]));
        for length in 0..whole.len() {
            assert_eq!(expires_at(&whole[..length]), None, "{length} bytes");
        }
        assert_eq!(expires_at(&[SEQUENCE, 0x84, 0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(expires_at(&[SEQUENCE, 0x80]), None);
    }
}
