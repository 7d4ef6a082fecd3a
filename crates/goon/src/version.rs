//! The versions of the format.

/// A version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Version {
    /// 1.0.0, as the format was first described.
    #[default]
    V1_0_0,
    /// 4.0.1: pagination has a cursor, and no total number of rows.
    V4_0_1,
}

impl Version {
    /// Every version.
    pub const ALL: &'static [Version] = &[Version::V1_0_0, Version::V4_0_1];

    /// The version as the header states it.
    pub const fn name(self) -> &'static str {
        match self {
            Version::V1_0_0 => "1.0.0",
            Version::V4_0_1 => "4.0.1",
        }
    }

    /// The version of this text.
    pub fn from_name(text: &str) -> Option<Self> {
        Version::ALL.iter().copied().find(|version| version.name() == text)
    }
}
