//! Whole games on the machine, move by move.
