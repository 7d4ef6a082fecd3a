//! The encoders that options ask for.

use gcf::graph::Dialect;
use goon::Version;

use crate::args::{GcfOptions, GoonOptions};
use crate::failure::Failure;

/// The encoder of GCF; the default dialect of a stream has a trailer.
pub(crate) fn gcf_encoder(
    options: &GcfOptions,
    stream: bool,
) -> Result<gcf::graph::Encoder, Failure> {
    let mut encoder = gcf::graph::Encoder::new();
    if let Some(name) = &options.dialect {
        let dialect = Dialect::from_name(name)
            .ok_or_else(|| Failure::usage(format!("there is no dialect {name:?}")))?;
        encoder = encoder.dialect(dialect);
    } else if stream {
        encoder = encoder.dialect(Dialect::V3);
    }
    if let Some(with) = options.replace_white_space
        && wire_core::text::breaks_token(with)
    {
        let message = format!(
            "--replace-white-space is {with:?}, expected no white space or control character"
        );
        return Err(Failure::usage(message));
    }
    Ok(encoder.replace_white_space(options.replace_white_space))
}

/// The message about names in which an encoder replaced white space; `None` if there are no such
/// names.
pub(crate) fn names_changed(changed: usize) -> Option<String> {
    let names = if changed == 1 { "1 name".to_owned() } else { format!("{changed} names") };
    (changed > 0).then(|| format!("white space was replaced in {names}"))
}

/// The encoder of GOON.
pub(crate) fn goon_encoder(options: &GoonOptions) -> Result<goon::Encoder, Failure> {
    let mut encoder = goon::Encoder::new();
    if let Some(name) = &options.goon_version {
        let version = Version::from_name(name)
            .ok_or_else(|| Failure::usage(format!("there is no version {name:?}")))?;
        encoder = encoder.version(version);
    }
    if options.no_truncation {
        encoder = encoder.long_text(None).other_text(None);
    }
    Ok(encoder
        .quote_numbers(options.quote_numbers)
        .drop_unrepresentable(options.drop_unrepresentable))
}
