//! Devices and choices of players about pushes.

use data_encoding::BASE64URL_NOPAD;
use ring::agreement::{ECDH_P256, EphemeralPrivateKey};
use ring::rand::SystemRandom;
use tilewire_people::accounts::Refusal;
use tilewire_people::pushes::PushChoices;

use super::tests::{Fixture, home};
use super::{DeviceAsked, Failure, Registration};
use crate::identity::Bearer;
use tilewire_config::Config;
use tilewire_store::Device;

const ENDPOINT: &str = "https://push.example/send/abc";

async fn fixture(change: impl FnOnce(&mut Config)) -> Fixture {
    Fixture::new(change).await
}

/// Registers a player and returns its token as the API reads it.
async fn registered(all: &Fixture, handle: &str) -> Bearer {
    let bearer = all.bearer(&all.guest().await).await;
    let asked = Registration {
        handle: handle.to_owned(),
        password: Some("seven crooked lanterns".to_owned()),
        mail: None,
        is_bot: false,
        label: String::new(),
    };
    let signed_in = all.people.register(&bearer, home(), asked).await.unwrap();
    all.people.bearer(&signed_in.issued.token).await.unwrap()
}

/// A browser with a key of its own.
async fn browser(all: &Fixture, bearer: &Bearer, endpoint: &str) -> DeviceAsked {
    let random = SystemRandom::new();
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random).unwrap();
    let public = own.compute_public_key().unwrap();
    DeviceAsked {
        key: all.people.push_state(bearer).await.unwrap().key,
        endpoint: endpoint.to_owned(),
        p256dh: BASE64URL_NOPAD.encode(public.as_ref()),
        auth: BASE64URL_NOPAD.encode(&[9; 16]),
        label: "a phone\nof mine".to_owned(),
    }
}

async fn devices(all: &Fixture, bearer: &Bearer) -> Vec<Device> {
    all.people.push_state(bearer).await.unwrap().devices
}

#[tokio::test]
async fn a_browser_gets_pushes_until_the_session_ends() {
    let all = fixture(|_| {}).await;
    let anna = registered(&all, "anna").await;
    assert!(devices(&all, &anna).await.is_empty());
    let asked = browser(&all, &anna, ENDPOINT).await;
    let state = all.people.add_device(&anna, asked).await.unwrap();
    let [device] = state.devices.as_slice() else {
        panic!("{state:?}");
    };
    assert_eq!(device.label, "a phoneof mine");
    assert_eq!(device.family, anna.pass.family);
    let removed = all.people.remove_device(&anna, "another").await;
    assert_eq!(removed, Err(Failure::UnknownDevice));
    all.people.log_out(&anna).await.unwrap();
    let left = all.storage.devices(&anna.pass.identity).await.unwrap();
    assert!(left.is_empty(), "{left:?}");
}

/// The session after a new password is that of the same browser.
#[tokio::test]
async fn a_browser_gets_pushes_after_a_new_password() {
    let all = fixture(|_| {}).await;
    let anna = registered(&all, "anna").await;
    let asked = browser(&all, &anna, ENDPOINT).await;
    all.people.add_device(&anna, asked).await.unwrap();
    let (old, new) = ("seven crooked lanterns", "eleven damp umbrellas");
    let (old, new) = (old.to_owned(), new.to_owned());
    let changed = all.people.change_password(&anna, home(), old, new).await;
    let token = changed.unwrap().issued.token;
    let anna = all.people.bearer(&token).await.unwrap();
    let left = devices(&all, &anna).await;
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(left[0].family, anna.pass.family);
}

#[tokio::test]
async fn a_player_chooses_the_kinds() {
    let all = fixture(|_| {}).await;
    let anna = registered(&all, "anna").await;
    let chosen = PushChoices {
        result: false,
        ..PushChoices::default()
    };
    let state = all.people.choose_pushes(&anna, chosen).await.unwrap();
    assert_eq!(state.choices, chosen);
    assert_eq!(all.people.push_state(&anna).await.unwrap().choices, chosen);
}

#[tokio::test]
async fn a_guest_has_no_devices() {
    let all = fixture(|_| {}).await;
    let guest = all.bearer(&all.guest().await).await;
    let refused = Some(Failure::Refused(Refusal::NotRegistered));
    assert_eq!(all.people.push_state(&guest).await.err(), refused);
    let choices = PushChoices::default();
    let chosen = all.people.choose_pushes(&guest, choices).await;
    assert_eq!(chosen.err(), refused);
}

/// The server refuses malformed subscriptions, and names the reason.
#[tokio::test]
async fn a_subscription_is_checked() {
    let all = fixture(|_| {}).await;
    let anna = registered(&all, "anna").await;
    let long = format!("https://push.example/{}", "a".repeat(1_024));
    for (endpoint, expected) in [
        ("http://push.example/a", "must begin with https://"),
        (
            "https://me@push.example/a",
            "must have no user and no password",
        ),
        ("https://push.example:8443/a", "must have port 443"),
        ("push.example", "must begin with https://"),
        ("https://push example/a", "is no address"),
        (long.as_str(), "is too long"),
    ] {
        let asked = browser(&all, &anna, endpoint).await;
        let refused = all.people.add_device(&anna, asked).await.err();
        assert_eq!(refused, Some(Failure::Endpoint(expected)), "{endpoint}");
    }
    let no_point = BASE64URL_NOPAD.encode(&[4; 65]);
    for (p256dh, auth) in [
        (Some(""), None),
        (Some("!"), None),
        (Some(no_point.as_str()), None),
        (None, Some("")),
        (None, Some("AAAA")),
    ] {
        let mut asked = browser(&all, &anna, ENDPOINT).await;
        if let Some(p256dh) = p256dh {
            p256dh.clone_into(&mut asked.p256dh);
        }
        if let Some(auth) = auth {
            auth.clone_into(&mut asked.auth);
        }
        let refused = all.people.add_device(&anna, asked).await.err();
        assert_eq!(refused, Some(Failure::PushKeys), "{p256dh:?} {auth:?}");
    }
    let mut asked = browser(&all, &anna, ENDPOINT).await;
    asked.key.clear();
    let refused = all.people.add_device(&anna, asked).await.err();
    assert_eq!(refused, Some(Failure::PushKeyChanged));
    assert!(devices(&all, &anna).await.is_empty());
}

#[tokio::test]
async fn a_player_has_so_many_devices() {
    let all = fixture(|config| config.push.devices = 1).await;
    let anna = registered(&all, "anna").await;
    let asked = browser(&all, &anna, ENDPOINT).await;
    all.people.add_device(&anna, asked).await.unwrap();
    let other = all
        .people
        .log_in(home(), "anna", "seven crooked lanterns".to_owned(), "")
        .await
        .unwrap();
    let other = all.people.bearer(&other.issued.token).await.unwrap();
    let asked = browser(&all, &other, "https://push.example/other").await;
    let refused = all.people.add_device(&other, asked).await.err();
    assert_eq!(refused, Some(Failure::TooManyDevices { most: 1 }));
    // The same browser in another session is no further one.
    let asked = browser(&all, &other, ENDPOINT).await;
    let state = all.people.add_device(&other, asked).await.unwrap();
    assert_eq!(state.devices.len(), 1);
    assert_eq!(state.devices[0].family, other.pass.family);
}
