//! Users of an embedding site.

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use tilewire_accounts::identity::install_signatures;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{TALKATIVE, refused, text, until, welcomed};
use crate::server::write_private;

const SECRET: &str = "the secret of an embedding site: long enough";
const SITE: &str = "[site]\nissuer = \"https://site.example\"\naudience = \"tilewire\"\n";
const FAR: i64 = 4_000_000_000;

fn claims(subject: &str) -> Value {
    json!({ "iss": "https://site.example", "aud": "tilewire", "sub": subject, "exp": FAR })
}

fn hs256(claims: &Value) -> String {
    install_signatures();
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    encode(&Header::new(Algorithm::HS256), claims, &key).expect("a token")
}

fn eddsa(kid: &str, key: &SigningKey, claims: &Value) -> String {
    let header = Header {
        kid: Some(kid.to_owned()),
        ..Header::new(Algorithm::EdDSA)
    };
    install_signatures();
    let der = key.to_pkcs8_der().expect("a key");
    encode(&header, claims, &EncodingKey::from_ed_der(der.as_bytes())).expect("a token")
}

fn key_set(keys: &[(&str, &SigningKey)]) -> String {
    let keys = keys.iter().map(|(kid, key)| {
        let x = BASE64URL_NOPAD.encode(key.verifying_key().as_bytes());
        json!({ "kty": "OKP", "crv": "Ed25519", "kid": kid, "x": x })
    });
    json!({ "keys": keys.collect::<Vec<_>>() }).to_string()
}

fn with_secret() -> Server {
    let config = format!("{TALKATIVE}{SITE}secret_file = \"data/secret\"\n");
    Server::start_with(&config, |data| {
        write_private(&data.join("secret"), SECRET);
    })
}

#[test]
fn a_subject_is_an_identity_of_its_own() {
    let mut server = with_secret();
    let mut named = claims("anna");
    named["name"] = json!("  Anna \u{ff21}. ");
    let (mut anna, welcome) = welcomed(&server, &hs256(&named));
    assert_eq!(welcome["name"], "Anna A.", "by the rules for names");
    assert!(
        welcome["expires_at"].is_i64(),
        "the server's token expires with the site's token"
    );
    let renewed = anna.ok("renew", json!({}));
    assert_eq!(
        renewed["expires_at"], welcome["expires_at"],
        "a renewed token does not last longer"
    );
    // The same subject is the same identity, by another token of the site and by the server's.
    for token in [
        hs256(&claims("anna")),
        text(&welcome["token"]),
        text(&renewed["token"]),
    ] {
        assert_eq!(welcomed(&server, &token).1["identity"], welcome["identity"]);
    }
    named["name"] = json!("an\u{202e}na");
    assert_eq!(
        welcomed(&server, &hs256(&named)).1["name"],
        "Anna A.",
        "no name at all"
    );
    named["sub"] = json!("another");
    let name = text(&welcomed(&server, &hs256(&named)).1["name"]);
    assert!(name.starts_with("Guest-"), "{name}");
    server.kill();
    server.start_again();
    let (_, again) = welcomed(&server, &hs256(&claims("anna")));
    assert_eq!(again["identity"], welcome["identity"]);
    let identity = text(&welcome["identity"]);
    server
        .operate(&["identities", "revoke", &identity], "")
        .expect("revoked");
    server.signal("-HUP");
    until(&server, &hs256(&claims("anna")), |answer| {
        answer[2]["code"] == "revoked"
    });
}

/// Somebody whom the site calls by a name must not call themself by that of another user.
#[test]
fn a_name_that_the_site_gave_cannot_be_changed() {
    let server = with_secret();
    let mut named = claims("anna");
    named["name"] = json!("Anna");
    let (mut anna, welcome) = welcomed(&server, &hs256(&named));
    let renewed = anna.ok("renew", json!({}));
    for token in [
        hs256(&named),
        text(&welcome["token"]),
        text(&renewed["token"]),
    ] {
        let mut wire = Wire::connect(&server.address);
        let auth = json!({ "token": token, "client": "tests", "name": "Ben" });
        assert_eq!(wire.ask("auth", auth)[2]["name"], "Anna");
        assert_eq!(wire.refused("rename", json!({ "name": "Ben" })), "bad_name");
    }
    let identity = text(&welcome["identity"]);
    let issued = server.operate(&["tokens", "issue", &identity], "");
    let (mut anna, again) = welcomed(&server, issued.expect("a token").trim());
    assert_eq!(again["name"], "Anna");
    assert_eq!(anna.refused("rename", json!({ "name": "Ben" })), "bad_name");
    // A name that cannot be shown is the site's word too.
    named["sub"] = json!("another");
    named["name"] = json!("an\u{202e}na");
    let (mut another, _) = welcomed(&server, &hs256(&named));
    assert_eq!(
        another.refused("rename", json!({ "name": "Ben" })),
        "bad_name"
    );
    // A user without a name of the site chooses one.
    let (mut zoe, _) = welcomed(&server, &hs256(&claims("zoe")));
    zoe.ok("rename", json!({ "name": "Zoe" }));
}

#[test]
fn a_guest_and_a_subject_of_the_same_name_are_two_identities() {
    let server = with_secret();
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    let identity = text(&welcomed(&server, &duel.tokens[0]).1["identity"]);
    for subject in [identity.as_str(), "anna", "bot-club", "site-anna"] {
        let mut claims = claims(subject);
        claims["name"] = json!("anna");
        let (mut site, welcome) = welcomed(&server, &hs256(&claims));
        assert_ne!(welcome["identity"], json!(identity));
        assert_eq!(welcome["games"], json!([]));
        let pass = json!({ "game": duel.game, "cmd_id": "c-0-1", "turn_no": 1 });
        assert_eq!(site.refused("pass", pass), "not_a_player", "{subject}");
    }
    duel.ok(0, "pass", json!({ "turn_no": 1 }));
}

#[test]
fn tokens_that_the_site_did_not_sign_for_this_server_are_refused() {
    let server = with_secret();
    let change = |key: &str, value: Value| {
        let mut claims = claims("anna");
        claims[key] = value;
        hs256(&claims)
    };
    let part = |value: Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let unsigned = format!(
        "{}.{}.",
        part(json!({ "alg": "none" })),
        part(claims("anna"))
    );
    install_signatures();
    let foreign = EncodingKey::from_secret(&[7; 32]);
    let foreign = encode(&Header::new(Algorithm::HS256), &claims("anna"), &foreign);
    for token in [
        change("iss", json!("tilewire")),
        change("aud", json!("elsewhere")),
        change("exp", json!(1_000_000_000)),
        change("nbf", json!(FAR)),
        unsigned,
        foreign.expect("a token"),
        eddsa("k", &SigningKey::from_bytes(&[1; 32]), &claims("anna")),
    ] {
        refused(&server, &token);
    }
    let figures = server.admin_get("/metrics").1;
    for why in ["foreign", "expired", "early"] {
        let figure = format!("tilewire_tokens_refused_total{{why=\"{why}\"}}");
        assert!(figures.contains(&figure), "{figures}");
    }
    // Guests can still authenticate.
    let _guest = Wire::guest(&server.address, "guest");
}

#[test]
fn a_running_server_loads_changed_keys_of_the_site() {
    let (first, second) = (
        SigningKey::from_bytes(&[1; 32]),
        SigningKey::from_bytes(&[2; 32]),
    );
    let config = format!("{TALKATIVE}{SITE}jwks_file = \"data/keys.json\"\n");
    let server = Server::start_with(&config, |data| {
        std::fs::write(data.join("keys.json"), key_set(&[("1", &first)])).expect("a file");
    });
    let (by_first, by_second) = (
        eddsa("1", &first, &claims("anna")),
        eddsa("2", &second, &claims("anna")),
    );
    let (mut anna, _) = welcomed(&server, &by_first);
    refused(&server, &by_second);
    refused(&server, &eddsa("1", &second, &claims("anna")));
    let file = server.data_dir().join("keys.json");
    std::fs::write(&file, key_set(&[("1", &first), ("2", &second)])).expect("a file");
    until(&server, &by_second, |answer| answer[0] == "welcome");
    welcomed(&server, &by_first);
    std::fs::write(&file, "{ half a file").expect("a file");
    server.signal("-HUP");
    while !server.log().contains("site.jwks_file") {
        anna.ok("time", json!({}));
    }
    welcomed(&server, &by_second);
    std::fs::write(&file, key_set(&[("2", &second)])).expect("a file");
    until(&server, &by_first, |answer| {
        answer[2]["code"] == "bad_token"
    });
    welcomed(&server, &by_second);
    assert!(
        !server
            .log()
            .contains(by_first.rsplit('.').next().expect("a signature"))
    );
}

#[test]
fn a_start_names_the_key_and_the_file_that_are_wrong() {
    for (settings, named) in [
        (
            "secret_file = \"data/none\"",
            ["site.secret_file", "data/none"],
        ),
        (
            "secret_file = \"tilewire.toml\"\njwks_file = \"x\"",
            ["site.secret_file", "site.jwks_file"],
        ),
        (
            "public_key_file = \"tilewire.toml\"",
            ["site.public_key_file", "tilewire.toml"],
        ),
        ("", ["site.issuer", "site.secret_file"]),
    ] {
        let server = Server::start("");
        let said = server.operate_with(&format!("{SITE}{settings}\n"), &["config", "check"]);
        let said = said.expect_err(settings);
        for part in named {
            assert!(said.contains(part), "{said}");
        }
    }
}
