//! A letter as HTML: tables and styles inside the elements, because mail programs take little else. It names no colour of
//! the page, so that it can be read on light and on dark ones.

use super::message::{BOARD_ID, Links};
use super::sheet::Sheet;
use super::words::Body;

/// The style of the whole letter.
const LETTER: &str = "font-family:Verdana,Arial,sans-serif;font-size:15px;line-height:1.5;max-width:560px;margin:0 auto;padding:16px";
/// The style of the main link.
const BUTTON: &str = "display:inline-block;padding:10px 18px;border-radius:6px;background-color:#2c6e49;color:#ffffff;text-decoration:none;font-weight:bold";
/// The style of what is less important.
const SMALL: &str = "font-size:13px;opacity:0.8";

/// Returns the HTML of a letter. `has_picture`: whether the message has a picture of the board.
pub(super) fn html(body: &Body, sheet: Option<&Sheet>, links: &Links, has_picture: bool) -> String {
    let mut inside = String::new();
    for paragraph in &body.lead {
        inside.push_str(&format!(
            "<p style=\"margin:0 0 12px\">{}</p>\n",
            escaped(paragraph)
        ));
    }
    if let Some(digits) = &body.digits {
        let style = "font-size:28px;letter-spacing:4px;font-family:monospace;margin:0 0 12px";
        inside.push_str(&format!(
            "<p style=\"{style}\"><strong>{}</strong></p>\n",
            escaped(digits)
        ));
    }
    let main = [
        (body.labels.open_game, &links.game),
        (body.labels.open_page, &links.page),
    ];
    if let Some((label, link)) = main
        .iter()
        .find_map(|(label, link)| Some((label, link.as_ref()?)))
    {
        inside.push_str(&format!(
            "<p style=\"margin:0 0 16px\"><a href=\"{}\" style=\"{BUTTON}\">{}</a></p>\n",
            escaped(link),
            escaped(label)
        ));
    }
    if let Some(sheet) = sheet {
        inside.push_str(&game(body, sheet, has_picture));
    }
    for paragraph in &body.tail {
        inside.push_str(&format!(
            "<p style=\"margin:12px 0\">{}</p>\n",
            escaped(paragraph)
        ));
    }
    let small = [
        (body.labels.settings, &links.settings),
        (body.labels.unsubscribe, &links.unsubscribe),
    ];
    for (label, link) in small
        .iter()
        .filter_map(|(label, link)| Some((label, link.as_ref()?)))
    {
        inside.push_str(&format!(
            "<p style=\"{SMALL};margin:4px 0\"><a href=\"{}\" style=\"color:inherit\">{}</a></p>\n",
            escaped(link),
            escaped(label)
        ));
    }
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"supported-color-schemes\" content=\"light dark\">\n\
         <title>{}</title></head>\n<body style=\"margin:0;padding:0\">\n<div style=\"{LETTER}\">\n{inside}</div>\n</body>\n</html>\n",
        body.labels.language,
        escaped(&body.subject),
    )
}

fn game(body: &Body, sheet: &Sheet, has_picture: bool) -> String {
    let labels = &body.labels;
    let mut text = String::new();
    let cell = "padding:4px 12px 4px 0";
    text.push_str(&format!(
        "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" style=\"margin:0 0 12px;border-collapse:collapse\" aria-label=\"{}\">\n",
        escaped(labels.scores)
    ));
    for player in &sheet.players {
        let you = match player.is_reader {
            true => format!(" ({})", escaped(labels.you)),
            false => String::new(),
        };
        text.push_str(&format!(
            "<tr><td style=\"{cell}\">{}{you}</td><td style=\"{cell};text-align:right\"><strong>{}</strong></td></tr>\n",
            escaped(&player.name),
            player.score
        ));
    }
    text.push_str("</table>\n");
    if has_picture {
        let side = "width:100%;max-width:361px;height:auto;border:0;display:block";
        text.push_str(&format!(
            "<p style=\"margin:0 0 12px\"><img src=\"cid:{BOARD_ID}\" alt=\"{}\" style=\"{side}\"></p>\n",
            escaped(labels.board)
        ));
    }
    text.push_str(&format!(
        "<p style=\"{SMALL};margin:0 0 12px\">{}: {}</p>\n",
        escaped(labels.bag),
        sheet.bag
    ));
    if !body.turns.is_empty() {
        text.push_str(&format!(
            "<p style=\"margin:0 0 4px\"><strong>{}</strong></p>\n<ul style=\"margin:0 0 12px;padding-left:20px\">\n",
            escaped(labels.turns)
        ));
        for turn in &body.turns {
            text.push_str(&format!("<li>{}</li>\n", escaped(turn)));
        }
        text.push_str("</ul>\n");
    }
    text
}

/// Returns a text that HTML shows as it is, also within quotes.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}
