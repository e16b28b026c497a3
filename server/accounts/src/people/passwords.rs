//! Passwords of players: checked, compared and hashed, each in its turn on a thread of its own.

use tilewire_people::accounts::{Account, Origin, Proof, Refusal};
use tilewire_people::handles::Handle;
use tilewire_people::passwords::{self, NewPassword, PasswordHash, SALT_BYTES, Verified};

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
        let verified = self
            .verified(from, handle.as_str(), Some(&account), password)
            .await?;
        if verified == Verified::Wrong {
            self.parts
                .wrong_entries
                .wrong_sign_in(handle.as_str(), from);
            return Err(Refusal::WrongProof.into());
        }
        Ok((handle, Proof::Password(verified)))
    }

    /// Compares a password with that of an account; without an account, with a decoy.
    pub(super) async fn verified(
        &self,
        from: ClientAddress,
        handle: &str,
        account: Option<&Account>,
        password: String,
    ) -> Result<Verified, Failure> {
        let turn = self.hashing.turn(from).await?;
        // While this try waited, others may have been wrong.
        self.parts.wrong_entries.admit_sign_in(handle, &from)?;
        let hash = account.and_then(Account::password).cloned();
        turn.run(move || passwords::verify(hash.as_ref(), &password))
            .await
    }

    /// Checks a new password for the owner of a handle, and hashes it.
    pub(super) async fn hashed(
        &self,
        from: ClientAddress,
        wanted: String,
        handle: &Handle,
    ) -> Result<PasswordHash, Failure> {
        self.hashed_for(from, wanted, handle.to_string()).await
    }

    pub(super) async fn hashed_for(
        &self,
        from: ClientAddress,
        wanted: String,
        handle: String,
    ) -> Result<PasswordHash, Failure> {
        let turn = self.hashing.turn(from).await?;
        let salt: [u8; SALT_BYTES] = self.parts.ids.bytes();
        let cost = self.parts.slow_work.of_password();
        let hashed = turn
            .run(move || NewPassword::check(&wanted, &handle).map(|new| new.hash(&salt, cost)))
            .await?;
        Ok(hashed?)
    }
}
