//! The document of the API: OpenAPI 3.1, generated from the routes and the types of their bodies.

use std::sync::OnceLock;

use bytes::Bytes;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::refusal::ApiError;
use super::routes::{API_PATH, Access, ROUTES, Route};

/// Returns the document as JSON.
pub(super) fn json() -> Bytes {
    static DOCUMENT: OnceLock<Bytes> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| Bytes::from(format!("{:#}\n", document())));
    document.clone()
}

fn document() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = SchemaGenerator::new(settings);
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        let method = route.method.as_str().to_lowercase();
        path[method] = operation(route, &mut generator);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tilewire accounts",
            "version": "1",
            "description": "Registration, sessions and players. Games are played over the WebSocket protocol.",
        },
        "servers": [{ "url": API_PATH }],
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of the WebSocket protocol (`welcome`, `renew`) or of this API.",
                },
            },
        },
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let content = |schema: Value| json!({ "application/json": { "schema": schema } });
    let (status, answer) = &route.answer;
    let mut success = json!({ "description": "Done." });
    if let Some(schema) = answer {
        success["content"] = content(schema(generator).to_value());
    }
    let error = generator.subschema_for::<ApiError>().to_value();
    let mut operation = json!({
        "operationId": route.name,
        "summary": route.summary,
        "security": match route.access {
            Access::Token => json!([{ "token": [] }]),
            Access::Everybody => json!([]),
        },
        "responses": {
            status.as_str(): success,
            "default": { "description": "Refused; nothing was changed.", "content": content(error) },
        },
    });
    if let Some(schema) = route.request {
        let schema = schema(generator).to_value();
        operation["requestBody"] = json!({ "required": true, "content": content(schema) });
    }
    let parameter = route.path.split_once('{');
    if let Some((name, _)) = parameter.and_then(|(_, rest)| rest.split_once('}')) {
        operation["parameters"] = json!([{
            "name": name,
            "in": "path",
            "required": true,
            "schema": { "type": "string" },
        }]);
    }
    operation
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

    #[test]
    fn the_document_has_every_route_and_every_schema() {
        let document: Value = serde_json::from_slice(&json()).unwrap();
        for route in ROUTES {
            let method = route.method.as_str().to_lowercase();
            let operation = &document["paths"][route.path][&method];
            assert_eq!(operation["operationId"], route.name, "{}", route.path);
        }
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 10, "{found:?}");
        for reference in found {
            let path = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(path).is_some(), "{reference}");
        }
        let schemas = document["components"]["schemas"].as_object().unwrap();
        assert!(schemas.contains_key("SignedIn") && schemas.contains_key("Error"));
    }
}
