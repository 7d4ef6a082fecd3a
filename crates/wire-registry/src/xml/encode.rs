//! Writing the document.

use std::fmt::Write as _;

use wire_core::number::{push_hundredths, push_shortest};
use wire_core::text::shown;
use wire_core::{Payload, Symbol};

use super::grammar::{EDGES, GROUPS, SUMMARY, is_xml_char};

/// Appends the document to `out`. The error is a message; then `out` may contain a part of the
/// document.
pub(super) fn document(payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), String> {
    let mut writer = Writer { out };
    writer.open("", "context");
    writer.attribute("tool", &payload.tool, || "the tool".to_owned())?;
    writer.number("tokens_used", payload.tokens_used);
    writer.number("token_budget", payload.token_budget);
    if let Some(root) = &payload.pack_root {
        writer.attribute("pack_root", root.as_str(), || "the pack root".to_owned())?;
    }
    writer.raw(">\n");
    let order = payload.distance_order();
    let distance = |index: u32| payload.symbols[index as usize].distance;
    for (group, distances) in GROUPS {
        let mut members =
            order.iter().copied().filter(|&index| distances.contains(&distance(index))).peekable();
        if members.peek().is_none() {
            continue;
        }
        writer.raw(&format!("  <{group}>\n"));
        for index in members {
            writer.symbol(index, &payload.symbols[index as usize])?;
        }
        writer.raw(&format!("  </{group}>\n"));
    }
    writer.edges(payload)?;
    writer.summary(payload, order.chunk_by(|a, b| distance(*a) == distance(*b)));
    writer.raw("</context>\n");
    Ok(())
}

struct Writer<'o> {
    out: &'o mut Vec<u8>,
}

impl Writer<'_> {
    fn raw(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn open(&mut self, indent: &str, name: &str) {
        self.raw(indent);
        self.raw("<");
        self.raw(name);
    }

    fn symbol(&mut self, index: u32, symbol: &Symbol<'_>) -> Result<(), String> {
        let of = |what: &'static str| move || format!("symbols[{index}].{what}");
        self.open("    ", "symbol");
        self.attribute("name", &symbol.qualified_name, of("qualified_name"))?;
        self.attribute("kind", symbol.kind.as_str(), of("kind"))?;
        self.double("score", symbol.score, push_hundredths, of("score"))?;
        let confidence = symbol.components.confidence;
        self.double("confidence", confidence, push_shortest, of("components.confidence"))?;
        self.attribute("provenance", symbol.provenance.as_str(), of("provenance"))?;
        self.number("distance", symbol.distance);
        if symbol.signature.is_empty() {
            self.raw("/>\n");
            return Ok(());
        }
        self.raw(">\n      <signature>");
        self.text(&symbol.signature, Place::Content, of("signature"))?;
        self.raw("</signature>\n    </symbol>\n");
        Ok(())
    }

    fn edges(&mut self, payload: &Payload<'_>) -> Result<(), String> {
        if payload.edges.is_empty() {
            return Ok(());
        }
        self.raw(&format!("  <{EDGES}>\n"));
        for (index, (edge, names)) in payload.edges.iter().zip(payload.edge_names()).enumerate() {
            let of = |what: &'static str| move || format!("edges[{index}].{what}");
            let (source, target) = names.map_err(|error| error.to_string())?;
            self.open("    ", "edge");
            self.attribute("source", source, of("source"))?;
            self.attribute("target", target, of("target"))?;
            self.attribute("type", edge.edge_type.as_str(), of("edge_type"))?;
            if !edge.status.is_unchanged() {
                self.attribute("status", edge.status.as_str(), of("status"))?;
            }
            self.raw("/>\n");
        }
        self.raw(&format!("  </{EDGES}>\n"));
        Ok(())
    }

    /// The summary; `hops` are the symbols of each distance.
    fn summary<'i>(&mut self, payload: &Payload<'_>, hops: impl Iterator<Item = &'i [u32]>) {
        let (symbols, edges) = (payload.symbols.len(), payload.edges.len());
        let mut text = format!(
            "  <{SUMMARY}>\n    <total_symbols>{symbols}</total_symbols>\n    <total_edges>{edges}</total_edges>\n    <by_distance>\n"
        );
        for hop in hops {
            let distance = payload.symbols[hop[0] as usize].distance;
            let count = hop.len();
            let _ = writeln!(text, "      <distance hop=\"{distance}\" count=\"{count}\"/>");
        }
        let _ = writeln!(text, "    </by_distance>\n  </{SUMMARY}>");
        self.raw(&text);
    }

    fn number(&mut self, name: &str, value: impl Into<u64>) {
        let value: u64 = value.into();
        self.raw(&format!(" {name}=\"{value}\""));
    }

    fn double(
        &mut self,
        name: &str,
        value: f64,
        push: fn(&mut Vec<u8>, f64),
        what: impl FnOnce() -> String,
    ) -> Result<(), String> {
        if !value.is_finite() {
            return Err(format!("{} is {value}, expected a finite number", what()));
        }
        self.raw(&format!(" {name}=\""));
        push(self.out, value);
        self.raw("\"");
        Ok(())
    }

    fn attribute(
        &mut self,
        name: &str,
        value: &str,
        what: impl FnOnce() -> String,
    ) -> Result<(), String> {
        self.raw(&format!(" {name}=\""));
        self.text(value, Place::Attribute, what)?;
        self.raw("\"");
        Ok(())
    }

    /// Text, with escapes for what XML would read differently. An XML reader converts carriage
    /// returns to line feeds, and all white space of attributes to spaces, so these are written as
    /// references.
    fn text(
        &mut self,
        text: &str,
        place: Place,
        what: impl FnOnce() -> String,
    ) -> Result<(), String> {
        if let Some(c) = text.chars().find(|c| !is_xml_char(*c)) {
            return Err(format!(
                "{} is {}, with the character {}, which is not allowed in XML, expected another",
                what(),
                shown(text),
                c.escape_default()
            ));
        }
        let mut plain = 0;
        for (at, byte) in text.bytes().enumerate() {
            let reference = match (byte, place) {
                (b'&', _) => "&amp;",
                (b'<', _) => "&lt;",
                (b'>', _) => "&gt;",
                (b'\r', _) => "&#13;",
                (b'"', Place::Attribute) => "&quot;",
                (b'\n', Place::Attribute) => "&#10;",
                (b'\t', Place::Attribute) => "&#9;",
                _ => continue,
            };
            self.raw(&text[plain..at]);
            self.raw(reference);
            plain = at + 1;
        }
        self.raw(&text[plain..]);
        Ok(())
    }
}

/// The part of the document in which a text is.
#[derive(Clone, Copy)]
enum Place {
    Attribute,
    Content,
}
