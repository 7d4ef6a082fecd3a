//! The encoders that options ask for.

use gcf::graph::Dialect;

use crate::args::{GcfOptions, Lossy};

/// What white space in names becomes with `--lossy names`.
pub(crate) const REPLACEMENT: char = '_';

/// The encoder of GCF; `by_default` is the dialect if none is named.
pub(crate) fn gcf_encoder(
    options: &GcfOptions,
    lossy: &[Lossy],
    by_default: Dialect,
) -> gcf::graph::Encoder {
    let named = options.dialect.as_deref().and_then(Dialect::from_name);
    let with = lossy.contains(&Lossy::Names).then_some(REPLACEMENT);
    gcf::graph::Encoder::new().dialect(named.unwrap_or(by_default)).replace_white_space(with)
}

/// The message about names in which an encoder replaced white space; `None` if there are no such
/// names.
pub(crate) fn names_changed(changed: usize) -> Option<String> {
    let names = if changed == 1 { "1 name".to_owned() } else { format!("{changed} names") };
    (changed > 0).then(|| format!("white space was replaced in {names}"))
}
