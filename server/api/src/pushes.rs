//! Requests about pushes to browsers: the key, the devices, and the pushes that a player wants.

use axum::body::Body;
use axum::http::Response;
use schemars::JsonSchema;
use serde::Deserialize;
use tilewire_people::pushes::PushChoices;
use tilewire_protocol::http;

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

const fn kinds(choices: PushChoices) -> http::PushKinds {
    let PushChoices {
        turn,
        reminder,
        result,
        invitation,
    } = choices;
    http::PushKinds {
        turn,
        reminder,
        result,
        invitation,
    }
}

const fn choices(kinds: &http::PushKinds) -> PushChoices {
    let http::PushKinds {
        turn,
        reminder,
        result,
        invitation,
    } = *kinds;
    PushChoices {
        turn,
        reminder,
        result,
        invitation,
    }
}

/// Shows the key, the devices and the choices.
pub(super) async fn show(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let state = call.people.push_state(holder).await?;
    Ok(call.ok(&body(call, holder, state)))
}

/// Sets the pushes that the player wants.
pub(super) async fn choose(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let asked: http::PushKinds = parsed(&call.body)?;
    let state = call.people.choose_pushes(holder, choices(&asked)).await?;
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

fn body(call: &Call<'_>, holder: &Bearer, state: PushState) -> http::Pushes {
    let device = |device: Device| http::PushDevice {
        id: device.id,
        label: device.label,
        created_at: device.created_at.0,
        used_at: device.used_at.map(|at| at.0),
        current: device.family == holder.pass.family,
    };
    http::Pushes {
        key: state.key,
        kinds: kinds(state.choices),
        devices: state.devices.into_iter().map(device).collect(),
        most_devices: state.most,
        server_time: call.people.now().0,
    }
}
