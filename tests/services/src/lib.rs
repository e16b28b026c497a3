//! A real PostgreSQL and a real nats-server for tests, load tests and `tests/cluster-up`. Each runs as a user without
//! privileges, and ends with the process that started it, however that ends.

mod keeper;
pub mod nats;
pub mod postgres;
mod test_run;
