//! The page behind the link in a letter that ends letters of a kind (RFC 8058). It needs no login and no script: mail
//! programs send the request by themselves, and people press the button.

use axum::body::Body;
use axum::http::header::{
    ACCEPT_LANGUAGE, ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use tilewire_people::letters::{Language, LetterKind};

use tilewire_accounts::links::UNSUBSCRIBE_PATH;
use tilewire_accounts::people::People;

/// The page loads nothing and sends its form to this server only.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Says whether a path is that of such a link.
pub(super) fn is_known(path: &str) -> bool {
    path.starts_with(UNSUBSCRIBE_PATH)
}

/// Answers a request for the page. A `POST` ends the letters, whatever its body says.
pub(super) async fn answer(
    people: &People,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
) -> Response<Body> {
    let language = language(headers);
    let link = path.strip_prefix(UNSUBSCRIBE_PATH).unwrap_or_default();
    let Some((identity, kind)) = people.linked(link) else {
        return page(StatusCode::NOT_FOUND, language, Shown::Unknown);
    };
    match *method {
        Method::GET | Method::HEAD => page(StatusCode::OK, language, Shown::Question(kind)),
        Method::POST => match people.unsubscribe(identity, kind).await {
            Ok(()) => page(StatusCode::OK, language, Shown::Done(kind)),
            Err(_) => page(StatusCode::SERVICE_UNAVAILABLE, language, Shown::Later),
        },
        _ => {
            let mut answer = page(StatusCode::METHOD_NOT_ALLOWED, language, Shown::Unknown);
            set(&mut answer, &[(ALLOW, "GET, POST")]);
            answer
        }
    }
}

/// The content of the page.
#[derive(Debug, Clone, Copy)]
enum Shown {
    Question(LetterKind),
    Done(LetterKind),
    Later,
    Unknown,
}

/// Returns the language that the browser wants first, if the page has it.
fn language(headers: &HeaderMap) -> Language {
    let wanted = headers.get(ACCEPT_LANGUAGE);
    let wanted = wanted.and_then(|value| value.to_str().ok());
    match wanted.is_some_and(|wanted| wanted.trim_start().to_ascii_lowercase().starts_with("de")) {
        true => Language::De,
        false => Language::En,
    }
}

fn page(status: StatusCode, language: Language, shown: Shown) -> Response<Body> {
    let (tag, title) = match language {
        Language::En => ("en", "Letters"),
        Language::De => ("de", "E-Mails"),
    };
    let text = words(language, shown);
    let button = match (shown, language) {
        (Shown::Question(_), Language::En) => {
            "<form method=\"post\"><button>No more of these letters</button></form>"
        }
        (Shown::Question(_), Language::De) => {
            "<form method=\"post\"><button>Keine solchen E-Mails mehr</button></form>"
        }
        (Shown::Done(_) | Shown::Later | Shown::Unknown, _) => "",
    };
    let html = format!(
        "<!doctype html>\n<html lang=\"{tag}\">\n<head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>body{{font:16px/1.5 sans-serif;max-width:32em;margin:3em auto;padding:0 1em}}\
         button{{font:inherit;padding:.6em 1em}}</style></head>\n\
         <body><main><h1>{title}</h1>\n<p>{text}</p>\n{button}</main></body>\n</html>\n"
    );
    let mut answer = Response::new(Body::from(html));
    *answer.status_mut() = status;
    let fields = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    set(&mut answer, &fields);
    answer
}

fn set(answer: &mut Response<Body>, fields: &[(HeaderName, &'static str)]) {
    for (name, value) in fields {
        answer
            .headers_mut()
            .insert(name.clone(), HeaderValue::from_static(value));
    }
}

fn words(language: Language, shown: Shown) -> String {
    match (language, shown) {
        (Language::En, Shown::Question(kind)) => {
            let kind = kind_in_english(kind);
            format!(
                "You get letters {kind}. You can end them here, and switch them on again in your account."
            )
        }
        (Language::De, Shown::Question(kind)) => {
            let kind = kind_in_german(kind);
            format!(
                "Du bekommst E-Mails {kind}. Du kannst sie hier beenden und in deinem Konto wieder einschalten."
            )
        }
        (Language::En, Shown::Done(kind)) => {
            let kind = kind_in_english(kind);
            format!("You get no more letters {kind}.")
        }
        (Language::De, Shown::Done(kind)) => {
            let kind = kind_in_german(kind);
            format!("Du bekommst keine E-Mails {kind} mehr.")
        }
        (Language::En, Shown::Later) => "The server is busy; try again.".to_owned(),
        (Language::De, Shown::Later) => {
            "Der Server ist beschäftigt; versuche es noch einmal.".to_owned()
        }
        (Language::En, Shown::Unknown) => {
            "This link is not complete, or not of this server.".to_owned()
        }
        (Language::De, Shown::Unknown) => {
            "Dieser Link ist unvollständig oder nicht von diesem Server.".to_owned()
        }
    }
}

const fn kind_in_english(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::Turn => "when it is your turn",
        LetterKind::Update => "about turns of others",
        LetterKind::Reminder => "when your time runs out",
        LetterKind::Result => "when a game has ended",
        LetterKind::Invitation => "about invitations",
        LetterKind::Digest | LetterKind::Security | LetterKind::Code => "about games",
    }
}

const fn kind_in_german(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::Turn => "darüber, dass du am Zug bist",
        LetterKind::Update => "über Züge der anderen",
        LetterKind::Reminder => "darüber, dass deine Zeit abläuft",
        LetterKind::Result => "über das Ende von Partien",
        LetterKind::Invitation => "über Einladungen",
        LetterKind::Digest | LetterKind::Security | LetterKind::Code => "über Partien",
    }
}
