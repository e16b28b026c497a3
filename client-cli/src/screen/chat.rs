//! Chat on the screen: lines among the messages, the number of new ones in the title, and a page with the latest.

use std::collections::VecDeque;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};
use tilewire_protocol::{ChatHidden, ChatSaid, RoomId};

use super::fit::{put_lines, wrap};
use super::{MESSAGES_KEPT, Screen, Tone};
use crate::app::Channel;
use crate::text::printable;

/// The lines of chat that the screen keeps, and the number of those that came since the player's last input.
#[derive(Debug, Default)]
pub(super) struct Chat {
    lines: VecDeque<Kept>,
    pub(super) unread: usize,
    /// Whether the page with the lines is open.
    pub(super) is_open: bool,
}

/// A line that the screen keeps.
#[derive(Debug)]
struct Kept {
    room: RoomId,
    line: u64,
    /// The line with the name before it.
    text: String,
}

impl Chat {
    /// The player has seen the lines.
    pub(super) fn seen(&mut self) {
        self.unread = 0;
    }
}

impl Screen {
    /// Shows a line of chat.
    pub(super) fn report_chat(&mut self, said: &ChatSaid, channel: Channel) {
        let name = printable(&said.line.name);
        let text = printable(&said.line.text);
        let line = match channel {
            Channel::Own => format!("You: {text}"),
            Channel::Room => format!("{name}: {text}"),
            Channel::Direct => format!("{name} (direct): {text}"),
        };
        if channel != Channel::Own {
            self.chat.unread += 1;
        }
        self.add_message(line.clone(), Tone::Chat);
        self.chat.lines.push_back(Kept {
            room: said.room.clone(),
            line: said.line.line,
            text: line,
        });
        if self.chat.lines.len() > MESSAGES_KEPT {
            self.chat.lines.pop_front();
        }
    }

    /// Takes lines off the page that a moderator has hidden. What scrolls by among the messages stays.
    pub(super) fn hide_chat(&mut self, hidden: &ChatHidden) {
        let is_hidden = |kept: &Kept| kept.room == hidden.room && hidden.lines.contains(&kept.line);
        self.chat.lines.retain(|kept| !is_hidden(kept));
    }

    /// Draws the page of the latest lines.
    pub(super) fn draw_chat(&self, area: Rect, buffer: &mut Buffer) {
        let heading = "Chat (close this page with Enter or Esc; write with say TEXT)";
        let mut lines = vec![Line::styled(heading, self.theme.strong())];
        let room = usize::from(area.height).saturating_sub(lines.len());
        let width = usize::from(area.width).saturating_sub(2);
        let wrapped = self
            .chat
            .lines
            .iter()
            .flat_map(|kept| wrap(&kept.text, width));
        let texts: Vec<String> = wrapped.collect();
        let from = texts.len().saturating_sub(room);
        lines.extend(
            texts[from..]
                .iter()
                .map(|text| Line::raw(format!("  {text}"))),
        );
        if self.chat.lines.is_empty() {
            lines.push(Line::raw("  No messages yet."));
        }
        Clear.render(area, buffer);
        put_lines(lines, area, buffer);
    }
}
