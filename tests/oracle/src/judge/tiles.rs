//! The bag and the racks: every tile has one owner.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::document::{integer, list, on_rack, text, texts};
use crate::fold::Fold;
use crate::grid::Board;

/// The tiles that no player holds.
#[derive(Debug)]
pub(super) struct Bag {
    /// The number of tiles of each face in the whole set.
    counts: BTreeMap<String, i64>,
    left: i64,
    /// The tiles in drawing order, if a log shows it.
    order: Option<Vec<String>>,
    /// Exchanged tiles: they return to the bag after the new ones are drawn.
    aside: i64,
    aside_faces: Vec<String>,
}

impl Bag {
    /// Returns the full bag of a rule set.
    pub(super) fn new(rule_set: &Value) -> Result<Self> {
        let mut counts = BTreeMap::new();
        for tile in list(rule_set, "tiles")? {
            counts.insert(text(tile, "face")?.to_owned(), integer(tile, "count")?);
        }
        Ok(Self {
            left: counts.values().sum(),
            counts,
            order: None,
            aside: 0,
            aside_faces: Vec::new(),
        })
    }

    pub(super) fn drawn(&mut self, fold: &Fold, event: &Value) -> Result<()> {
        let count = integer(event, "count")?;
        ensure!(count > 0, "no tile was drawn");
        ensure!(count <= self.left, "the bag has {} tiles", self.left);
        self.left -= count;
        let told = integer(event, "bag")?;
        ensure!(told == self.left, "{} tiles are left", self.left);
        let owed = fold.seat_of(event)?.owed;
        ensure!(count >= owed, "{owed} tiles were owed");
        if let Some(tiles) = event.get("tiles") {
            let tiles = texts(tiles)?;
            let unknown = tiles.iter().find(|face| !self.counts.contains_key(*face));
            ensure!(unknown.is_none(), "{unknown:?} is not in the set");
            if let Some(order) = &mut self.order {
                let first: Vec<String> = order.drain(..tiles.len().min(order.len())).collect();
                ensure!(first == tiles, "the first tiles of the bag were {first:?}");
            }
        }
        Ok(())
    }

    pub(super) fn exchanged(&mut self, fold: &Fold, event: &Value) -> Result<()> {
        let count = integer(event, "count")?;
        let least = integer(&fold.setup["rule_set"], "exchange_min_bag")?;
        ensure!(
            self.left >= least && self.left >= count,
            "an exchange with {} tiles in the bag",
            self.left
        );
        self.aside += count;
        match event.get("tiles") {
            Some(tiles) => self.aside_faces.extend(texts(tiles)?),
            None => self.order = None,
        }
        Ok(())
    }

    pub(super) fn shuffled(&mut self, event: &Value) -> Result<()> {
        self.left += std::mem::take(&mut self.aside);
        self.aside_faces.clear();
        let count = integer(event, "count")?;
        ensure!(count == self.left, "the bag has {} tiles", self.left);
        self.order = event.get("order").map(texts).transpose()?;
        let listed = self.order.as_ref().map(Vec::len);
        ensure!(
            listed.is_none_or(|listed| listed as i64 == count),
            "{listed:?} tiles are listed"
        );
        Ok(())
    }

    /// Checks that no tile has two owners and, if all tiles are visible, that no tile is lost.
    pub(super) fn check(&self, fold: &Fold, board: &Board) -> Result<()> {
        let size = integer(&fold.setup["rule_set"], "rack_size")?;
        let mut known: BTreeMap<&str, i64> = BTreeMap::new();
        let mut racks = Vec::new();
        for seat in &fold.seats {
            if let Some(rack) = &seat.rack {
                ensure!(rack.len() as i64 <= size, "a rack has {} tiles", rack.len());
                racks.extend(rack.iter().map(String::as_str));
            }
        }
        let order = self.order.iter().flatten().map(String::as_str);
        let on_board = board.faces().map(|face| on_rack(face));
        let aside = self.aside_faces.iter().map(String::as_str);
        for face in racks.into_iter().chain(order).chain(on_board).chain(aside) {
            *known.entry(face).or_default() += 1;
        }
        let sees_all = self.order.is_some() && fold.seats.iter().all(|seat| seat.rack.is_some());
        for (face, count) in &self.counts {
            let found = known.remove(face.as_str()).unwrap_or(0);
            ensure!(
                found <= *count && (found == *count || !sees_all),
                "{found} tiles {face} are in play, the set has {count}"
            );
        }
        let other = known.keys().next();
        other
            .map_or(Some(()), |_| None)
            .with_context(|| format!("{other:?} is not in the set"))
    }
}
