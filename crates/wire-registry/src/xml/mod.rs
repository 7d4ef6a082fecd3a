//! XML as a codec (ruling R2).
//!
//! ```text
//! <context tool="t" tokens_used="63" token_budget="0">     pack_root, if any
//!   <target_symbols>                                       distance 0
//!     <symbol name="a" kind="function" score="0.50" confidence="0.25"
//!             provenance="structural" distance="0">
//!       <signature>fn a()</signature>                      if any
//!     </symbol>
//!   </target_symbols>
//!   <related_symbols>…</related_symbols>                   distance 1
//!   <extended_context>…</extended_context>                 distance 2 and more
//!   <edges>
//!     <edge source="b" target="a" type="calls"/>           status, if any
//!   </edges>
//!   <relationship_summary>
//!     <total_symbols>2</total_symbols>
//!     <total_edges>1</total_edges>
//!     <by_distance>
//!       <distance hop="0" count="1"/>
//!       <distance hop="1" count="1"/>
//!     </by_distance>
//!   </relationship_summary>
//! </context>
//! ```
//!
//! Empty groups of symbols and empty `edges` are left out. Edges are by name, so a payload can't be
//! written when an edge uses a name that two symbols share. On read:
//!
//! - The summary may be absent; if it is there, its counts must be right.
//! - Unknown attributes, comments, processing instructions and a declaration are skipped.
//! - Other elements, text between elements, and document types are errors. The only entities are
//!   the five of XML itself.

mod decode;
mod encode;
mod error;
mod grammar;

use wire_core::{
    Audience, Codec, CodecError, CodecInfo, Fidelity, Field, Loss, Magic, Payload, SymbolOrder,
    Treatment,
};

pub use error::XmlErrorKind;
use error::error;

/// A payload as an XML document, indented by two spaces, with a final newline.
///
/// ```
/// use wire_core::{Codec, Payload, Symbol};
/// use wire_registry::xml::Xml;
///
/// let mut payload = Payload::default();
/// payload.symbols = vec![Symbol::new("type", "List<T>").with_score(0.5)];
/// let mut text = Vec::new();
/// Xml.encode(&payload, &mut text)?;
/// assert!(
///     String::from_utf8_lossy(&text)
///         .contains(r#"<symbol name="List&lt;T&gt;" kind="type" score="0.50""#)
/// );
/// assert_eq!(Xml.decode(&text)?, payload);
/// # Ok::<(), wire_core::CodecError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Xml;

const INFO: CodecInfo =
    CodecInfo::new("xml", "XML, for toolchains that are built on it; larger than JSON.")
        .with_audience(Audience::People)
        .with_magic(Magic::AfterWhitespace(b"<"))
        .with_extensions(&["xml"])
        .with_media_type("application/xml")
        .with_fidelity(
            Fidelity::new(&[
                Loss::new(Field::Score, Treatment::TwoDecimals),
                Loss::new(Field::Components, Treatment::OnlyConfidence),
            ])
            .with_order(SymbolOrder::ByDistance),
        );

impl Codec for Xml {
    fn info(&self) -> &CodecInfo {
        &INFO
    }

    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let start = out.len();
        encode::document(payload, out).map_err(|message| {
            out.truncate(start);
            error(XmlErrorKind::NotRepresentable, None, message)
        })
    }

    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        decode::document(input).map(|(payload, _)| payload)
    }
}

impl Xml {
    /// Decodes, and reports the attributes that were skipped because the format does not define
    /// them: as `symbol@file`, sorted and without duplicates.
    ///
    /// ```
    /// use wire_registry::xml::Xml;
    ///
    /// let text = br#"<context tool="t" tokens_used="0" token_budget="0" trace="9"/>"#;
    /// let (_, skipped) = Xml.decode_reporting(text)?;
    /// assert_eq!(skipped, ["context@trace"]);
    /// # Ok::<(), wire_core::CodecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Codec::decode`].
    pub fn decode_reporting<'a>(
        &self,
        input: &'a [u8],
    ) -> Result<(Payload<'a>, Vec<String>), CodecError> {
        let (payload, skipped) = decode::document(input)?;
        Ok((payload, skipped.into_iter().collect()))
    }
}
