//! The forms that a text can be written in.

/// A form that the text of a result can be rewritten in (ruling M2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// Minified JSON.
    Json,
    /// The generic profile of GCF.
    Gcf,
    /// GCX1 with the types of its columns, if the value is an array of objects.
    Gcx,
}

impl Format {
    /// Every form, in the order in which they are preferred (ruling X17).
    pub const ALL: &'static [Format] = &[Format::Json, Format::Gcf, Format::Gcx];

    /// The forms that are tried by default: those of [`wire_registry::FORMS`].
    pub fn by_default() -> Vec<Format> {
        wire_registry::FORMS.into_iter().filter_map(Format::from_name).collect()
    }

    /// Its name: `json`, `gcf` or `gcx`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Gcf => "gcf",
            Format::Gcx => "gcx",
        }
    }

    /// The form of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }
}
