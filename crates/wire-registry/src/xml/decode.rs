//! Reading the document: a descent of a fixed depth over the events of `quick-xml`.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use quick_xml::XmlVersion;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use wire_core::text::shown;
use wire_core::{
    CodecError, Components, Endpoint, NameProblem, NamedEdge, PackRoot, Payload, PayloadBuilder,
    Position, Symbol,
};

use super::{EDGES, GROUPS, SUMMARY, XmlErrorKind, error, is_xml_char};

/// More than any element has; the check that no two have one name takes time for each pair.
const MOST_ATTRIBUTES: usize = 64;

/// The payload, and the attributes that were skipped: as `symbol@file`, each once.
pub(super) fn document(input: &[u8]) -> Result<(Payload<'_>, BTreeSet<String>), CodecError> {
    let text = std::str::from_utf8(input).map_err(|found| {
        let at = found.valid_up_to();
        let message = format!("the byte 0x{:02x} is not UTF-8, expected UTF-8 text", input[at]);
        error(XmlErrorKind::Syntax, Some(Position::in_text(input, at)), message)
    })?;
    if let Some((at, c)) = text.char_indices().find(|(_, c)| !is_xml_char(*c)) {
        let message = format!("XML has no character {}, expected others", c.escape_default());
        return Err(error(XmlErrorKind::Syntax, Some(Position::in_text(input, at)), message));
    }
    let mut reader = Reader::from_str(text);
    // Then `<a/>` is `<a></a>`.
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().check_comments = true;
    Parser { text, reader, at: 0, depth: 0, skipped: RefCell::default() }.document()
}

struct Parser<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    /// Where the last event began.
    at: usize,
    /// How many elements are open.
    depth: usize,
    /// Attributes that no rule names.
    skipped: RefCell<BTreeSet<String>>,
}

/// The attributes of an element, in the order in which they were asked for.
type Values<'a, const N: usize> = [Option<(usize, Cow<'a, str>)>; N];

impl<'a> Parser<'a> {
    fn document(mut self) -> Result<(Payload<'a>, BTreeSet<String>), CodecError> {
        let context = self.child(&["context"], "the document")?.ok_or_else(|| {
            self.fail(
                XmlErrorKind::UnexpectedEnd,
                self.text.len(),
                "there is no element, expected <context>".to_owned(),
            )
        })?;
        let start = self.at;
        let [tool, used, budget, root] =
            self.attributes(&context, ["tool", "tokens_used", "token_budget", "pack_root"])?;
        let tool = self.required(tool, "tool", "context", start)?.1;
        let mut builder = PayloadBuilder::new(tool)
            .tokens_used(self.integer(&self.required(used, "tokens_used", "context", start)?)?)
            .token_budget(self.integer(&self.required(
                budget,
                "token_budget",
                "context",
                start,
            )?)?);
        if let Some((at, root)) = root.filter(|(_, root)| !root.is_empty()) {
            let root = PackRoot::new(root)
                .map_err(|found| self.fail(XmlErrorKind::InvalidValue, at, found.to_string()))?;
            builder = builder.pack_root(root);
        }
        let (builder, ends) = self.body(builder)?;
        self.after()?;
        let payload = builder.build().map_err(|found| {
            let kind = match found.problem {
                NameProblem::Unknown => XmlErrorKind::UnknownSymbolName,
                NameProblem::Ambiguous => XmlErrorKind::AmbiguousSymbolName,
            };
            let at = ends[found.edge][usize::from(found.endpoint == Endpoint::Target)];
            self.fail(kind, at, format!("{found}, expected the name of exactly one symbol"))
        })?;
        Ok((payload, self.skipped.into_inner()))
    }

    /// What stands in `<context>`: each at most once, in this order. Gives where the ends of each edge are named, too.
    fn body(
        &mut self,
        mut builder: PayloadBuilder<'a>,
    ) -> Result<(PayloadBuilder<'a>, Vec<[usize; 2]>), CodecError> {
        let names = [GROUPS[0].0, GROUPS[1].0, GROUPS[2].0, EDGES, SUMMARY];
        let mut symbols: BTreeMap<u32, usize> = BTreeMap::new();
        let mut ends = Vec::new();
        let mut first = 0;
        while let Some(element) = self.child(&names[first..], "context")? {
            let place = names.iter().position(|name| *name == element.name().0);
            let place = place.expect("because the element is one of these");
            first = place + 1;
            self.attributes(&element, [])?;
            if let Some((group, distances)) = GROUPS.get(place) {
                while let Some(element) = self.child(&["symbol"], group)? {
                    let (at, symbol) = self.symbol(&element)?;
                    if !distances.contains(&symbol.distance) {
                        let message = format!(
                            "the distance is {}, expected one of <{group}>",
                            symbol.distance
                        );
                        return Err(self.fail(XmlErrorKind::InvalidValue, at, message));
                    }
                    *symbols.entry(symbol.distance).or_default() += 1;
                    builder = builder.symbol(symbol);
                }
            } else if names[place] == EDGES {
                while let Some(element) = self.child(&["edge"], EDGES)? {
                    let (places, edge) = self.edge(&element)?;
                    ends.push(places);
                    builder = builder.edge(edge);
                    self.empty("edge")?;
                }
            } else {
                self.summary(&symbols, ends.len())?;
            }
        }
        Ok((builder, ends))
    }

    /// A symbol, and where its distance is.
    fn symbol(&mut self, element: &BytesStart<'a>) -> Result<(usize, Symbol<'a>), CodecError> {
        const NAMES: [&str; 6] = ["name", "kind", "score", "confidence", "provenance", "distance"];
        let start = self.at;
        let mut values = self.attributes(element, NAMES)?.into_iter().zip(NAMES);
        let mut next = || {
            let (value, name) = values.next().expect("because there are as many as names");
            self.required(value, name, "symbol", start)
        };
        let (name, kind, score, confidence) = (next()?, next()?, next()?, next()?);
        let (provenance, distance) = (next()?, next()?);
        let components =
            Components { confidence: self.double(&confidence)?, ..Components::default() };
        let symbol = Symbol::new(kind.1, name.1)
            .with_score(self.double(&score)?)
            .with_provenance(provenance.1)
            .with_distance(self.integer(&distance)?)
            .with_components(components);
        let Some(element) = self.child(&["signature"], "symbol")? else {
            return Ok((distance.0, symbol));
        };
        self.attributes(&element, [])?;
        let signature = self.content("signature")?.1;
        self.empty("symbol")?;
        Ok((distance.0, symbol.with_signature(signature)))
    }

    /// An edge, and where its ends are named.
    fn edge(&self, element: &BytesStart<'a>) -> Result<([usize; 2], NamedEdge<'a>), CodecError> {
        let [source, target, edge_type, status] =
            self.attributes(element, ["source", "target", "type", "status"])?;
        let source = self.required(source, "source", "edge", self.at)?;
        let target = self.required(target, "target", "edge", self.at)?;
        let edge_type = self.required(edge_type, "type", "edge", self.at)?;
        let edge = NamedEdge::new(source.1, edge_type.1, target.1)
            .with_status(status.map(|status| status.1).unwrap_or_default());
        Ok(([source.0, target.0], edge))
    }

    /// What the summary counts has to be what there is.
    fn summary(&mut self, symbols: &BTreeMap<u32, usize>, edges: usize) -> Result<(), CodecError> {
        const NAMES: [&str; 3] = ["total_symbols", "total_edges", "by_distance"];
        let total: usize = symbols.values().sum();
        let mut first = 0;
        while let Some(element) = self.child(&NAMES[first..], SUMMARY)? {
            let place = NAMES.iter().position(|name| *name == element.name().0);
            let place = place.expect("because the element is one of these");
            first = place + 1;
            self.attributes(&element, [])?;
            if place < 2 {
                let count = self.content(NAMES[place])?;
                let there = [total, edges][place];
                self.counted(self.integer(&count)?, there, count.0, || {
                    ["symbols", "edges"][place].to_owned()
                })?;
                continue;
            }
            let start = self.at;
            let mut hops = symbols.iter();
            while let Some(element) = self.child(&["distance"], "by_distance")? {
                let at = self.at;
                let [hop, count] = self.attributes(&element, ["hop", "count"])?;
                let hop: u32 = self.integer(&self.required(hop, "hop", "distance", at)?)?;
                let count = self.required(count, "count", "distance", at)?;
                match hops.next() {
                    Some((distance, there)) if *distance == hop => {
                        self.counted(self.integer(&count)?, *there, count.0, || {
                            format!("symbols of distance {hop}")
                        })?;
                    }
                    _ => {
                        let there = symbols.get(&hop).copied().unwrap_or_default();
                        let message = format!(
                            "the summary has distance {hop} here, expected each distance once, in order, and there are {there} symbols of it"
                        );
                        return Err(self.fail(XmlErrorKind::CountMismatch, at, message));
                    }
                }
                self.empty("distance")?;
            }
            if let Some((distance, there)) = hops.next() {
                let message =
                    format!("the summary lacks distance {distance}, expected its {there} symbols");
                return Err(self.fail(XmlErrorKind::CountMismatch, start, message));
            }
        }
        Ok(())
    }

    fn counted(
        &self,
        said: u64,
        there: usize,
        at: usize,
        what: impl FnOnce() -> String,
    ) -> Result<(), CodecError> {
        if usize::try_from(said) == Ok(there) {
            return Ok(());
        }
        let message = format!("the summary counts {said} {}, expected {there}", what());
        Err(self.fail(XmlErrorKind::CountMismatch, at, message))
    }

    /// The next element inside `parent`, which has to be one of these; none at the end of the parent, or of the input.
    fn child(
        &mut self,
        expected: &[&str],
        parent: &str,
    ) -> Result<Option<BytesStart<'a>>, CodecError> {
        loop {
            let event = self.event()?;
            match event {
                Event::Start(element) if expected.contains(&element.name().0) => {
                    return Ok(Some(element));
                }
                Event::Start(element) => {
                    let found = shown(element.name().0);
                    let expected = match expected {
                        [] => format!("the end of {parent}"),
                        names => names
                            .iter()
                            .map(|name| format!("<{name}>"))
                            .collect::<Vec<_>>()
                            .join(" or "),
                    };
                    let message = format!("found the element {found}, expected {expected}");
                    return Err(self.fail(XmlErrorKind::UnexpectedElement, self.at, message));
                }
                Event::End(_) | Event::Eof => return Ok(None),
                Event::Text(text) if text.bytes().all(|byte| byte.is_ascii_whitespace()) => {}
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) => {}
                _ => {
                    let message = format!("found text in {parent}, expected elements");
                    return Err(self.fail(XmlErrorKind::UnexpectedElement, self.at, message));
                }
            }
        }
    }

    /// The end of an element that holds no more.
    fn empty(&mut self, name: &str) -> Result<(), CodecError> {
        self.child(&[], name).map(drop)
    }

    /// What follows the document.
    fn after(&mut self) -> Result<(), CodecError> {
        self.empty("the document")
    }

    /// The text of an element, and where it begins, up to its end.
    fn content(&mut self, name: &str) -> Result<(usize, Cow<'a, str>), CodecError> {
        let mut content: Option<Cow<'a, str>> = None;
        let mut start = None;
        loop {
            let event = self.event()?;
            let at = self.at;
            let part = match event {
                Event::Text(text) => text.xml10_content(),
                Event::CData(text) => text.xml10_content(),
                Event::GeneralRef(reference) => {
                    let character = reference.resolve_char_ref().ok().flatten().map(String::from);
                    let text = character
                        .or_else(|| resolve_predefined_entity(&reference).map(str::to_owned))
                        .ok_or_else(|| {
                            let message = format!(
                                "the reference {} stands for no character that is known, expected one of XML's own",
                                shown(&format!("&{};", &*reference))
                            );
                            self.fail(XmlErrorKind::Syntax, at, message)
                        })?;
                    Cow::Owned(text)
                }
                Event::End(_) => {
                    let content = content.unwrap_or_default();
                    let start = start.unwrap_or(at);
                    self.characters(start, &content)?;
                    return Ok((start, content));
                }
                Event::Comment(_) | Event::PI(_) => continue,
                _ => {
                    let message = format!("found an element in {name}, expected text");
                    return Err(self.fail(XmlErrorKind::UnexpectedElement, at, message));
                }
            };
            start = start.or(Some(at));
            content = Some(match content {
                None => part,
                Some(before) => Cow::Owned(before.into_owned() + &part),
            });
        }
    }

    /// The next event; its place is in `at`.
    fn event(&mut self) -> Result<Event<'a>, CodecError> {
        self.at = offset(self.reader.buffer_position());
        match self.reader.read_event() {
            Ok(Event::DocType(_)) => {
                let message = "found a document type, expected none".to_owned();
                Err(self.fail(XmlErrorKind::Syntax, self.at, message))
            }
            Ok(Event::Decl(declaration)) => match declaration.encoding() {
                Some(Ok(encoding)) if !encoding.eq_ignore_ascii_case("utf-8") => {
                    let message = format!("the encoding is {}, expected UTF-8", shown(&encoding));
                    Err(self.fail(XmlErrorKind::Syntax, self.at, message))
                }
                Some(Err(found)) => {
                    let message = format!("{found}, expected an encoding in quotes");
                    Err(self.fail(XmlErrorKind::Syntax, self.at, message))
                }
                _ if self.at > 0 => {
                    let message = "an XML declaration stands at the very beginning, or nowhere";
                    Err(self.fail(XmlErrorKind::Syntax, self.at, message.to_owned()))
                }
                _ => Ok(Event::Decl(declaration)),
            },
            // The reader says nothing of elements that are open at the end.
            Ok(Event::Eof) if self.depth > 0 => {
                let message = "the input ends inside the document, expected </context>".to_owned();
                Err(self.fail(XmlErrorKind::UnexpectedEnd, self.text.len(), message))
            }
            Ok(event) => {
                match event {
                    Event::Start(_) => self.depth += 1,
                    Event::End(_) => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                Ok(event)
            }
            Err(found) => Err(self.malformed(&found)),
        }
    }

    #[cold]
    fn malformed(&self, found: &Error) -> CodecError {
        let at = offset(self.reader.error_position());
        let unclosed = match found {
            Error::Syntax(problem) => *problem != SyntaxError::InvalidBangMarkup,
            Error::IllFormed(problem) => matches!(problem, IllFormedError::MissingEndTag(_)),
            _ => false,
        };
        let kind = if unclosed { XmlErrorKind::UnexpectedEnd } else { XmlErrorKind::Syntax };
        self.fail(kind, at, format!("{found}, expected well-formed XML"))
    }

    /// The values of these attributes; others are skipped.
    fn attributes<const N: usize>(
        &self,
        element: &BytesStart<'a>,
        names: [&str; N],
    ) -> Result<Values<'a, N>, CodecError> {
        let mut values = [const { None }; N];
        // The element without its `<`.
        let start = self.at + 1;
        for (index, attribute) in element.attributes().enumerate() {
            let attribute = attribute.map_err(|found| {
                let message = format!("{found}, expected well-formed XML");
                self.fail(XmlErrorKind::Syntax, start, message)
            })?;
            if index == MOST_ATTRIBUTES {
                let message = format!("the element has more than {MOST_ATTRIBUTES} attributes");
                return Err(self.fail(XmlErrorKind::Syntax, start, message));
            }
            let slot = names.iter().position(|name| *name == attribute.key.0);
            let at = self.offset_of(&attribute.value);
            let raw = &self.text[at..at + attribute.value.len()];
            let plain =
                !raw.bytes().any(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r' | b'<'));
            let value = if plain {
                Cow::Borrowed(raw)
            } else {
                if let Some(bracket) = raw.find('<') {
                    let message = "found < in an attribute, expected &lt;".to_owned();
                    return Err(self.fail(XmlErrorKind::Syntax, at + bracket, message));
                }
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                let value = value.map_err(|found| {
                    self.fail(XmlErrorKind::Syntax, at, format!("{found}, expected &amp;"))
                })?;
                Cow::Owned(value.into_owned())
            };
            self.characters(at, &value)?;
            match slot {
                Some(slot) => values[slot] = Some((at, value)),
                None => {
                    let name = format!("{}@{}", element.name().0, attribute.key.0);
                    self.skipped.borrow_mut().insert(name);
                }
            }
        }
        Ok(values)
    }

    fn required<T>(
        &self,
        value: Option<T>,
        name: &str,
        element: &str,
        at: usize,
    ) -> Result<T, CodecError> {
        value.ok_or_else(|| {
            let message = format!("<{element}> has no attribute {name}, expected one");
            self.fail(XmlErrorKind::MissingAttribute, at, message)
        })
    }

    /// XML 1.0 has no other control characters than tab, line feed and carriage return, not even as references.
    fn characters(&self, at: usize, text: &str) -> Result<(), CodecError> {
        match text.chars().find(|c| !is_xml_char(*c)) {
            None => Ok(()),
            Some(c) => {
                let message =
                    format!("XML has no character {}, expected others", c.escape_default());
                Err(self.fail(XmlErrorKind::Syntax, at, message))
            }
        }
    }

    fn integer<T: std::str::FromStr>(
        &self,
        (at, text): &(usize, Cow<'_, str>),
    ) -> Result<T, CodecError> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits).ok_or_else(|| {
            let message = format!(
                "found {}, expected a whole number of at most {} bits",
                shown(text),
                size_of::<T>() * 8
            );
            self.fail(XmlErrorKind::InvalidValue, *at, message)
        })
    }

    fn double(&self, (at, text): &(usize, Cow<'_, str>)) -> Result<f64, CodecError> {
        let is_number = |byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
        let number: Option<f64> = text.parse().ok();
        number.filter(|number| number.is_finite() && text.bytes().all(is_number)).ok_or_else(|| {
            let message = format!("found {}, expected a finite number", shown(text));
            self.fail(XmlErrorKind::InvalidValue, *at, message)
        })
    }

    /// Where a part of the input begins: the distance of their addresses.
    fn offset_of(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.text.as_ptr() as usize
    }

    #[cold]
    fn fail(&self, kind: XmlErrorKind, at: usize, message: String) -> CodecError {
        error(kind, Some(Position::in_text(self.text.as_bytes(), at)), message)
    }
}

/// The input is in memory, so that its places are sizes.
fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
