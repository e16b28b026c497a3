//! Key pairs of pushes, and the contracts of pushes.

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_rules::time::Timestamp;

use super::changes::{Change, Done};
use super::keys::{self, KID_CHARS};
use super::pushes::{self, PushChange};
use super::{Connection, OptionalExtension, Result, SqlStorage};
use tilewire_base::ids::Ids;
use tilewire_base::vapid::PushSecret;
use tilewire_store::{
    AppendError, Device, Placed, PushKey, PushSettlement, PushStore, StoreError, StoredPush,
};

/// Makes the first key pair if there is none.
pub fn ensure_key(db: &Connection, now: Timestamp) -> Result<()> {
    let has_key: bool = db
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM push_keys)")?
        .query_row((), |row| row.get(0))?;
    match has_key {
        true => Ok(()),
        false => add_key(db, now).map(drop),
    }
}

/// Adds a key pair, which is the newest; returns its name.
pub(super) fn add_key(db: &Connection, now: Timestamp) -> Result<String> {
    let secret = PushSecret::fresh()
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    let kid = Ids::system().base32(KID_CHARS);
    keys::add(db, keys::PUSHES, (&kid, &secret.0), now)?;
    Ok(kid)
}

fn key(db: &Connection, kid: Option<&str>) -> Result<Option<PushKey>, StoreError> {
    let read = || {
        db.prepare_cached(
            "SELECT kid, secret FROM push_keys WHERE CAST(?1 AS TEXT) IS NULL OR kid = ?1
             ORDER BY created_at DESC, kid DESC LIMIT 1",
        )?
        .query_row([kid], |row| {
            Ok(PushKey {
                kid: row.get(0)?,
                secret: PushSecret(row.get(1)?),
            })
        })
        .optional()
    };
    read().map_err(StoreError::from)
}

impl SqlStorage {
    async fn write_push(&self, change: PushChange) -> Result<Done, StoreError> {
        let done = self.access.write(Change::Push(change)).await;
        done.map_err(AppendError::into_store_error)
    }
}

impl PushStore for SqlStorage {
    fn put_device(
        &self,
        device: Device,
        service: String,
        most: usize,
    ) -> BoxFuture<'_, Result<Placed, StoreError>> {
        async move {
            let (identity, family) = (device.identity.clone(), device.family.clone());
            let change = PushChange::Put(Box::new(device), service, most);
            match self.write_push(change).await? {
                Done::Stale => return Ok(Placed::NoSession),
                Done::Unchanged => return Ok(Placed::TooMany),
                _ => {}
            }
            let all = PushStore::devices(self, &identity).await?;
            let own = all.into_iter().find(|device| device.family == family);
            // It can be gone again: the session has ended meanwhile.
            Ok(own.map_or(Placed::NoSession, |device| Placed::Stored(device.id)))
        }
        .boxed()
    }

    fn remove_device<'a>(
        &'a self,
        identity: &'a str,
        id: &'a str,
    ) -> BoxFuture<'a, Result<bool, StoreError>> {
        let remove = self.write_push(PushChange::Remove {
            identity: identity.to_owned(),
            id: id.to_owned(),
        });
        async { Ok(remove.await? != Done::Unchanged) }.boxed()
    }

    fn devices<'a>(&'a self, identity: &'a str) -> BoxFuture<'a, Result<Vec<Device>, StoreError>> {
        let identity = identity.to_owned();
        self.access
            .read(move |db| pushes::devices(db, &identity))
            .boxed()
    }

    fn pushes_due(
        &self,
        now: Timestamp,
        without: Vec<String>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredPush>, StoreError>> {
        self.access
            .read(move |db| pushes::due(db, now, &without, limit))
            .boxed()
    }

    fn pushes_waiting(&self) -> BoxFuture<'_, Result<u64, StoreError>> {
        self.access.read(pushes::waiting).boxed()
    }

    fn begin_push<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, StoreError>> {
        let begin = self.write_push(PushChange::Begin(key.to_owned()));
        async { Ok(begin.await? != Done::Unchanged) }.boxed()
    }

    fn settle_push(
        &self,
        push: StoredPush,
        settlement: PushSettlement,
    ) -> BoxFuture<'_, Result<(), StoreError>> {
        let settle = self.write_push(PushChange::Settle(Box::new(push), settlement));
        async { settle.await.map(drop) }.boxed()
    }

    fn push_key<'a>(
        &'a self,
        kid: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<PushKey>, StoreError>> {
        let kid = kid.map(str::to_owned);
        self.access.read(move |db| key(db, kid.as_deref())).boxed()
    }
}
