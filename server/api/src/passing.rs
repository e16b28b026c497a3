//! Requests that another server answers, and those that other servers pass on to this one.

use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, Uri};
use tilewire_protocol::ErrorCode;

use super::administration::{self, AdminServices};
use super::call::Call;
use super::refusal::Refusal;
use super::{Services, finished, nodes, places, refused, routes};
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::People;
use tilewire_base::address::ClientAddress;
use tilewire_relay::Exchange;
use tilewire_relay::asks::message::{
    ANSWER_MAX_BYTES, Api, Caller, HttpAnswer, HttpRequest, REQUEST_MAX_BYTES,
};
use tilewire_relay::asks::{NoAnswer, To};
use tilewire_relay::message::{Client, Payload};

/// Returns a request in the form in which servers pass it on.
pub(super) fn request(
    api: Api,
    caller: Caller,
    head: &Parts,
    body: &[u8],
) -> Result<HttpRequest, Refusal> {
    let target = head.uri.path_and_query();
    let request = HttpRequest {
        api,
        caller,
        method: head.method.as_str().to_owned(),
        target: target.map_or("/", |target| target.as_str()).to_owned(),
        entry: None,
        body: Payload(body.to_vec().into()),
    };
    if request.size() > REQUEST_MAX_BYTES {
        let message = format!("the request has more than {REQUEST_MAX_BYTES} bytes");
        let code = ErrorCode::TooLarge.as_str();
        return Err(Refusal::new(StatusCode::URI_TOO_LONG, code, message));
    }
    Ok(request)
}

/// Passes a request on, and returns the answer; `None` if this server answers after all.
pub(super) async fn pass_on(
    relay: &Exchange,
    to: To,
    method: &Method,
    request: HttpRequest,
) -> Result<Option<Response<Body>>, Refusal> {
    match relay.ask(to, method.is_idempotent(), request).await {
        Ok(answer) => Ok(Some(response(answer))),
        Err(NoAnswer::Here) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns the answer of another server as that of this one.
fn response(answer: HttpAnswer) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.body.0));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_GATEWAY);
    for (name, value) in answer.headers {
        let name = HeaderName::try_from(name);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Returns an answer of this server in the form in which it goes to another one.
async fn answer_of(response: Response<Body>) -> HttpAnswer {
    let (head, body) = response.into_parts();
    let Ok(body) = to_bytes(body, ANSWER_MAX_BYTES).await else {
        let message = format!(
            "the answer has more than {ANSWER_MAX_BYTES} bytes, and another server has it; ask for less"
        );
        let code = ErrorCode::TooLarge.as_str();
        let refusal = Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, code, message);
        return Box::pin(answer_of(refused(&refusal))).await;
    };
    let text = |value: &HeaderValue| Some(value.to_str().ok()?.to_owned());
    let headers = head.headers.iter();
    HttpAnswer {
        status: head.status.as_u16(),
        headers: headers
            .filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?)))
            .collect(),
        body: Payload(body),
    }
}

/// Answers a request that another server has passed on. It is not passed on again.
pub async fn answer_passed(
    players: Services<'_>,
    admins: AdminServices<'_>,
    request: HttpRequest,
) -> HttpAnswer {
    let players = Services {
        relay: None,
        ..players
    };
    let admins = AdminServices {
        relay: None,
        ..admins
    };
    let done = match request.api {
        Api::Players => of_player(players, request).await,
        Api::Admins => of_admin(admins, request).await,
        Api::Nodes => nodes::answer(players, admins.registry, request).await,
    };
    answer_of(finished(done)).await
}

async fn of_player(
    services: Services<'_>,
    request: HttpRequest,
) -> Result<Response<Body>, Refusal> {
    let Caller::Holder(client) = &request.caller else {
        return Err(Refusal::no_token());
    };
    let from = client.address.ok_or_else(Refusal::no_token)?;
    let holder = vouched(services.people, client).await?;
    let (method, target) = parsed(&request)?;
    let found = routes::find(&method, target.path()).map_err(|_| unreadable())?;
    // This server has it, or the other one has an old table of routes.
    if places::of(found.route.home, &found.parameters)
        .elsewhere(services.directory)
        .is_some()
    {
        return Err(NoAnswer::Unreachable.into());
    }
    let call = Call {
        services,
        from: ClientAddress::from(from),
        route: found.route,
        parameters: found.parameters,
        query: target.query().unwrap_or_default(),
        agent: String::new(),
        body: request.body.0.to_vec(),
    };
    call.answer(Some(&holder)).await
}

async fn of_admin(
    services: AdminServices<'_>,
    request: HttpRequest,
) -> Result<Response<Body>, Refusal> {
    let holder = match &request.caller {
        Caller::Operator => None,
        Caller::Holder(client) => Some(vouched(services.people, client).await?),
        Caller::Node => return Err(Refusal::no_token()),
    };
    let (method, target) = parsed(&request)?;
    let passed = administration::Passed {
        method,
        target,
        entry: request.entry,
        body: request.body.0.to_vec(),
    };
    administration::answer_passed(services, holder.as_ref(), passed).await
}

/// Returns the holder of a pass for which another server vouches.
async fn vouched(people: &People, client: &Client) -> Result<Bearer, Refusal> {
    Ok(people.vouched(client.pass()).await?)
}

/// Returns the method and the target of a request of another server.
pub(super) fn parsed(request: &HttpRequest) -> Result<(Method, Uri), Refusal> {
    let method = request.method.parse().map_err(|_| unreadable())?;
    let target = request.target.parse().map_err(|_| unreadable())?;
    Ok((method, target))
}

/// Another server has another version of the API.
pub(super) fn unreadable() -> Refusal {
    let message = "the server that answers has another version, and does not know this request";
    let code = ErrorCode::Internal.as_str();
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, code, message)
}

impl From<NoAnswer> for Refusal {
    fn from(error: NoAnswer) -> Self {
        let refused = |code: ErrorCode| {
            let status = StatusCode::SERVICE_UNAVAILABLE;
            Self::new(status, code.as_str(), error.to_string())
        };
        match error {
            NoAnswer::Here | NoAnswer::Busy | NoAnswer::Unreachable => {
                refused(ErrorCode::Busy).busy()
            }
            NoAnswer::Unknown => refused(ErrorCode::Internal),
        }
    }
}
