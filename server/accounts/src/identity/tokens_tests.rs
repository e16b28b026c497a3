//! Tokens of the server's own, without a server.

use tilewire_rules::time::{Millis, Timestamp};

use super::{Pass, TokenError, Tokens};
use tilewire_base::ids::Ids;
use tilewire_config::IdentityConfig;
use tilewire_protocol::limits::TOKEN_MAX_BYTES;
use tilewire_store::{Credentials, TokenKey};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn key(kid: &str, byte: u8) -> TokenKey {
    TokenKey {
        kid: kid.to_owned(),
        secret: [byte; 32],
    }
}

fn tokens(keys: &[TokenKey], token_ms: Millis) -> Tokens {
    let config = IdentityConfig {
        token_ms,
        ..IdentityConfig::default()
    };
    Tokens::new(keys, &config)
}

fn guest(identity: &str) -> Pass {
    Pass::without_token(identity.to_owned(), "family".to_owned())
}

fn whose(tokens: &Tokens, token: &str, now: Timestamp) -> Result<String, TokenError> {
    tokens.verify(token, now).map(|pass| pass.identity)
}

#[test]
fn a_token_without_an_end_names_its_holder_for_ever() {
    let tokens = tokens(&[key("k", 1)], Millis(0));
    let identity = Ids::system().identity_id();
    let issued = tokens.issue(&guest(&identity), NOW);
    assert_eq!(issued.expires_at, None);
    let token = issued.token;
    assert!(token.len() < TOKEN_MAX_BYTES / 2, "{}", token.len());
    for later in [0, 1, i64::from(u32::MAX) * 1_000] {
        assert_eq!(
            whose(&tokens, &token, NOW + Millis(later)),
            Ok(identity.clone())
        );
    }
}

#[test]
fn a_token_cannot_be_made_up() {
    let ours = tokens(&[key("k", 1)], Millis(0));
    let token = ours.issue(&guest("abc"), NOW).token;
    let mut changed = token.clone();
    let middle = token.find('.').unwrap() + 10;
    let other = if &token[middle..=middle] == "A" {
        "B"
    } else {
        "A"
    };
    changed.replace_range(middle..=middle, other);
    // The algorithm is not the token's to choose: {"alg":"none","kid":"k"}.
    let unsigned = format!(
        "eyJhbGciOiJub25lIiwia2lkIjoiayJ9.{}.",
        token.split('.').nth(1).unwrap()
    );
    let other_key = tokens(&[key("k", 2)], Millis(0))
        .issue(&guest("abc"), NOW)
        .token;
    let unknown_key = tokens(&[key("other", 1)], Millis(0))
        .issue(&guest("abc"), NOW)
        .token;
    let long = "a".repeat(TOKEN_MAX_BYTES + 1);
    let cut = &token[..token.len() - 2];
    for bad in [
        "",
        "x",
        "a.b.c",
        &changed,
        cut,
        &unsigned,
        &other_key,
        &unknown_key,
        &long,
    ] {
        assert_eq!(ours.verify(bad, NOW), Err(TokenError::Foreign), "{bad}");
    }
}

#[test]
fn old_keys_verify_until_they_are_removed_and_the_newest_signs() {
    let tokens = tokens(&[key("old", 1)], Millis(0));
    let old = tokens.issue(&guest("abc"), NOW).token;
    let mut credentials = Credentials {
        version: 1,
        keys: vec![key("new", 2), key("old", 1)],
        revoked_identities: [].into(),
        revoked_families: [].into(),
    };
    tokens.replace(&credentials);
    let pass = tokens.verify(&old, NOW).unwrap();
    assert_eq!(pass.kid.as_deref(), Some("old"));
    let new = tokens.issue(&pass, NOW).token;
    credentials.keys.truncate(1);
    tokens.replace(&credentials);
    assert_eq!(tokens.verify(&old, NOW), Err(TokenError::Foreign));
    assert_eq!(
        tokens.check(&pass),
        Err(TokenError::Revoked),
        "the key that signed is gone"
    );
    let pass = tokens.verify(&new, NOW).unwrap();
    assert_eq!(pass.kid.as_deref(), Some("new"));
    assert_eq!(tokens.check(&pass), Ok(()));
}

#[test]
fn revocations_cover_whole_families_and_identities() {
    let tokens = tokens(&[key("k", 1)], Millis(0));
    let first = tokens.issue(&guest("abc"), NOW).token;
    let pass = tokens.verify(&first, NOW).unwrap();
    let renewed = tokens.issue(&pass, NOW + Millis(1)).token;
    let elsewhere = Pass::without_token("abc".to_owned(), "another".to_owned());
    let apart = tokens.issue(&elsewhere, NOW).token;
    tokens.replace(&Credentials {
        version: 1,
        keys: vec![key("k", 1)],
        revoked_identities: [("zoe".to_owned(), Some("insults".to_owned()))].into(),
        revoked_families: ["family".to_owned()].into(),
    });
    for revoked in [&first, &renewed] {
        let pass = tokens.verify(revoked, NOW).unwrap();
        assert_eq!(tokens.check(&pass), Err(TokenError::Revoked));
    }
    assert_eq!(tokens.check(&pass), Err(TokenError::Revoked));
    assert_eq!(whose(&tokens, &apart, NOW).as_deref(), Ok("abc"));
    let zoe = Pass::without_token("zoe".to_owned(), "hers".to_owned());
    let refused = tokens.check(&zoe).unwrap_err();
    let reason = Some("insults".to_owned());
    assert_eq!(refused, TokenError::Barred { reason });
    assert_eq!(
        refused.to_string(),
        "the operator has revoked your access: insults"
    );
}

/// A family is forgotten with its row, but not one that was revoked while the storage was read.
#[test]
fn revoked_families_go_with_those_of_the_storage() {
    let tokens = tokens(&[key("k", 1)], Millis(0));
    let pass = |family: &str| Pass::without_token("abc".to_owned(), family.to_owned());
    let mut stored = Credentials {
        version: 1,
        keys: vec![key("k", 1)],
        revoked_identities: [].into(),
        revoked_families: ["old".to_owned()].into(),
    };
    tokens.replace(&stored);
    tokens.revoke_families(["new".to_owned()]);
    tokens.replace(&stored);
    for family in ["old", "new"] {
        assert_eq!(tokens.check(&pass(family)), Err(TokenError::Revoked));
    }
    stored.revoked_families = ["new".to_owned()].into();
    tokens.replace(&stored);
    assert_eq!(tokens.check(&pass("new")), Err(TokenError::Revoked));
    assert_eq!(tokens.revoked_families(), 1);
    stored.revoked_families.clear();
    tokens.replace(&stored);
    assert_eq!(tokens.revoked_families(), 0);
}

#[test]
fn tokens_end_where_the_operator_wants_it_and_renewal_goes_on_from_there() {
    let tokens = tokens(&[key("k", 1)], Millis(20_000));
    let issued = tokens.issue(&guest("abc"), NOW);
    let end = NOW + Millis(20_000);
    assert_eq!(issued.expires_at, Some(end));
    assert_eq!(
        whose(&tokens, &issued.token, end - Millis(1)).as_deref(),
        Ok("abc")
    );
    assert_eq!(tokens.verify(&issued.token, end), Err(TokenError::Expired));
    let pass = tokens.verify(&issued.token, end - Millis(1)).unwrap();
    let renewed = tokens.issue(&pass, end - Millis(1_000));
    assert_eq!(renewed.expires_at, Some(end + Millis(19_000)));
}

#[test]
fn nothing_secret_is_shown() {
    let key = key("k", 0xa5);
    let tokens = tokens(std::slice::from_ref(&key), Millis(0));
    let issued = tokens.issue(&guest("abc"), NOW);
    let shown = format!("{key:?} {tokens:?} {issued:?}");
    assert!(
        !shown.contains("165") && !shown.contains("a5") && !shown.contains("eyJ"),
        "{shown}"
    );
}
