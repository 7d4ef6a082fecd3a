//! The codec trait: what a registry needs to know of a format.

use std::error::Error;
use std::fmt;

use crate::fidelity::{Fidelity, LossReport};
use crate::payload::Payload;
use crate::position::Position;

/// Encodes payloads to a format and decodes them from it.
///
/// Implementations are plain values with their options inside, and hold no state between calls.
pub trait Codec: Send + Sync {
    /// The format's name, magic, audience and fidelity.
    fn info(&self) -> &CodecInfo;

    /// Appends the encoded payload to `out`.
    ///
    /// # Errors
    ///
    /// When the format can't hold the payload. Then `out` is what it was before the call.
    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError>;

    /// Appends the encoded payload to `out`, as [`Codec::encode`] does, and says what of it was
    /// lost or changed.
    ///
    /// By itself it calls `encode` and asks the codec's [`Fidelity`], which allocates nothing where
    /// nothing is lost. A codec whose encoder does more than that says, such as replacing
    /// characters on request, has its own; the bytes are always those of `encode`.
    ///
    /// ```
    /// use wire_core::{Codec, CodecError, CodecInfo, Fidelity, Field, Loss, Payload, Symbol, Treatment};
    ///
    /// const INFO: CodecInfo = CodecInfo::new("names", "The names of symbols, a line each.")
    ///     .with_fidelity(Fidelity::new(&[Loss::new(Field::Signature, Treatment::Dropped)]));
    ///
    /// struct Names;
    /// impl Codec for Names {
    ///     fn info(&self) -> &CodecInfo {
    ///         &INFO
    ///     }
    ///     fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
    ///         payload.symbols.iter().for_each(|symbol| out.extend(format!("{}\n", symbol.qualified_name).bytes()));
    ///         Ok(())
    ///     }
    ///     // …
    /// #   fn decode<'a>(&self, _: &'a [u8]) -> Result<Payload<'a>, CodecError> { unimplemented!() }
    /// }
    ///
    /// let mut payload = Payload::default();
    /// payload.symbols = vec![Symbol::new("function", "a"), Symbol::new("function", "b").with_signature("fn b()")];
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

    /// Decodes a whole input. Text of the payload is borrowed from it where possible.
    ///
    /// # Errors
    ///
    /// When the input is not valid in the format, with the place.
    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError>;
}

/// What encoding lost or changed of a payload: [`Codec::encode_with_report`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodeReport {
    /// What does not come back.
    pub losses: LossReport,
    /// The number of names and words in which the encoder replaced white space, since it was told
    /// to.
    pub names_changed: usize,
}

impl EncodeReport {
    /// The report of these losses.
    pub fn new(losses: LossReport) -> Self {
        EncodeReport { losses, ..EncodeReport::default() }
    }

    /// Sets the number of names that were changed (default none).
    #[must_use]
    pub fn with_names_changed(mut self, names_changed: usize) -> Self {
        self.names_changed = names_changed;
        self
    }

    /// Whether everything comes back as it was.
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

/// Whether a format is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// UTF-8 text in lines.
    Text,
    /// Bytes.
    Binary,
}

/// What a codec can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// It encodes and decodes.
    Both,
    /// It encodes; [`Codec::decode`] is an error, whatever the input is. Its fidelity then says
    /// what its text shows.
    EncodeOnly,
}

/// How a format is known by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Magic {
    /// It has no mark of its own.
    None,
    /// The input starts with these bytes.
    Prefix(&'static [u8]),
    /// The first byte that is not ASCII white space starts these bytes.
    AfterWhitespace(&'static [u8]),
    /// The first byte that is not ASCII white space is one of these.
    OneAfterWhitespace(&'static [u8]),
}

impl Magic {
    /// Whether `input` carries the mark.
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

/// What a format is called, whom it is for, how to know it, and what it keeps.
///
/// A constant that each codec builds with [`CodecInfo::new`] and the setters:
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
    /// A lossless text format for people, encoded and decoded, without aliases, magic, extension or
    /// media type.
    ///
    /// `name` is the word that people type: lower case, without white space. `description` is one
    /// sentence on what the format is good for.
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

    /// Sets other names of the format (default none).
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

    /// Sets what the codec can do (default both directions).
    #[must_use]
    pub const fn with_directions(mut self, directions: Directions) -> Self {
        self.directions = directions;
        self
    }

    /// Sets how the format is known by its first bytes (default not at all).
    #[must_use]
    pub const fn with_magic(mut self, magic: Magic) -> Self {
        self.magic = magic;
        self
    }

    /// Sets the file name extensions, without the dot (default none).
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

    /// Whether the format is text.
    pub const fn representation(&self) -> Representation {
        self.representation
    }

    /// Whether it is decoded, too.
    pub const fn directions(&self) -> Directions {
        self.directions
    }

    /// How the format is known by its first bytes.
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

    /// What the format keeps and what it loses.
    pub const fn fidelity(&self) -> Fidelity {
        self.fidelity
    }
}

/// An error of some codec, with its stable code and its place.
///
/// Displays as the codec's own error does, which is [`CodecError::get_ref`].
#[derive(Debug)]
pub struct CodecError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    code: &'static str,
    position: Option<Position>,
    source: Box<dyn Error + Send + Sync>,
}

impl CodecError {
    /// The error `source` with this code and place.
    ///
    /// `code` is a stable `snake_case` name. `position` is `None` when the error is not about a
    /// place in an input, as when a payload can't be encoded.
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

    /// The codec's own error.
    pub fn get_ref(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0.source
    }

    /// Where in the input the error is.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.source, f)
    }
}

impl Error for CodecError {
    /// What lies behind the codec's own error, which this displays as.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.source()
    }
}
