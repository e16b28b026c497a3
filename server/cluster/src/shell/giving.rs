//! How a part is given away: by the connection that writes its games.

use std::sync::Arc;

use tilewire_rules::time::Millis;
use tokio::time::timeout;

use super::Answer;
use tilewire_store::{AppendError, ClusterDone, ClusterError, GameWriter, Give};

/// Gives a part away. It is called off if it does not get its turn within `patience`: the lease has to be renewed.
pub(super) async fn given(writer: &dyn GameWriter, give: Arc<Give>, patience: Millis) -> Answer {
    let asked = Arc::clone(&give);
    let mut giving = writer.give(asked);
    let given = match timeout(patience.to_duration(), &mut giving).await {
        Ok(given) => given,
        Err(_) if give.call_off() => return Err(ClusterError::NoAnswer),
        // The database is asked already.
        Err(_) => giving.await,
    };
    match given {
        Ok(is_given) => Ok(ClusterDone::Given(is_given)),
        Err(AppendError::Fenced) => Err(ClusterError::Fenced),
        Err(AppendError::OutcomeUnknown(_)) => {
            // After this answer it must not be made any more.
            while let Err(AppendError::Unavailable(_) | AppendError::OutcomeUnknown(_)) =
                writer.flush().await
            {
                tokio::time::sleep(patience.to_duration()).await;
            }
            Err(ClusterError::NoAnswer)
        }
        Err(AppendError::Unavailable(_) | AppendError::Conflict { .. }) => {
            Err(ClusterError::NoAnswer)
        }
    }
}
