//! A section of numbers: each with its meaning, default and range on one place.

/// One number that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its name within its section.
    pub name: &'static str,
    /// What it means, one line.
    pub meaning: &'static str,
    /// What it is if nobody sets it.
    pub default: i64,
    /// The smallest value allowed.
    pub min: i64,
    /// The largest value allowed.
    pub max: i64,
}

/// Declares a section: a struct with a public field for each key, its defaults, and the table [`Key`] of all its keys.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $section:ident {
            $( $(#[doc = $meaning:literal])+ $name:ident: $kind:ty = $default:expr, $min:expr => $max:expr; )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $section {
            $( $(#[doc = $meaning])+ pub $name: $kind, )+
        }

        impl Default for $section {
            fn default() -> Self {
                Self { $( $name: $default, )+ }
            }
        }

        impl $section {
            /// Every key of the section.
            pub const KEYS: &'static [$crate::config::Key] = &[
                $( $crate::config::Key {
                    name: stringify!($name),
                    meaning: concat!($($meaning),+),
                    default: $default,
                    min: $min,
                    max: $max,
                }, )+
            ];
        }
    };
}
