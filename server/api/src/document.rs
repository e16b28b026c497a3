//! The document of the API: OpenAPI 3.1, generated from the routes and the types of their bodies.

use std::sync::OnceLock;

use axum::body::Body;
use axum::http::{Response, StatusCode};
use bytes::Bytes;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use tilewire_people::pools::TimeClass;

use super::administration::Call as AdminCall;
use super::administration::routes::ADMIN_ROUTES;
use super::call::Call;
use super::refusal::ApiError;
use super::routes::{API_PATH, Handler, ROUTES, Route, Success};
use tilewire_control::admin_token::ADMIN_PATH;

/// An API that has a document.
struct Described {
    title: &'static str,
    description: &'static str,
    token: &'static str,
    path: &'static str,
    routes: &'static [Route],
    webhooks: Webhooks,
}

/// Whether a document describes the events for webhooks.
enum Webhooks {
    Described,
    None,
}

/// The API on the players' listener.
const PLAYERS: Described = Described {
    title: "Tilewire accounts, finished games and moderation",
    description: "Registration, sessions, players, finished games and moderation. Games are played over the WebSocket protocol.",
    token: "A token of the WebSocket protocol (`welcome`, `renew`) or of this API.",
    path: API_PATH,
    routes: ROUTES,
    webhooks: Webhooks::Described,
};

/// The API on the admin listener.
const ADMINS: Described = Described {
    title: "Tilewire administration",
    description: "Connections, players, games and the audit, for admins.",
    token: "The token of the operator, or that of a player with the role admin.",
    path: ADMIN_PATH,
    routes: ADMIN_ROUTES,
    webhooks: Webhooks::None,
};

/// Shows the document of the players' listener.
pub(super) fn players(_: &Call<'_>) -> Response<Body> {
    super::json(StatusCode::OK, Body::from(json()))
}

/// Shows the document of the admin listener.
pub(super) fn admins(_: &AdminCall<'_>) -> Response<Body> {
    super::json(StatusCode::OK, Body::from(admin_json()))
}

/// Returns the document of the players' listener as JSON.
fn json() -> Bytes {
    static DOCUMENT: OnceLock<Bytes> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| Bytes::from(format!("{:#}\n", document(&PLAYERS))));
    document.clone()
}

/// Returns the document of the admin listener as JSON.
fn admin_json() -> Bytes {
    static DOCUMENT: OnceLock<Bytes> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| Bytes::from(format!("{:#}\n", document(&ADMINS))));
    document.clone()
}

fn document(of: &Described) -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generators = Generators {
        answers: SchemaGenerator::new(settings.clone().for_serialize()),
        requests: SchemaGenerator::new(settings),
    };
    let mut paths: Map<String, Value> = Map::new();
    for route in of.routes {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        let method = route.method.as_str().to_lowercase();
        path[method] = operation(route, &mut generators);
    }
    let webhooks: Map<String, Value> = match of.webhooks {
        Webhooks::Described => events(&mut generators.answers),
        Webhooks::None => Map::new(),
    };
    let mut schemas = generators.requests.take_definitions(true);
    schemas.extend(generators.answers.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": of.title,
            "version": "1",
            "description": of.description,
        },
        "servers": [{ "url": of.path }],
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": of.token,
                },
            },
        },
    })
}

/// Returns the events that the server posts to webhooks.
fn events(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    let parameters: Vec<Value> = headers
        .iter()
        .map(|name| json!({ "name": name, "in": "header", "required": true, "schema": { "type": "string" } }))
        .collect();
    let described = tilewire_courier::described().into_iter();
    let events = described.map(|(kind, summary, schema)| {
        let mut schema = schema(generator).to_value();
        // Each kind has its own name in a body.
        schema = json!({ "allOf": [schema, { "properties": { "type": { "const": kind } } }] });
        let post = json!({
            "summary": summary,
            "security": [],
            "parameters": parameters,
            "requestBody": {
                "required": true,
                "content": { "application/json": { "schema": schema } },
            },
            "responses": { "2XX": { "description": "Taken. Every other answer lets the server try again." } },
        });
        (kind.to_owned(), json!({ "post": post }))
    });
    events.collect()
}

/// One generator for each direction: the server may leave out a field of an answer that a reader of a request would require.
struct Generators {
    answers: SchemaGenerator,
    requests: SchemaGenerator,
}

fn operation(route: &Route, generators: &mut Generators) -> Value {
    let content = |schema: Value| json!({ "application/json": { "schema": schema } });
    let mut success = json!({ "description": "Done." });
    match route.success {
        Success::Nothing => {}
        Success::Json(schema) => {
            success["content"] = content(schema(&mut generators.answers).to_value());
        }
        Success::Object => success["content"] = content(json!({ "type": "object" })),
        Success::Zip => success["content"] = json!({ "application/zip": {} }),
    }
    let error = generators.answers.subschema_for::<ApiError>().to_value();
    let mut operation = json!({
        "operationId": route.name,
        "summary": route.summary,
        "security": match route.handler {
            Handler::Open(_) => json!([]),
            Handler::Holder(_) | Handler::Admin(_) => json!([{ "token": [] }]),
        },
        "responses": {
            route.status.as_str(): success,
            "default": { "description": "Refused; nothing was changed.", "content": content(error) },
        },
    });
    if let Some(schema) = route.request {
        let schema = schema(&mut generators.requests).to_value();
        operation["requestBody"] = json!({ "required": true, "content": content(schema) });
    }
    let parameters = parameters(route, &mut generators.requests);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation
}

/// Returns the parameters of a route: those in its path, and those of its query.
fn parameters(route: &Route, generator: &mut SchemaGenerator) -> Vec<Value> {
    let parts = route.path.split('/');
    let names = parts.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path = names.map(|name| {
        let mut schema = json!({ "type": "string" });
        if name == "pool" {
            schema["pattern"] = pool_pattern().into();
        }
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    });
    let mut parameters: Vec<Value> = in_path.collect();
    let Some(query) = route.query else {
        return parameters;
    };
    let mut query = query(generator).to_value();
    let required = query["required"].take();
    let Some(Value::Object(fields)) = query.get_mut("properties").map(Value::take) else {
        return parameters;
    };
    for (name, mut schema) in fields {
        let description = schema
            .as_object_mut()
            .and_then(|schema| schema.remove("description"));
        parameters.push(json!({
            "name": name,
            "in": "query",
            "required": required.as_array().is_some_and(|names| names.contains(&json!(name))),
            "description": description,
            "schema": schema,
        }));
    }
    parameters
}

/// Returns the regular expression of the text form of a pool.
fn pool_pattern() -> String {
    let classes = TimeClass::ALL.map(TimeClass::name).join("|");
    format!("^(bots/)?[^/]+/[^/]+/({classes})$")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects every `$ref` of a value.
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(to)) = fields.get("$ref") {
                    found.push(to.clone());
                }
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[track_caller]
    fn check_references(document: &Value) {
        let mut found = Vec::new();
        references(document, &mut found);
        assert!(found.len() > 10, "{found:?}");
        for reference in found {
            let path = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(path).is_some(), "{reference}");
        }
    }

    #[test]
    fn the_document_of_admins_has_every_route_and_every_schema() {
        let document: Value = serde_json::from_slice(&admin_json()).unwrap();
        assert_eq!(document["servers"][0]["url"], ADMIN_PATH);
        for route in ADMIN_ROUTES {
            let method = route.method.as_str().to_lowercase();
            let operation = &document["paths"][route.path][&method];
            assert_eq!(operation["operationId"], route.name, "{}", route.path);
            assert_eq!(operation["security"][0]["token"], json!([]));
        }
        check_references(&document);
        let players: Value = serde_json::from_slice(&json()).unwrap();
        assert!(players["paths"]["/connections"].is_null());
    }

    #[test]
    fn the_document_has_every_route_and_every_schema() {
        let document: Value = serde_json::from_slice(&json()).unwrap();
        for route in ROUTES {
            let method = route.method.as_str().to_lowercase();
            let operation = &document["paths"][route.path][&method];
            assert_eq!(operation["operationId"], route.name, "{}", route.path);
        }
        check_references(&document);
        let archive = &document["paths"]["/archive"]["get"]["parameters"];
        let names: Vec<&str> = archive
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        assert!(
            names.contains(&"score_min") && names.contains(&"before"),
            "{names:?}"
        );
        let before = archive
            .as_array()
            .unwrap()
            .iter()
            .find(|parameter| parameter["name"] == "before");
        assert_eq!(before.unwrap()["schema"]["minimum"], 0);
        let pool = &document["paths"]["/leaderboards/{pool}"]["get"]["parameters"][0];
        let pattern = "^(bots/)?[^/]+/[^/]+/(ultra_blitz|blitz|rapid|standard|correspondence)$";
        assert_eq!(pool["schema"]["pattern"], pattern);
        let versus = &document["paths"]["/players/{handle}/versus/{other}"]["get"];
        assert_eq!(versus["parameters"].as_array().unwrap().len(), 2);
        let schemas = document["components"]["schemas"].as_object().unwrap();
        assert!(schemas.contains_key("SignedIn") && schemas.contains_key("Error"));
    }
}
