//! Tests of several parts together.

mod fair_play;
