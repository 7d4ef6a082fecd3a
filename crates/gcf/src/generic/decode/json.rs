//! Text as JSON text, without a tree in between.

use wire_core::json::Writer;

use super::Decoder;
use super::document::{Document, Kind, Node};
use crate::Error;

impl Decoder {
    /// A text as JSON text without white space, or [indented](Decoder::pretty). Members keep their
    /// order, and decimals are as they are in the text, with all digits (ruling A7).
    ///
    /// ```
    /// use gcf::Decoder;
    ///
    /// let text = "GCF profile=generic\n## [2]{id,unit}\n1|kg\n2|-\n";
    /// assert_eq!(
    ///     Decoder::new().gcf_to_json(text)?,
    ///     r#"[{"id":1,"unit":"kg"},{"id":2,"unit":null}]"#
    /// );
    /// assert_eq!(
    ///     Decoder::new().gcf_to_json("GCF profile=generic\n=1e400\n")?,
    ///     "1e400"
    /// );
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_str`]. No decimal is out of range.
    pub fn gcf_to_json(&self, text: &str) -> Result<String, Error> {
        let mut parser = self.open(text)?;
        self.parse(&mut parser)?;
        let document = &parser.document;
        let mut json = String::with_capacity(text.len() + text.len() / 2);
        write(document, document.node(0), &mut Writer::new(&mut json, self.layout));
        Ok(json)
    }
}

/// Appends a value. It recurses as deep as the parser did.
fn write(document: &Document<'_>, node: Node, out: &mut Writer<'_>) {
    match node.kind() {
        Kind::Null => out.raw("null"),
        Kind::False => out.raw("false"),
        Kind::True => out.raw("true"),
        Kind::Integer => match document.text(node) {
            "-0" => out.raw("0"),
            digits => out.raw(digits),
        },
        Kind::Decimal => out.raw(document.text(node)),
        Kind::Text => out.string(document.text(node)),
        Kind::Array => {
            out.begin('[');
            for item in document.siblings(node.b) {
                out.next();
                write(document, item, out);
            }
            out.end(']');
        }
        Kind::Object => {
            out.begin('{');
            for member in document.siblings(node.b) {
                out.next();
                out.string(document.key(member.key()));
                out.colon();
                write(document, member, out);
            }
            out.end('}');
        }
    }
}
