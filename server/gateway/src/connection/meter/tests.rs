//! The charges, their addresses, and the end of a pause in reading.

use std::net::IpAddr;

use tilewire_protocol::{Empty, ListGames};

use super::*;

fn budgets(change: impl FnOnce(&mut Limits)) -> (Arc<Budgets>, ServerClock) {
    let mut limits = Limits {
        messages_per_second: 10,
        message_burst: 10,
        budget_per_second_per_address: 100,
        budget_burst_per_address: 100,
        ..Limits::default()
    };
    change(&mut limits);
    let clock = ServerClock::manual(Timestamp(0));
    (Arc::new(Budgets::new(&limits, clock.clone())), clock)
}

fn address(text: &str) -> Option<ClientAddress> {
    Some(ClientAddress::from(text.parse::<IpAddr>().unwrap()))
}

#[test]
fn a_connection_pauses_when_it_has_used_up_its_budget() {
    let (budgets, clock) = budgets(|_| {});
    let meter = budgets.meter(PeerId(1), address("192.0.2.1"));
    for _ in 0..40 {
        assert_eq!(meter.pause(), None);
        meter.charge(Cost::ONE);
    }
    assert_eq!(meter.pause(), None);
    // The bytes of all frames count too.
    meter.charge_bytes(2_000);
    assert_eq!(meter.pause(), Some(Millis(50)));
    clock.advance(50);
    assert_eq!(meter.pause(), None);
}

#[test]
fn connections_of_a_network_share_its_budget() {
    let (budgets, _) = budgets(|_| {});
    let meters: Vec<_> = (0..10)
        .map(|host| budgets.meter(PeerId(1), address(&format!("2001:db8::{host}"))))
        .collect();
    for meter in &meters {
        meter.charge(Cost::requests(12));
    }
    let paused = meters.iter().filter(|meter| meter.pause().is_some());
    assert_eq!(paused.count(), 2, "the budget of 100 is used up by 9 of 10");
    // 64 bits beside it have their own budget, but share that of the 56 bits: 200, of which 120 are used.
    let beside = budgets.meter(PeerId(1), address("2001:db8:0:1::1"));
    beside.charge(Cost::requests(30));
    assert_eq!(beside.pause(), None);
    let next = budgets.meter(PeerId(1), address("2001:db8:0:2::1"));
    next.charge(Cost::requests(40));
    assert_eq!(next.pause(), None);
    let last = budgets.meter(PeerId(1), address("2001:db8:0:3::1"));
    last.charge(Cost::requests(20));
    assert_eq!(last.pause(), Some(Millis(50)));
    let stranger = budgets.meter(PeerId(1), address("2001:db8:1::1"));
    stranger.charge(Cost::requests(30));
    assert_eq!(stranger.pause(), None);
}

#[test]
fn connections_of_an_identity_share_its_budget() {
    let (budgets, clock) = budgets(|limits| limits.budget_burst_per_address = 1_000_000);
    let meters: Vec<_> = (0..4)
        .map(|last| budgets.meter(PeerId(1), address(&format!("192.0.2.{last}"))))
        .collect();
    for meter in &meters {
        meter.belongs_to("anna");
        meter.charge(Cost::requests(30));
    }
    let paused: Vec<_> = meters.iter().map(Meter::pause).collect();
    assert_eq!(paused, [None, None, Some(Millis(125)), Some(Millis(500))]);
    clock.advance(500);
    assert!(meters.iter().all(|meter| meter.pause().is_none()));
}

#[test]
fn requests_cost_what_they_take() {
    let list = |scope| {
        ClientMessage::ListGames(ListGames {
            scope,
            before: None,
        })
    };
    let costs = [
        Cost::of(&ClientMessage::Time(Empty {})),
        Cost::of(&list(GameScope::Live)),
        Cost::of(&list(GameScope::Finished)),
    ];
    assert_eq!(costs[0], Cost::ONE);
    assert!(costs.is_sorted() && costs[0] < costs[1] && costs[1] < costs[2]);
}

#[test]
fn full_budgets_without_a_connection_are_forgotten() {
    let (budgets, clock) = budgets(|_| {});
    for number in 0..20_000_u32 {
        clock.advance(1);
        let address = ClientAddress::from(IpAddr::from(number.to_be_bytes()));
        budgets.meter(PeerId(1), Some(address)).charge(Cost::ONE);
    }
    let known = budgets.networks.lock().unwrap().budgets.len();
    assert!(known <= 2 * SWEEP_FROM, "{known} are remembered");
}
