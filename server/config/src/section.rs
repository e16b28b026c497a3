//! A section of numbers: the name, meaning, default and range of each in one place.

/// A setting that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its name within its section.
    pub name: &'static str,
    /// Its meaning, in one line.
    pub meaning: &'static str,
    /// The default.
    pub default: i64,
    /// The smallest value allowed.
    pub min: i64,
    /// The largest value allowed.
    pub max: i64,
}

/// Converts the default of a setting to the type of the setting.
macro_rules! setting_value {
    (Millis, $default:expr) => {
        ::tilewire_rules::time::Millis($default)
    };
    ($kind:ident, $default:expr) => {
        $default
    };
}

/// Declares a section: a struct with a public field for each key, its defaults, and the table [`Key`] of all its keys that are
/// numbers. `texts`, which are empty by default, come first.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $section:ident {
            $( texts { $( $(#[doc = $about_text:literal])+ $text:ident: $text_kind:ty; )+ } )?
            $( $(#[doc = $meaning:literal])+ $name:ident: $kind:ident = $default:expr, $min:expr => $max:expr; )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $section {
            $( $( $(#[doc = $about_text])+ pub $text: $text_kind, )+ )?
            $( $(#[doc = $meaning])+ pub $name: $kind, )+
        }

        impl Default for $section {
            fn default() -> Self {
                Self { $( $( $text: <$text_kind>::default(), )+ )? $( $name: setting_value!($kind, $default), )+ }
            }
        }

        impl $section {
            /// Every key of the section that is a number.
            pub const KEYS: &'static [$crate::Key] = &[
                $( $crate::Key {
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

/// Declares the keys of a section that are numbers, for a section that has other values too.
macro_rules! number_keys {
    ($($name:literal $meaning:literal $default:expr, $min:expr => $max:expr;)+) => {
        &[$($crate::Key { name: $name, meaning: $meaning, default: $default, min: $min, max: $max }),+]
    };
}
