//! All contracts of the stores, for a storage on a database.

use std::sync::Arc;

use super::{
    ResultStore, Storage, account_contract, chat_contract, conduct_contract, contract_suite,
    letter_contract, moderation_contract, push_contract, relation_contract, result_contract,
    webhook_contract,
};

/// Checks a storage against all contracts.
pub async fn check<S: Storage + 'static>(storage: S) {
    contract_suite::journal(&storage).await;
    contract_suite::lobby(&storage).await;
    contract_suite::identities(&storage).await;
    contract_suite::liveness(&storage).await;
    contract_suite::credentials(&storage).await;
    account_contract::accounts(&storage).await;
    relation_contract::relations(&storage).await;
    chat_contract::chat(&storage).await;
    letter_contract::letters(&storage).await;
    push_contract::pushes(&storage).await;
    moderation_contract::moderation(&storage).await;
    result_contract::results(&storage).await;
    let write = async |chapter| ResultStore::write(&storage, chapter).await;
    conduct_contract::conduct(&storage, &storage, write).await;
    webhook_contract::webhooks(&storage).await;
    contract_suite::contention(Arc::new(storage)).await;
}
