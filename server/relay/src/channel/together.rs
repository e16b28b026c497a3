//! Combines the output of a node's channels: consecutive frames of one channel, and equal frames for several channels.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Item, Output};
use crate::batch::PAYLOAD_MAX_BYTES;
use crate::message::{Frame, FrameSummary, Payload};
use crate::owner::Key;
use tilewire_delivery::outbound::{Framed, PushFrame, Pushes};
use tilewire_store::NodeId;

/// Bytes of frames that are put together.
const MOST_BYTES: usize = PAYLOAD_MAX_BYTES / 2;
/// Channels that get the same frames in one message. More get a further message.
const CHANNELS_TOGETHER: usize = 16_384;

/// The combined output so far.
#[derive(Debug, Default)]
pub(super) struct Together {
    said: Vec<Output>,
    /// The place of the last thing that each channel has said.
    last: HashMap<Key, usize>,
    /// The place of frames that several channels say. Their address names them as long as they are here.
    shared: HashMap<(NodeId, *const Framed), (usize, Arc<Framed>)>,
}

impl Together {
    /// Adds what a channel says next.
    pub(super) fn add(&mut self, of: Key, item: Item) {
        match item {
            Item::Answer(frame, waiting) => {
                waiting.fetch_sub(frame.message.0.len(), Ordering::Relaxed);
                self.frames(of, vec![frame]);
            }
            Item::Push(pushes, waiting) => {
                let sizes = pushes.frames().iter().map(|frame| frame.payload().len());
                let size = sizes.sum();
                waiting.fetch_sub(size, Ordering::Relaxed);
                match pushes {
                    Pushes::Framed(framed) if size <= MOST_BYTES => self.share(of, framed),
                    pushes => self.frames(of, frames(pushes.frames())),
                }
            }
            Item::HandBack(relay_id) => self.say(of, Output::HandBack(of, relay_id)),
            Item::Unreadable(relay_id) => self.say(of, Output::Unreadable(of, relay_id)),
            Item::LetGo(game) => self.say(of, Output::LetGo(of, game)),
            Item::Close(code, reason) => self.say(of, Output::Close(of, code, reason)),
        }
    }

    /// Returns everything in order.
    pub(super) fn finish(self) -> Vec<Output> {
        let alone = |said| match said {
            Output::Shared(gateway, channels, frames) if channels.len() == 1 => {
                let channel = channels[0];
                Output::Frames(Key { gateway, channel }, frames)
            }
            said => said,
        };
        self.said.into_iter().map(alone).collect()
    }

    fn say(&mut self, of: Key, said: Output) {
        self.last.insert(of, self.said.len());
        self.said.push(said);
    }

    /// Adds frames of one channel, to those before if the same channel has said these.
    fn frames(&mut self, of: Key, frames: Vec<Frame>) {
        for frame in frames {
            match self.said.last_mut() {
                Some(Output::Frames(key, before)) if *key == of && fits(before, &frame) => {
                    before.push(frame);
                }
                _ => self.say(of, Output::Frames(of, vec![frame])),
            }
        }
    }

    /// Adds frames that other channels may say too.
    fn share(&mut self, of: Key, framed: Arc<Framed>) {
        let name = (of.gateway, Arc::as_ptr(&framed));
        let last = self.last.get(&of);
        if let Some((place, _)) = self.shared.get(&name)
            // Only if the channel has no later output: frames of one channel keep their order.
            && last.is_none_or(|last| last < place)
            && let Some(Output::Shared(_, channels, _)) = self.said.get_mut(*place)
            && channels.len() < CHANNELS_TOGETHER
        {
            channels.push(of.channel);
            self.last.insert(of, *place);
            return;
        }
        let frames = frames(framed.frames());
        self.shared.insert(name, (self.said.len(), framed));
        self.say(of, Output::Shared(of.gateway, vec![of.channel], frames));
    }
}

/// Says whether another frame is put together with these.
fn fits(frames: &[Frame], next: &Frame) -> bool {
    let together = frames.iter().chain([next]);
    together.map(|frame| frame.message.0.len()).sum::<usize>() <= MOST_BYTES
}

fn frames(pushes: &[PushFrame]) -> Vec<Frame> {
    let frame = |push: &PushFrame| Frame {
        summary: FrameSummary::from(push.summary()),
        message: Payload(push.payload().clone()),
    };
    pushes.iter().map(frame).collect()
}
