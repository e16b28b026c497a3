//! Requests about pushes to browsers: the key, the devices, and the pushes that a player wants.

use axum::body::Body;
use axum::http::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tilewire_people::pushes::PushChoices;

use super::call::Call;
use super::input::parsed;
use super::refusal::Refusal;
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::{DeviceAsked, PushState};
use tilewire_store::Device;

/// Asks for pushes to a browser.
#[derive(Deserialize, JsonSchema)]
pub(super) struct AddDevice {
    /// The public key of the server, with which the browser has subscribed.
    #[schemars(length(max = 128))]
    key: String,
    /// Where pushes are sent to: an `https` address.
    #[schemars(length(max = 1024))]
    endpoint: String,
    /// The keys that pushes are encrypted with.
    keys: BrowserKeys,
    /// The program and the machine, for the list of devices.
    #[serde(default)]
    label: String,
}

/// The keys of a subscription, as `PushSubscription.toJSON` gives them.
#[derive(Deserialize, JsonSchema)]
struct BrowserKeys {
    /// The public key of the browser, base64url.
    #[schemars(length(max = 128))]
    p256dh: String,
    /// The secret of the browser and the server, base64url.
    #[schemars(length(max = 64))]
    auth: String,
}

/// The pushes that a player wants.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PushKinds")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each kind of push is switched on and off alone"
)]
pub(super) struct KindsBody {
    /// A game by correspondence waits for the player.
    turn: bool,
    /// The time of a turn runs out.
    reminder: bool,
    /// Such a game has ended.
    result: bool,
    /// Another player invites.
    invitation: bool,
}

/// A player's settings of pushes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Pushes")]
pub(super) struct PushesBody {
    /// The public key of the server, base64url: `applicationServerKey` of a subscription.
    key: String,
    /// The pushes that the player wants.
    kinds: KindsBody,
    /// The devices, the oldest first.
    devices: Vec<DeviceBody>,
    /// The most devices.
    most_devices: usize,
    /// The server's time, unix ms.
    server_time: i64,
}

/// A browser that gets pushes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PushDevice")]
pub(super) struct DeviceBody {
    /// The id.
    id: String,
    /// The program and the machine, as the program named them.
    label: String,
    /// When the player asked for pushes there, unix ms.
    created_at: i64,
    /// When the push service took a push last, unix ms; absent: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    used_at: Option<i64>,
    /// Whether the session of the request asked for it.
    current: bool,
}

impl From<PushChoices> for KindsBody {
    fn from(choices: PushChoices) -> Self {
        let PushChoices {
            turn,
            reminder,
            result,
            invitation,
        } = choices;
        Self {
            turn,
            reminder,
            result,
            invitation,
        }
    }
}

impl From<KindsBody> for PushChoices {
    fn from(kinds: KindsBody) -> Self {
        let KindsBody {
            turn,
            reminder,
            result,
            invitation,
        } = kinds;
        Self {
            turn,
            reminder,
            result,
            invitation,
        }
    }
}

/// Shows the key, the devices and the choices.
pub(super) async fn show(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let state = call.people.push_state(holder).await?;
    Ok(call.ok(&body(call, holder, state)))
}

/// Sets the pushes that the player wants.
pub(super) async fn choose(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let asked: KindsBody = parsed(&call.body)?;
    let state = call.people.choose_pushes(holder, asked.into()).await?;
    Ok(call.ok(&body(call, holder, state)))
}

/// Adds a browser.
pub(super) async fn add_device(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: AddDevice = parsed(&call.body)?;
    let asked = DeviceAsked {
        key: asked.key,
        endpoint: asked.endpoint,
        p256dh: asked.keys.p256dh,
        auth: asked.keys.auth,
        label: call.label(asked.label),
    };
    let state = call.people.add_device(holder, asked).await?;
    Ok(call.ok(&body(call, holder, state)))
}

/// Removes a browser.
pub(super) async fn remove_device(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    call.people.remove_device(holder, call.parameter(0)).await?;
    Ok(call.nothing())
}

fn body(call: &Call<'_>, holder: &Bearer, state: PushState) -> PushesBody {
    let device = |device: Device| DeviceBody {
        id: device.id,
        label: device.label,
        created_at: device.created_at.0,
        used_at: device.used_at.map(|at| at.0),
        current: device.family == holder.pass.family,
    };
    PushesBody {
        key: state.key,
        kinds: state.choices.into(),
        devices: state.devices.into_iter().map(device).collect(),
        most_devices: state.most,
        server_time: call.people.now().0,
    }
}
