//! The limits of connections: of an address, of a network, of all.

use std::net::IpAddr;

use super::*;

fn connections(change: impl FnOnce(&mut Limits)) -> Arc<Connections> {
    let mut limits = Limits {
        connections: 6,
        connections_per_address: 3,
        unauthenticated: 5,
        unauthenticated_per_address: 2,
        accepts_per_second: 10,
        accept_burst: 100,
        accepts_per_second_per_address: 10,
        accept_burst_per_address: 100,
        ..Limits::default()
    };
    change(&mut limits);
    Arc::new(Connections::new(&limits, Timestamp(0)))
}

fn address(last: u8) -> Option<ClientAddress> {
    Some(ClientAddress::from(IpAddr::from([192, 0, 2, last])))
}

fn refusal(connections: &Arc<Connections>, last: u8) -> Option<Refusal> {
    connections.enter(address(last), Timestamp(0)).err()
}

#[test]
fn an_address_runs_into_its_own_limits_and_leaves_room_for_others() {
    let all = connections(|_| {});
    let first = all.enter(address(1), Timestamp(0)).unwrap();
    let second = all.enter(address(1), Timestamp(0)).unwrap();
    assert_eq!(refusal(&all, 1), Some(Refusal::AddressUnauthenticated));
    first.authenticated();
    first.authenticated();
    let third = all.enter(address(1), Timestamp(0)).unwrap();
    second.authenticated();
    assert_eq!(refusal(&all, 1), Some(Refusal::AddressFull));
    assert_eq!(refusal(&all, 2), None);
    drop(third);
    assert_eq!(refusal(&all, 1), None);
    drop((first, second));
    assert_eq!(all.count(), 0);
    assert_eq!(all.lock().all.unauthenticated, 0);
}

#[test]
fn the_whole_server_has_limits_too() {
    let all = connections(|limits| limits.connections = 5);
    let slots: Vec<_> = (0..5)
        .map(|last| all.enter(address(last), Timestamp(0)).unwrap())
        .collect();
    assert_eq!(refusal(&all, 9), Some(Refusal::Full));
    drop(slots);
    let all = connections(|_| {});
    let slots: Vec<_> = (0..5)
        .map(|last| all.enter(address(last), Timestamp(0)).unwrap())
        .collect();
    assert_eq!(refusal(&all, 9), Some(Refusal::Unauthenticated));
    slots[0].authenticated();
    assert_eq!(refusal(&all, 9), None);
}

#[test]
fn a_flood_from_one_address_does_not_use_up_the_rate_of_all() {
    let all = connections(|limits| {
        limits.accept_burst = 3;
        limits.accept_burst_per_address = 1;
    });
    assert_eq!(refusal(&all, 1), None);
    for _ in 0..100 {
        assert_eq!(refusal(&all, 1), Some(Refusal::AddressTooFast(Millis(100))));
    }
    assert_eq!(refusal(&all, 2), None);
    assert_eq!(refusal(&all, 3), None);
    let refused = refusal(&all, 4).unwrap();
    assert_eq!(refused, Refusal::TooFast(Millis(100)));
    assert_eq!(refused.retry_after_s(), 1);
    assert!(all.enter(address(4), Timestamp(100)).is_ok());
}

#[test]
fn many_networks_of_one_customer_share_limits() {
    let all = connections(|limits| {
        limits.connections = 1_000;
        limits.unauthenticated = 1_000;
    });
    let enter = |network: u16| {
        let bits = (0x2001_0db8_u128 << 96) | (u128::from(network) << 64);
        let address = IpAddr::from(std::net::Ipv6Addr::from_bits(bits));
        all.enter(Some(ClientAddress::from(address)), Timestamp(0))
    };
    // Two for 64 bits, four for 56, eight for 48.
    let mut slots = Vec::new();
    for network in 0..100 {
        slots.extend(enter(network));
    }
    assert_eq!(slots.len(), 4);
    for network in 0..100 {
        slots.extend(enter(network << 8));
    }
    assert_eq!(slots.len(), 8);
    assert_eq!(enter(0x7f00).err(), Some(Refusal::AddressUnauthenticated));
    drop(slots);
    let counts = all.lock();
    assert!(counts.networks.values().all(|tally| tally.open == 0));
}

#[test]
fn a_proxys_client_is_counted_when_it_is_known() {
    let all = connections(|_| {});
    let slots: Vec<_> = (0..3)
        .map(|_| all.enter(None, Timestamp(0)).unwrap())
        .collect();
    let one = address(1).unwrap();
    assert_eq!(slots[0].comes_from(one, Timestamp(0)), Ok(()));
    assert_eq!(slots[0].comes_from(one, Timestamp(0)), Ok(()));
    assert_eq!(slots[1].comes_from(one, Timestamp(0)), Ok(()));
    assert_eq!(
        slots[2].comes_from(one, Timestamp(0)),
        Err(Refusal::AddressUnauthenticated)
    );
    drop(slots);
    let counts = all.lock();
    let tallies = one
        .networks()
        .map(|(network, _)| counts.networks[&network].open);
    assert_eq!(tallies.collect::<Vec<_>>(), [0]);
}

#[test]
fn who_has_gone_and_rested_is_forgotten() {
    let all = connections(|limits| {
        limits.accept_burst = 1_000_000;
        limits.accepts_per_second = 1_000_000;
    });
    for number in 0..20_000_u32 {
        let address = IpAddr::from(number.to_be_bytes());
        let at = i64::from(number);
        drop(
            all.enter(Some(ClientAddress::from(address)), Timestamp(at))
                .unwrap(),
        );
    }
    let known = all.lock().networks.len();
    assert!(known <= 2 * SWEEP_FROM, "{known} are remembered");
}
