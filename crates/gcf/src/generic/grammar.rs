//! The names of the generic profile, and which lines are none of the value, for both directions.
//! Both profiles share the marks of sections, comments and trailers.

use crate::graph::grammar::{SUMMARY, indented_comment};

macro_rules! profile {
    () => {
        "profile=generic"
    };
}

macro_rules! header {
    () => {
        concat!("GCF ", profile!())
    };
}

/// The first field of the header.
pub const PROFILE: &str = profile!();
/// The header of a value, without the fields that may follow.
pub const HEADER: &str = header!();
/// The whole first line of a value.
pub(super) const HEADER_LINE: &str = concat!(header!(), "\n");
/// The beginning of a header of any profile.
pub(super) const ANY_PROFILE: &str = "GCF profile=";

/// Whether a line is the trailer (section 8.4).
pub(super) fn is_summary(line: &str) -> bool {
    line.strip_prefix(SUMMARY).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Whether a line is blank or a comment. A line with a tab before anything else is neither: a tab
/// is no indentation (section 4.1).
pub(super) fn is_ignored(line: &str) -> bool {
    indented_comment(line).is_some() || line.trim_start_matches(' ').is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::grammar::TAG;

    #[test]
    fn both_profiles_have_one_tag() {
        assert_eq!(HEADER, format!("{TAG} {PROFILE}"));
        assert_eq!(HEADER_LINE, format!("{HEADER}\n"));
        assert!(HEADER.starts_with(ANY_PROFILE));
    }
}
