//! What there is to choose when values are written.

/// A specification of the generic profile that can be written. Decoders read both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spec {
    /// 3.5.3, which every implementation since 3.2 reads.
    #[default]
    V3_5,
    /// 3.6: a column that is the same in every row of a table moves into its header, as
    /// `name=value` (ruling G14). Readers of earlier specifications refuse it.
    V3_6,
}

impl Spec {
    /// Every specification, the default first.
    pub const ALL: &'static [Spec] = &[Spec::V3_5, Spec::V3_6];

    /// Its name: `3.5` or `3.6`.
    pub const fn name(self) -> &'static str {
        match self {
            Spec::V3_5 => "3.5",
            Spec::V3_6 => "3.6",
        }
    }

    /// The specification with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Spec::ALL.iter().copied().find(|spec| spec.name() == name)
    }
}

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Config {
    /// Whether objects in rows can be columns of their own.
    pub(super) flatten: bool,
    pub(super) spec: Spec,
    /// Whether a decimal of a JSON text that is not a double is an error.
    #[cfg(feature = "json")]
    pub(super) exact: bool,
}

impl Config {
    pub(super) const DEFAULT: Config = Config {
        flatten: true,
        spec: Spec::V3_5,
        #[cfg(feature = "json")]
        exact: false,
    };
}

impl Default for Config {
    fn default() -> Self {
        Config::DEFAULT
    }
}
