//! The codec trait, and the description of a format for registries.

use std::error::Error;
use std::fmt;

use crate::fidelity::{Fidelity, LossReport};
use crate::payload::Payload;
use crate::position::Position;

/// Encodes payloads to a format and decodes them from it.
///
/// An implementation is a plain value that contains its options. It keeps no state between calls.
pub trait Codec: Send + Sync {
    /// The format's name, magic, audience and fidelity.
    fn info(&self) -> &CodecInfo;

    /// Appends the encoded payload to `out`.
    ///
    /// # Errors
    ///
    /// When the format can't represent the payload. Then `out` is what it was before the call.
    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError>;

    /// Appends the encoded payload to `out`, as [`Codec::encode`] does, and reports what was lost
    /// or changed.
    ///
    /// The default implementation calls `encode` and asks the codec's [`Fidelity`]; it allocates
    /// nothing when nothing is lost. A codec that changes more than its fidelity states (for
    /// example by replacing characters on request) overrides this method. The bytes are always
    /// those of `encode`.
    ///
    /// ```
    /// use wire_core::{
    ///     Codec, CodecError, CodecInfo, Fidelity, Field, Loss, Payload, Symbol,
    ///     Treatment,
    /// };
    ///
    /// const INFO: CodecInfo =
    ///     CodecInfo::new("names", "The names of symbols, a line each.")
    ///         .with_fidelity(Fidelity::new(&[Loss::new(
    ///             Field::Signature,
    ///             Treatment::Dropped,
    ///         )]));
    ///
    /// struct Names;
    /// impl Codec for Names {
    ///     fn info(&self) -> &CodecInfo {
    ///         &INFO
    ///     }
    ///     fn encode(
    ///         &self,
    ///         payload: &Payload<'_>,
    ///         out: &mut Vec<u8>,
    ///     ) -> Result<(), CodecError> {
    ///         payload.symbols.iter().for_each(|symbol| {
    ///             out.extend(format!("{}\n", symbol.qualified_name).bytes())
    ///         });
    ///         Ok(())
    ///     }
    ///     // …
    /// #   fn decode<'a>(&self, _: &'a [u8]) -> Result<Payload<'a>, CodecError> { unimplemented!() }
    /// }
    ///
    /// let mut payload = Payload::default();
    /// payload.symbols = vec![
    ///     Symbol::new("function", "a"),
    ///     Symbol::new("function", "b").with_signature("fn b()"),
    /// ];
    /// let mut out = Vec::new();
    /// let report = Names.encode_with_report(&payload, &mut out)?;
    /// assert_eq!(out, b"a\nb\n");
    /// assert_eq!(report.losses.to_string(), "signatures are dropped (1 symbol)");
    /// # Ok::<(), CodecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Codec::encode`]. Then `out` is what it was before the call.
    fn encode_with_report(
        &self,
        payload: &Payload<'_>,
        out: &mut Vec<u8>,
    ) -> Result<EncodeReport, CodecError> {
        self.encode(payload, out)?;
        Ok(EncodeReport::new(self.info().fidelity().report(payload)))
    }

    /// Decodes a whole input. Text of the payload is borrowed from the input where possible.
    ///
    /// # Errors
    ///
    /// When the input is not valid in the format, with the position.
    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError>;
}

/// The losses and changes of encoding one payload: see [`Codec::encode_with_report`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodeReport {
    /// The losses of a round trip.
    pub losses: LossReport,
    /// The number of names and values in which the encoder replaced white space because its options
    /// ask for it.
    pub names_changed: usize,
}

impl EncodeReport {
    /// A report with these losses.
    pub fn new(losses: LossReport) -> Self {
        EncodeReport { losses, ..EncodeReport::default() }
    }

    /// Sets the number of names that were changed (default 0).
    #[must_use]
    pub fn with_names_changed(mut self, names_changed: usize) -> Self {
        self.names_changed = names_changed;
        self
    }

    /// Returns `true` if a round trip returns the payload unchanged.
    pub fn is_clean(&self) -> bool {
        self.losses.is_clean() && self.names_changed == 0
    }
}

/// Whom a format is made for (ruling A5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Audience {
    /// Language models under a token budget.
    Agents,
    /// Programs that talk to programs: services, caches, daemons.
    Services,
    /// People, and the general tools that they use.
    People,
}

/// `agents`, `services` or `people`.
impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Audience::Agents => "agents",
            Audience::Services => "services",
            Audience::People => "people",
        })
    }
}

/// Text or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// UTF-8 text in lines.
    Text,
    /// Bytes.
    Binary,
}

/// Whether a codec encodes, decodes, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// The codec encodes and decodes.
    Both,
    /// The codec only encodes: [`Codec::decode`] always fails. Its fidelity states which parts of a
    /// payload the text contains.
    EncodeOnly,
}

/// The first bytes by which a format is recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Magic {
    /// The format has no magic.
    None,
    /// The input starts with these bytes.
    Prefix(&'static [u8]),
    /// The input starts with these bytes, after any ASCII white space.
    AfterWhitespace(&'static [u8]),
    /// The first byte that is not ASCII white space is one of these.
    OneAfterWhitespace(&'static [u8]),
}

impl Magic {
    /// Returns `true` if `input` carries the mark.
    pub fn matches(&self, input: &[u8]) -> bool {
        match self {
            Magic::None => false,
            Magic::Prefix(prefix) => input.starts_with(prefix),
            Magic::AfterWhitespace(prefix) => input.trim_ascii_start().starts_with(prefix),
            Magic::OneAfterWhitespace(bytes) => {
                input.trim_ascii_start().first().is_some_and(|first| bytes.contains(first))
            }
        }
    }
}

/// The name of a format, its audience, how to recognize it, and what it keeps.
///
/// Each codec has a constant, built with [`CodecInfo::new`] and the setters:
///
/// ```
/// use wire_core::{Audience, CodecInfo, Magic};
///
/// const INFO: CodecInfo = CodecInfo::new("example", "An example.")
///     .with_audience(Audience::Services)
///     .with_magic(Magic::Prefix(b"EX1"));
/// assert!(INFO.magic().matches(b"EX1 and more"));
/// assert!(INFO.fidelity().losses().is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecInfo {
    name: &'static str,
    description: &'static str,
    aliases: &'static [&'static str],
    audience: Audience,
    representation: Representation,
    directions: Directions,
    magic: Magic,
    extensions: &'static [&'static str],
    media_type: &'static str,
    fidelity: Fidelity,
}

impl CodecInfo {
    /// A lossless text format for people that can be encoded and decoded. It has no aliases, magic,
    /// extensions or media type.
    ///
    /// `name` is what people type: lower case, without white space. `description` is one sentence
    /// on what the format is good for.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        CodecInfo {
            name,
            description,
            aliases: &[],
            audience: Audience::People,
            representation: Representation::Text,
            directions: Directions::Both,
            magic: Magic::None,
            extensions: &[],
            media_type: "application/octet-stream",
            fidelity: Fidelity::LOSSLESS,
        }
    }

    /// Sets other names of the format (default: no others).
    #[must_use]
    pub const fn with_aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Sets whom the format is for (default people).
    #[must_use]
    pub const fn with_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// Sets whether the format is text (default text).
    #[must_use]
    pub const fn with_representation(mut self, representation: Representation) -> Self {
        self.representation = representation;
        self
    }

    /// Sets whether the codec encodes, decodes, or both (default both).
    #[must_use]
    pub const fn with_directions(mut self, directions: Directions) -> Self {
        self.directions = directions;
        self
    }

    /// Sets how the format is recognized by its first bytes (default [`Magic::None`]).
    #[must_use]
    pub const fn with_magic(mut self, magic: Magic) -> Self {
        self.magic = magic;
        self
    }

    /// Sets the file name extensions, without the dot (default: no extensions).
    #[must_use]
    pub const fn with_extensions(mut self, extensions: &'static [&'static str]) -> Self {
        self.extensions = extensions;
        self
    }

    /// Sets the media type (default `application/octet-stream`).
    #[must_use]
    pub const fn with_media_type(mut self, media_type: &'static str) -> Self {
        self.media_type = media_type;
        self
    }

    /// Sets what the format keeps (default everything).
    #[must_use]
    pub const fn with_fidelity(mut self, fidelity: Fidelity) -> Self {
        self.fidelity = fidelity;
        self
    }

    /// The name that people type.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// One sentence on what the format is good for.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// Other names of the format.
    pub const fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    /// Whom the format is for.
    pub const fn audience(&self) -> Audience {
        self.audience
    }

    /// Returns `true` if the format is text.
    pub const fn representation(&self) -> Representation {
        self.representation
    }

    /// Returns `true` if the codec decodes the format, too.
    pub const fn directions(&self) -> Directions {
        self.directions
    }

    /// The first bytes by which the format is recognized.
    pub const fn magic(&self) -> Magic {
        self.magic
    }

    /// File name extensions, without the dot; the first is the usual one.
    pub const fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    /// The media type.
    pub const fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// The parts of a payload that the format loses or changes.
    pub const fn fidelity(&self) -> Fidelity {
        self.fidelity
    }
}

/// An error of any codec, with its stable code and its position.
///
/// It is displayed like the codec's own error, which [`CodecError::get_ref`] returns.
#[derive(Debug)]
pub struct CodecError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    code: &'static str,
    position: Option<Position>,
    source: Box<dyn Error + Send + Sync>,
}

impl CodecError {
    /// The error `source` with this code and position.
    ///
    /// `code` is a stable `snake_case` name. `position` is `None` when the error is not about the
    /// input, for example when a payload can't be encoded.
    pub fn new(
        code: &'static str,
        position: Option<Position>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        CodecError(Box::new(Inner { code, position, source: source.into() }))
    }

    /// The stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// The error of the codec itself.
    pub fn get_ref(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0.source
    }

    /// The position of the error in the input.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// The message: what was found and what was expected, without the position in front of it.
    pub fn message(&self) -> String {
        let text = self.to_string();
        let place = self.position().map(|position| format!("{position}: ")).unwrap_or_default();
        text.strip_prefix(&place).unwrap_or(&text).to_owned()
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.source, f)
    }
}

impl Error for CodecError {
    /// The source of the codec's own error, since this error displays as the codec's own.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.source()
    }
}
