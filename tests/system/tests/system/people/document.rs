//! Validates answers of the API with the document that the server has of them.

use serde_json::Value;
use tilewire_harness::http::get;
use tilewire_harness::server::Server;

/// Checks an answer to a request such as `GET /players/anna`.
///
/// # Panics
/// When the document does not have the request or its status, or the body differs from its schema.
#[track_caller]
pub(super) fn check(server: &Server, request: &str, status: u16, body: &Value) {
    let (_, text) = get(&server.address, "/api/v1/openapi.json");
    let document: Value = serde_json::from_str(&text).expect("the document is JSON");
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let path = path.split('?').next().unwrap_or_default();
    let paths = document["paths"].as_object().expect("paths");
    let template = paths.keys().find(|known| *known == path);
    let template = template.or_else(|| paths.keys().find(|known| fits(known, path)));
    let template = template.unwrap_or_else(|| panic!("the document has no {path}"));
    let operation = &paths[template][method.to_lowercase()];
    let answer = &operation["responses"][status.to_string()];
    let mut schema = answer["content"]["application/json"]["schema"].clone();
    assert!(schema.is_object(), "{request} {status}: {operation}");
    schema["components"] = document["components"].clone();
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(body)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{request}: {errors:?} in {body}");
}

/// Says whether a path has the form of one with parameters, such as `/players/{handle}`.
fn fits(template: &str, path: &str) -> bool {
    let (parts, known) = (path.split('/'), template.split('/'));
    let is_it = |(part, known): (&str, &str)| part == known || known.starts_with('{');
    parts.clone().count() == known.clone().count() && parts.zip(known).all(is_it)
}
