//! Whole-system tests of one server, in one program, so that it is linked once.

mod admin;
mod crash_points;
mod crashes;
mod faults;
mod floods;
mod judges;
mod letters;
mod metrics;
mod noninterference;
mod packages;
mod people;
mod proxies;
mod ratings;
mod rule_sets;
mod server;
mod storms;
mod table;
mod whole_games;
mod zip;
