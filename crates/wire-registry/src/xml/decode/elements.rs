//! Elements, attributes and texts with their positions, on top of the events of `quick-xml`.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;

use quick_xml::XmlVersion;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use wire_core::text::{from_utf8, offset_in, shown};
use wire_core::{CodecError, Position};

use crate::xml::error::{XmlErrorKind, error};
use crate::xml::grammar::is_xml_char;

/// More attributes than any element has. It is small because the check for duplicate names compares
/// each pair.
const MOST_ATTRIBUTES: usize = 64;

/// Reads a document element by element.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    reader: Reader<&'a [u8]>,
    /// The offset at which the last event began.
    pub(super) at: usize,
    /// The number of open elements.
    depth: usize,
    /// Attributes that the format does not define.
    pub(super) skipped: RefCell<BTreeSet<String>>,
}

/// The attributes of an element, in the order in which the caller named them.
pub(super) type Values<'a, const N: usize> = [Option<(usize, Cow<'a, str>)>; N];

impl<'a> Parser<'a> {
    /// A parser of `input`, which must be UTF-8 and contain only characters of XML.
    pub(super) fn new(input: &'a [u8]) -> Result<Self, CodecError> {
        let text = from_utf8(input).map_err(|(at, message)| {
            error(XmlErrorKind::Syntax, Some(Position::in_text(input, at)), message)
        })?;
        if let Some((at, c)) = text.char_indices().find(|(_, c)| !is_xml_char(*c)) {
            let message = format!(
                "the character {} is not allowed in XML, expected another",
                c.escape_default()
            );
            return Err(error(XmlErrorKind::Syntax, Some(Position::in_text(input, at)), message));
        }
        let mut reader = Reader::from_str(text);
        // Then `<a/>` is `<a></a>`.
        reader.config_mut().expand_empty_elements = true;
        reader.config_mut().check_comments = true;
        Ok(Parser { text, reader, at: 0, depth: 0, skipped: RefCell::default() })
    }

    /// The next element inside `parent`, which must be one of `expected`; `None` at the end of the
    /// parent or of the input.
    pub(super) fn child(
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

    /// The end of an element without content.
    pub(super) fn empty(&mut self, name: &str) -> Result<(), CodecError> {
        self.child(&[], name).map(drop)
    }

    /// Checks the rest of the text after the document element.
    pub(super) fn after(&mut self) -> Result<(), CodecError> {
        self.empty("the document")
    }

    /// The text of an element, and where it begins, up to its end.
    pub(super) fn content(&mut self, name: &str) -> Result<(usize, Cow<'a, str>), CodecError> {
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
                                "the reference {} is unknown, expected one that XML defines",
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

    /// The next event; `at` is set to its position.
    fn event(&mut self) -> Result<Event<'a>, CodecError> {
        self.at = offset(self.reader.buffer_position());
        match self.reader.read_event() {
            Ok(Event::DocType(_)) => {
                let message = "found a document type, expected no document type".to_owned();
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
                    let message = "found an XML declaration after the beginning, expected it first";
                    Err(self.fail(XmlErrorKind::Syntax, self.at, message.to_owned()))
                }
                _ => Ok(Event::Decl(declaration)),
            },
            // The reader does not report elements that are still open at the end.
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
    pub(super) fn attributes<const N: usize>(
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

    pub(super) fn required<T>(
        &self,
        value: Option<T>,
        name: &str,
        element: &str,
        at: usize,
    ) -> Result<T, CodecError> {
        value.ok_or_else(|| {
            let message = format!("<{element}> has no attribute {name}, expected it");
            self.fail(XmlErrorKind::MissingAttribute, at, message)
        })
    }

    /// XML 1.0 allows no control characters other than tab, line feed and carriage return, not even
    /// as references.
    fn characters(&self, at: usize, text: &str) -> Result<(), CodecError> {
        match text.chars().find(|c| !is_xml_char(*c)) {
            None => Ok(()),
            Some(c) => {
                let message = format!(
                    "the character {} is not allowed in XML, expected another",
                    c.escape_default()
                );
                Err(self.fail(XmlErrorKind::Syntax, at, message))
            }
        }
    }

    pub(super) fn integer<T: std::str::FromStr>(
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

    pub(super) fn double(&self, (at, text): &(usize, Cow<'_, str>)) -> Result<f64, CodecError> {
        let is_number = |byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
        let number: Option<f64> = text.parse().ok();
        number.filter(|number| number.is_finite() && text.bytes().all(is_number)).ok_or_else(|| {
            let message = format!("found {}, expected a finite number", shown(text));
            self.fail(XmlErrorKind::InvalidValue, *at, message)
        })
    }

    /// The offset of a part of the input.
    fn offset_of(&self, part: &str) -> usize {
        offset_in(self.text.as_bytes(), part.as_ptr()).unwrap_or_default()
    }

    /// The position of an offset.
    pub(super) fn place(&self, at: usize) -> Position {
        Position::in_text(self.text.as_bytes(), at)
    }

    #[cold]
    pub(super) fn fail(&self, kind: XmlErrorKind, at: usize, message: String) -> CodecError {
        error(kind, Some(self.place(at)), message)
    }
}

/// The input is in memory, so its offsets fit in a `usize`.
fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
