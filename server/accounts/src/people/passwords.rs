//! Passwords of players: checked, compared and hashed, each in its turn on a thread of its own.

use tilewire_people::accounts::{Account, Origin, Proof, Refusal};
use tilewire_people::handles::Handle;
use tilewire_people::passwords::{self, NewPassword, PasswordHash, SALT_BYTES, Verified};

use super::hashing::Wants;
use super::{Failure, People};
use crate::identity::Bearer;
use tilewire_base::address::ClientAddress;

impl People {
    /// Returns the handle of a registered player, and the proof that the player knows the password.
    pub(super) async fn proof(
        &self,
        bearer: &Bearer,
        from: ClientAddress,
        password: String,
    ) -> Result<(Handle, Proof), Failure> {
        let account = self.account(bearer).await?;
        if account.origin == Origin::Site {
            return Err(Refusal::SiteAccount.into());
        }
        let registration = account.registration.as_ref();
        let handle = registration.ok_or(Refusal::NotRegistered)?.handle.clone();
        let session = format!("{}/{}", bearer.pass.identity, bearer.pass.family);
        let tried = self.parts.wrong_entries.try_in_session(&session)?;
        let verified = self.verified(from, Wants::Known, Some(&account), password);
        match verified.await {
            Ok(Verified::Wrong) => Err(Refusal::WrongProof.into()),
            Ok(verified) => {
                tried.does_not_count();
                self.parts.wrong_entries.signed_in(handle.as_str(), from);
                Ok((handle, Proof::Password(verified)))
            }
            Err(failure) => {
                tried.does_not_count();
                Err(failure)
            }
        }
    }

    /// Compares a password with that of an account; without an account, with a decoy.
    pub(super) async fn verified(
        &self,
        from: ClientAddress,
        wants: Wants,
        account: Option<&Account>,
        password: String,
    ) -> Result<Verified, Failure> {
        let turn = self.hashing.turn(from, wants).await?;
        let hash = account.and_then(Account::password).cloned();
        turn.run(move || passwords::verify(hash.as_ref(), &password))
            .await
    }

    /// Checks a new password for the owner of a handle, and hashes it.
    pub(super) async fn hashed(
        &self,
        from: ClientAddress,
        wants: Wants,
        wanted: String,
        handle: &Handle,
    ) -> Result<PasswordHash, Failure> {
        self.hashed_for(from, wants, wanted, handle.to_string())
            .await
    }

    /// Checks a new password for whoever is the owner of a typed handle, and hashes it.
    pub(super) async fn hashed_for(
        &self,
        from: ClientAddress,
        wants: Wants,
        wanted: String,
        handle: String,
    ) -> Result<PasswordHash, Failure> {
        let turn = self.hashing.turn(from, wants).await?;
        let salt: [u8; SALT_BYTES] = self.parts.ids.bytes();
        let cost = self.parts.slow_work.of_password();
        let hashed = turn
            .run(move || NewPassword::check(&wanted, &handle).map(|new| new.hash(&salt, cost)))
            .await?;
        Ok(hashed?)
    }
}
