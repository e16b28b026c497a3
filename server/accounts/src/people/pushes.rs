//! Pushes to browsers: the devices of a player, and the pushes that the player wants.

use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use tilewire_people::accounts::{Account, Input, LABEL_MAX_CHARS, Origin, Refusal};
use tilewire_people::pushes::PushChoices;

use super::{Failure, People};
use crate::identity::Bearer;
use crate::seal::can_seal;
use tilewire_base::vapid::Vapid;
use tilewire_config::target::{NoTarget, Target};
use tilewire_store::{Device, DeviceOutcome, Hidden, OutboxStore, PushKey, Receiver};

/// Characters of the id of a device: 80 bits.
const ID_CHARS: usize = 16;
/// The longest endpoint, bytes.
pub(crate) const ENDPOINT_BYTES: usize = 1_024;

/// The services that the accounts use for pushes.
#[derive(Debug, Clone)]
pub struct Pushes {
    /// Devices and key pairs.
    pub store: Arc<dyn OutboxStore>,
    /// The most devices of a player.
    pub devices: usize,
    /// Whether an endpoint may have any port.
    pub any_port: bool,
}

/// A browser that asks for pushes, as its subscription describes it.
#[derive(Debug)]
pub struct DeviceAsked {
    /// The public key of this server with which the browser subscribed.
    pub key: String,
    /// Where pushes are sent to.
    pub endpoint: String,
    /// The public key of the browser, base64url.
    pub p256dh: String,
    /// The secret of the browser, base64url.
    pub auth: String,
    /// The program and the machine, for the list of devices.
    pub label: String,
}

/// A player's settings of pushes.
#[derive(Debug)]
pub struct PushState {
    /// The public key of this server, with which browsers subscribe.
    pub key: String,
    /// The pushes that the player wants.
    pub choices: PushChoices,
    /// The devices, the oldest first.
    pub devices: Vec<Device>,
    /// The most devices.
    pub most: usize,
}

impl People {
    fn pushes(&self) -> Result<&Pushes, Failure> {
        self.parts.pushes.as_ref().ok_or(Failure::PushOff)
    }

    /// Returns the settings of a registered player.
    ///
    /// # Errors
    /// When the server sends no pushes, the player has no account here, or the storage does not answer.
    pub async fn push_state(&self, bearer: &Bearer) -> Result<PushState, Failure> {
        self.pushes()?;
        let account = own(self.account(bearer).await?)?;
        self.state_of(&account).await
    }

    async fn state_of(&self, account: &Account) -> Result<PushState, Failure> {
        let pushes = self.pushes()?;
        let (_, key) = self.newest_key().await?;
        Ok(PushState {
            key,
            choices: account.pushes,
            devices: pushes.store.devices(&account.identity).await?,
            most: pushes.devices,
        })
    }

    /// Returns the newest key pair, and its public key as browsers take it.
    async fn newest_key(&self) -> Result<(PushKey, String), Failure> {
        // An open storage has one; without it nothing can be signed.
        let key = self.pushes()?.store.push_key(None).await?;
        let key = key.ok_or(Failure::Storage)?;
        let vapid = Vapid::new(&key.secret).map_err(|error| {
            tracing::error!(%error, "no browser can ask for pushes");
            Failure::Storage
        })?;
        let public = vapid.public();
        Ok((key, public))
    }

    /// Sends the pushes of a player to a browser from now on, until the session ends. A session has one browser, and a browser
    /// belongs to the player who asked last.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn add_device(
        &self,
        bearer: &Bearer,
        asked: DeviceAsked,
    ) -> Result<PushState, Failure> {
        let pushes = self.pushes()?;
        let account = own(self.account(bearer).await?)?;
        let target = self.endpoint(&asked.endpoint)?;
        let receiver = receiver(&asked).filter(can_seal).ok_or(Failure::PushKeys)?;
        let (key, public) = self.newest_key().await?;
        if asked.key != public {
            return Err(Failure::PushKeyChanged);
        }
        let label = asked.label.chars().filter(|c| !c.is_control());
        let device = Device {
            id: self.parts.ids.base32(ID_CHARS),
            identity: account.identity.clone(),
            family: bearer.pass.family.clone(),
            endpoint: Hidden(asked.endpoint),
            receiver,
            kid: key.kid,
            label: label.take(LABEL_MAX_CHARS).collect(),
            created_at: self.now(),
            used_at: None,
            sent: 0,
            day: 0,
        };
        let (server, most) = (target.server(), pushes.devices);
        match pushes.store.put_device(device, server, most).await? {
            DeviceOutcome::Stored(_) => self.state_of(&account).await,
            DeviceOutcome::TooMany => Err(Failure::TooManyDevices { most }),
            DeviceOutcome::NoSession => Err(Refusal::SessionEnded.into()),
        }
    }

    fn endpoint(&self, text: &str) -> Result<Target, Failure> {
        if text.len() > ENDPOINT_BYTES {
            return Err(Failure::Endpoint("is too long"));
        }
        let target: Target = text.parse().map_err(|error| match error {
            NoTarget::Unreadable => Failure::Endpoint("is no address"),
            NoTarget::OtherScheme => Failure::Endpoint("must begin with https://"),
            NoTarget::HasUser => Failure::Endpoint("must have no user and no password"),
        })?;
        if !self.pushes()?.any_port && !target.has_usual_port() {
            return Err(Failure::Endpoint("must have port 443"));
        }
        Ok(target)
    }

    /// Sends no more pushes to a browser.
    ///
    /// # Errors
    /// When the player has no such device, or the storage does not take it.
    pub async fn remove_device(&self, bearer: &Bearer, id: &str) -> Result<(), Failure> {
        let store = &self.pushes()?.store;
        match store.remove_device(&bearer.pass.identity, id).await? {
            true => Ok(()),
            false => Err(Failure::UnknownDevice),
        }
    }

    /// Sets the pushes that a player wants.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub async fn choose_pushes(
        &self,
        bearer: &Bearer,
        pushes: PushChoices,
    ) -> Result<PushState, Failure> {
        self.pushes()?;
        own(self.account(bearer).await?)?;
        let changed = self.change_of(bearer, Input::ChoosePushes { pushes });
        let account = changed.await?.account;
        self.state_of(&account).await
    }
}

/// Returns an account that can have devices: a user of an embedding site has no session here that a device could belong to.
fn own(account: Account) -> Result<Account, Failure> {
    if account.origin == Origin::Site {
        return Err(Refusal::SiteAccount.into());
    }
    match account.registration {
        Some(_) => Ok(account),
        None => Err(Refusal::NotRegistered.into()),
    }
}

/// Reads the keys of a browser. Some browsers pad base64url.
fn receiver(asked: &DeviceAsked) -> Option<Receiver> {
    let bytes = |text: &str| {
        let text = text.trim_end_matches('=');
        BASE64URL_NOPAD.decode(text.as_bytes()).ok()
    };
    Some(Receiver {
        public: bytes(&asked.p256dh)?.try_into().ok()?,
        auth: bytes(&asked.auth)?.try_into().ok()?,
    })
}
