//! The specifications that can be written.

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
