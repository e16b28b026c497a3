//! The command `admin`: asks a running server over its admin listener, and prints the answer.

mod http;
mod request;
mod text;

use anyhow::bail;
use serde_json::{Value, json};

use crate::cli::AdminCommand;
use request::{ConsoleRequest, Print, asked};
use tilewire_base::clock::ServerClock;
use tilewire_config::Config;
use tilewire_control::admin_token::AdminToken;

/// The most pages of a list.
const PAGES_MOST: usize = 1_000;

/// Asks the running server, and returns what there is to say.
///
/// # Errors
/// When no server runs, it does not take the token, or it refuses the request.
pub fn admin(config: &Config, command: &AdminCommand) -> anyhow::Result<String> {
    let token = AdminToken::of_server(config)?;
    let server = http::Server::at(config.admin_listen, &token);
    let asked = asked(&command.task, ServerClock::system().now());
    let answer = match &asked.print {
        Print::List(list) => pages(&server, &asked, list.field, list.place)?,
        _ => server.ask(&asked)?,
    };
    match command.json {
        true => Ok(format!("{answer:#}\n")),
        false => Ok(text::of(&asked.print, &answer)),
    }
}

/// Asks for all pages of a list.
fn pages(
    server: &http::Server,
    asked: &ConsoleRequest,
    field: &'static str,
    place: &'static str,
) -> anyhow::Result<Value> {
    let mut lines = Vec::new();
    let mut page = asked.clone();
    for _ in 0..PAGES_MOST {
        let mut answer = server.ask(&page)?;
        if let Some(Value::Array(found)) = answer.get_mut(field).map(Value::take) {
            lines.extend(found);
        }
        let next = match answer.get("next") {
            None => {
                let mut all = json!({ field: lines });
                if let Some(missing) = answer.get_mut("missing_servers") {
                    all["missing_servers"] = missing.take();
                }
                return Ok(all);
            }
            Some(Value::String(next)) => next.clone(),
            Some(next) => next.to_string(),
        };
        page = asked.clone();
        page.query.push((place, next));
    }
    bail!("the list has more than {PAGES_MOST} pages; name filters")
}
