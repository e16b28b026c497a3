//! Wrong passwords and codes: who has to wait, and who does not.

use tilewire_people::accounts::Refusal;
use tilewire_rules::time::Millis;

use super::tests::{Fixture, OTHER, PASSWORD, at, home, refusal};
use super::{Failure, Recovery};

#[tokio::test]
async fn wrong_passwords_are_limited_by_account_and_by_address() {
    let all = Fixture::new(|config| {
        config.limits.wrong_passwords = 2;
        config.limits.wrong_passwords_per_address = 5;
        config.timing.wrong_password_wait_ms = Millis(60_000);
    })
    .await;
    all.player("anna").await;
    let far = |handle: &'static str, password: &str| {
        let password = password.to_owned();
        all.people.log_in(at(2), handle, password, "")
    };
    // An unknown handle is limited as a known one.
    for handle in ["anna", "nobody"] {
        for _ in 0..3 {
            let refused = refusal(far(handle, OTHER).await);
            assert_eq!(refused, Refusal::BadCredentials);
        }
    }
    let wait_ms = Millis(60_000);
    for handle in ["ANNA", "nobody", "somebody"] {
        let refused = refusal(far(handle, PASSWORD).await);
        assert_eq!(refused, Refusal::TooManyTries { wait_ms }, "{handle}");
    }
    // Another address does not wait.
    for handle in ["nobody", "somebody"] {
        let refused = refusal(all.log_in(handle, PASSWORD).await);
        assert_eq!(refused, Refusal::BadCredentials, "{handle}");
    }
    assert!(all.log_in("anna", PASSWORD).await.is_ok());
    all.advance(wait_ms);
    assert!(far("anna", PASSWORD).await.is_ok());
}

/// Strangers at many addresses make strangers wait, and not the player: neither at home nor in a session.
#[tokio::test]
async fn strangers_lock_no_player_out() {
    let all = Fixture::new(|config| {
        config.limits.wrong_passwords_of_strangers = 3;
        config.timing.wrong_password_wait_ms = Millis(60_000);
    })
    .await;
    let anna = all.player("anna").await;
    let log_in = |host, password: &str| {
        let password = password.to_owned();
        all.people.log_in(at(host), "anna", password, "")
    };
    for host in 2..6 {
        let refused = refusal(log_in(host, OTHER).await);
        assert_eq!(refused, Refusal::BadCredentials);
    }
    let wait_ms = Millis(60_000);
    let refused = refusal(log_in(9, PASSWORD).await);
    assert_eq!(refused, Refusal::TooManyTries { wait_ms });
    assert!(all.log_in("anna", PASSWORD).await.is_ok(), "at home");
    assert!(all.recover("anna", "wrong").await.is_err());
    let bearer = all.bearer(&anna.issued.token).await;
    let (old, new) = (PASSWORD.to_owned(), OTHER.to_owned());
    let changed = all.people.change_password(&bearer, at(9), old, new).await;
    assert!(changed.is_ok(), "in a session");
    // The player was there in a session, so the address is known.
    assert!(log_in(9, OTHER).await.is_ok());
}

/// The new password of a recovery is not looked at before the code: looking and hashing is slow.
#[tokio::test]
async fn a_wrong_recovery_code_costs_no_hash() {
    let all = Fixture::new(|_| {}).await;
    let anna = all.player("anna").await;
    let recover = |handle: &str, code: &str| {
        let asked = Recovery {
            handle: handle.to_owned(),
            code: code.to_owned(),
            password: "weak".to_owned(),
            label: String::new(),
        };
        all.people.recover(home(), asked)
    };
    for handle in ["anna", "nobody"] {
        let refused = refusal(recover(handle, "wrong").await);
        assert_eq!(refused, Refusal::BadCredentials, "{handle}");
    }
    let right = anna.recovery_codes[0].as_str();
    let refused = recover("anna", right).await.err();
    assert!(matches!(refused, Some(Failure::Password(_))), "{refused:?}");
    assert!(all.recover("anna", right).await.is_ok(), "the code is left");
}
