//! What a tool's response in GCX has beside its value.

use std::collections::BTreeSet;

use gcx::SliceReader;
use gcx::layout::Layout;

/// A description of the metadata in the headers of a GCX response that its JSON lacks, and that
/// would be lost if it were written again.
pub fn lost_meta(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let mut reader = SliceReader::new(text);
    let mut lost = Vec::new();
    let mut is_typed = None;
    while let Ok(Some(header)) = reader.next_section() {
        let layout = Layout::of_section(header.tool())
            .filter(|_| !*is_typed.get_or_insert_with(|| header.meta(TYPED).is_some()));
        let section = layout.and_then(|(tool, layout)| {
            let suffix = header.tool().strip_prefix(tool)?;
            layout.sections.iter().find(|section| section.suffix == suffix)
        });
        let of_layout: BTreeSet<&str> =
            section.into_iter().flat_map(|section| section.meta).map(|meta| meta.key).collect();
        let extras = section.and_then(|_| header.meta(EXTRAS)).unwrap_or_default();
        let further: BTreeSet<&str> = extras.split(',').skip(1).collect();
        let is_lost = |key: &str| {
            let is_form = key == TYPED || (key == EXTRAS && section.is_some());
            !is_form && !of_layout.contains(key) && !further.contains(key)
        };
        let of_section = header.all_meta().filter(|(key, _)| is_lost(key));
        lost.extend(of_section.map(|(key, value)| format!("{key}={value} of {}", header.tool())));
    }
    (!lost.is_empty()).then(|| {
        format!("metadata is left out, which the JSON can't represent: {}", lost.join(", "))
    })
}

/// The metadata keys of the typed form, and of members after a layout.
const TYPED: &str = "typed";
const EXTRAS: &str = "extras";
