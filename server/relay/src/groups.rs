//! Groups of channels that get the same frames, such as the spectators of a game on one gateway. The owner names each group
//! once, so that an event for all of them travels once, however many they are.

use std::collections::VecDeque;
use std::sync::Arc;

use super::message::{Channel, Group};

/// Channels of the groups that an owner and a gateway remember of each other: some 4 MiB.
const KEPT_CHANNELS: usize = 262_144;
/// Groups that they remember. The owner compares each list of channels with them.
const KEPT_GROUPS: usize = 256;

/// The groups that an owner has named to a gateway, by their numbers. Both forget the same ones, the oldest first: no message
/// between them is lost without both forgetting everything.
#[derive(Debug, Default)]
pub(super) struct Groups {
    kept: VecDeque<(u64, Arc<[Channel]>)>,
    channels: usize,
}

impl Groups {
    /// For the owner: returns how to name these channels, as a known group or as a new one with the number `next`.
    pub(super) fn name(&mut self, next: &mut u64, channels: Vec<Channel>) -> Group {
        let known = self.kept.iter().find(|(_, kept)| **kept == *channels);
        if let Some((number, _)) = known {
            return Group::Known(*number);
        }
        let number = *next;
        *next += 1;
        self.keep(number, channels.as_slice().into());
        Group::New(number, channels)
    }

    /// For the gateway: returns the channels of a group. `None`: the gateway has forgotten it, and so have its channels ended.
    pub(super) fn members(&mut self, group: Group) -> Option<Arc<[Channel]>> {
        match group {
            Group::New(number, channels) => {
                let channels: Arc<[Channel]> = channels.into();
                self.keep(number, Arc::clone(&channels));
                Some(channels)
            }
            Group::Known(number) => {
                let known = self.kept.iter().find(|(kept, _)| *kept == number);
                known.map(|(_, channels)| Arc::clone(channels))
            }
        }
    }

    fn keep(&mut self, number: u64, channels: Arc<[Channel]>) {
        self.channels += channels.len();
        self.kept.push_back((number, channels));
        while self.kept.len() > KEPT_GROUPS || self.channels > KEPT_CHANNELS {
            match self.kept.pop_front() {
                Some((_, channels)) => self.channels -= channels.len(),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(numbers: std::ops::Range<u64>) -> Vec<Channel> {
        let channel = |connection| Channel {
            connection,
            generation: 1,
        };
        numbers.map(channel).collect()
    }

    #[test]
    fn a_group_is_named_once_and_the_gateway_knows_it() {
        let (mut owner, mut gateway, mut next) = (Groups::default(), Groups::default(), 7);
        let mut name = |numbers| owner.name(&mut next, channels(numbers));
        let first = name(0..3);
        assert_eq!(first, Group::New(7, channels(0..3)));
        let second = name(0..4);
        assert_eq!(second, Group::New(8, channels(0..4)));
        let again = name(0..3);
        assert_eq!(again, Group::Known(7));
        for (group, expected) in [(first, 0..3), (second, 0..4), (again, 0..3)] {
            let members = gateway.members(group).unwrap();
            assert_eq!(*members, *channels(expected));
        }
        assert_eq!(gateway.members(Group::Known(9)), None);
    }

    /// The gateway knows every group that the owner takes for known, however many there were.
    #[test]
    fn both_forget_the_same_groups() {
        let (mut owner, mut gateway, mut next) = (Groups::default(), Groups::default(), 0);
        let large = u64::try_from(KEPT_CHANNELS / 3).unwrap();
        let lists: Vec<_> = (0..600)
            .map(|at| {
                if at % 200 == 0 {
                    at..at + large
                } else {
                    at..at + 2
                }
            })
            .collect();
        let mut known = 0;
        for at in (0..lists.len()).flat_map(|at| [at, at.saturating_sub(250), at / 2]) {
            let expected = channels(lists[at].clone());
            let group = owner.name(&mut next, expected.clone());
            known += usize::from(matches!(group, Group::Known(_)));
            assert_eq!(*gateway.members(group).unwrap(), *expected);
            assert!(owner.channels <= KEPT_CHANNELS && owner.kept.len() <= KEPT_GROUPS);
        }
        assert!(known > 100, "{known}");
    }
}
