//! The values of a statement's parameters `?1`, `?2` and so on.

use rusqlite::ToSql;

use super::Result;

/// Takes the values of parameters, in their order.
pub trait Binder<'p> {
    /// Takes the next value.
    fn bind<T: ToSql + ?Sized>(&mut self, value: &'p T) -> Result<()>;
}

/// All values of a statement.
pub trait Params {
    /// Gives each value to `binder`.
    fn bind_to<'p>(&'p self, binder: &mut impl Binder<'p>) -> Result<()>;
}

impl<T: ToSql, const N: usize> Params for [T; N] {
    fn bind_to<'p>(&'p self, binder: &mut impl Binder<'p>) -> Result<()> {
        self.iter().try_for_each(|value| binder.bind(value))
    }
}

/// No values.
impl Params for () {
    fn bind_to<'p>(&'p self, _: &mut impl Binder<'p>) -> Result<()> {
        Ok(())
    }
}

/// Values for a query that is assembled at run time.
impl Params for Vec<rusqlite::types::Value> {
    fn bind_to<'p>(&'p self, binder: &mut impl Binder<'p>) -> Result<()> {
        self.iter().try_for_each(|value| binder.bind(value))
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)+) => { $(
        impl<$($name: ToSql),+> Params for ($($name,)+) {
            #[expect(non_snake_case, reason = "a value is named as its type")]
            fn bind_to<'p>(&'p self, binder: &mut impl Binder<'p>) -> Result<()> {
                let ($($name,)+) = self;
                $( binder.bind($name)?; )+
                Ok(())
            }
        }
    )+ };
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}
