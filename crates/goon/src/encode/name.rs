//! Names, before they are written.

use wire_core::text::shown;

use crate::grammar::is_name;
use crate::{Error, ErrorKind};

/// Checks that a name can be read back.
pub(super) fn check_name(what: &str, name: &str) -> Result<(), Error> {
    if is_name(name) {
        return Ok(());
    }
    let message = format!(
        "{what} is {}, expected a name without white space, control characters, `=`, `(`, `)`, `,`, `:` and `-->`",
        shown(name)
    );
    Err(Error::encode(ErrorKind::InvalidName, message))
}
