//! The registry.

use wire_core::{
    Codec, CodecInfo, Directions, LossReport, Payload, Representation, TokenCounter, ValueCodec,
};

use crate::error::{DuplicateName, RegistryError, UnknownFormat};
use crate::json::{Json, JsonValues};
use crate::markdown::Markdown;
use crate::smallest::{AllowedLosses, Chooser, Outcome, Smallest};
use crate::table::Table;
use crate::values::Values;
use crate::xml::Xml;

/// Codecs by name (ruling R4). It is a value and not a process-wide table: two parts of a program
/// can have different registries.
#[derive(Debug)]
pub struct Registry {
    codecs: Table<dyn Codec>,
    values: Values,
}

/// The result of [`Registry::transcode`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transcoded {
    /// The encoded payload.
    pub bytes: Vec<u8>,
    /// The losses of the payload in the target format.
    pub losses: LossReport,
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// A registry with `json`, `json-pretty`, `xml` and `markdown` for payloads, and `json` and
    /// `json-pretty` for values.
    pub fn new() -> Self {
        Registry {
            codecs: Table(vec![
                Box::new(Json::compact()),
                Box::new(Json::pretty()),
                Box::new(Xml),
                Box::new(Markdown),
            ]),
            values: Values(Table(vec![
                Box::new(JsonValues::compact()),
                Box::new(JsonValues::pretty()),
            ])),
        }
    }

    /// An empty registry.
    pub fn empty() -> Self {
        Registry { codecs: Table(Vec::new()), values: Values(Table(Vec::new())) }
    }

    /// Adds a codec of payloads under its name and aliases.
    ///
    /// # Errors
    ///
    /// [`DuplicateName`] when another codec has one of them; then nothing is added.
    pub fn register(&mut self, codec: impl Codec + 'static) -> Result<(), DuplicateName> {
        self.codecs.register(Box::new(codec))
    }

    /// Adds a codec of values under its name and aliases. A codec of payloads may have the same
    /// names.
    ///
    /// # Errors
    ///
    /// [`DuplicateName`] when another codec of values has one of them; then nothing is added.
    pub fn register_value(
        &mut self,
        codec: impl ValueCodec + 'static,
    ) -> Result<(), DuplicateName> {
        self.values.0.register(Box::new(codec))
    }

    /// The codecs of values; all other methods are about payloads.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The codec with this name or alias.
    ///
    /// # Errors
    ///
    /// [`UnknownFormat`], which lists the registered names.
    pub fn get(&self, name: &str) -> Result<&dyn Codec, UnknownFormat> {
        self.codecs.get(name)
    }

    /// The description of each codec, in the order of registration.
    pub fn list(&self) -> impl Iterator<Item = &CodecInfo> {
        self.codecs.list()
    }

    /// The codec whose magic `input` has; when several match, the one that was registered first.
    pub fn detect(&self, input: &[u8]) -> Option<&dyn Codec> {
        self.codecs.detect(input)
    }

    /// The codec with this file name extension (without the dot; case is ignored).
    pub fn by_extension(&self, extension: &str) -> Option<&dyn Codec> {
        self.codecs.by_extension(extension)
    }

    /// The codec with this media type. Parameters (`application/json; charset=utf-8`) and case are
    /// ignored. When several match, the one that was registered first.
    pub fn by_media_type(&self, media_type: &str) -> Option<&dyn Codec> {
        self.codecs.by_media_type(media_type)
    }

    /// The codec for the answer of an HTTP server, chosen by the `Accept` of the request (RFC 9110,
    /// section 12.5.1); pass `""` when the request has no `Accept`. `None` when no registered codec
    /// is acceptable; then answer with status 406.
    ///
    /// The codec with the highest weight (`q`) wins. Among equals, a media type that is named wins
    /// over one that matches a wildcard; then the order in the header decides, then the order of
    /// registration. So `*/*` and an empty or missing `Accept` choose the first codec, which is
    /// JSON in [`Registry::new`]. Malformed ranges, such as a bare `*`, are ignored; the others
    /// apply. A weight without its 0 (`q=.2`), as old Java clients write it, is read as 0.2. A
    /// range with a parameter other than `q` and `charset=utf-8` matches no codec.
    ///
    /// Join several lines of `Accept` with commas. Answer with `Vary: Accept`, so that no cache
    /// serves one client's format to another. The example `http` does both.
    ///
    /// ```
    /// use wire_registry::Registry;
    ///
    /// let mut registry = Registry::new();
    /// registry.register(gcf::Gcf::default())?;
    /// let name = |accept| registry.negotiate(accept).map(|codec| codec.info().name());
    /// assert_eq!(name("application/vnd.gcf+text, */*;q=0.1"), Some("gcf"));
    /// assert_eq!(name("*/*"), Some("json")); // as `curl` asks
    /// assert_eq!(name("image/png"), None);
    /// # Ok::<(), wire_registry::DuplicateName>(())
    /// ```
    pub fn negotiate(&self, accept: &str) -> Option<&dyn Codec> {
        self.codecs.negotiate(accept)
    }

    /// Encodes a payload with the codec of this name.
    ///
    /// # Errors
    ///
    /// When no codec has the name, or the codec can't represent the payload.
    pub fn encode(&self, name: &str, payload: &Payload<'_>) -> Result<Vec<u8>, RegistryError> {
        let mut out = Vec::new();
        self.get(name)?.encode(payload, &mut out)?;
        Ok(out)
    }

    /// Decodes a payload with the codec of this name.
    ///
    /// # Errors
    ///
    /// When no codec has the name, or the input is not valid in the format.
    pub fn decode<'a>(&self, name: &str, input: &'a [u8]) -> Result<Payload<'a>, RegistryError> {
        Ok(self.get(name)?.decode(input)?)
    }

    /// Decodes with the codec `from`, and encodes the payload with the codec `to`.
    ///
    /// ```
    /// use wire_registry::Registry;
    ///
    /// let mut registry = Registry::new();
    /// registry.register(gcf::Gcf::default())?;
    /// let json = br#"{"tool":"t","tokens_used":0,"token_budget":0,"symbols":[
    ///     {"qualified_name":"a","kind":"function","score":0.123,
    ///      "signature":"fn a()","provenance":"structural","distance":0}]}"#;
    /// let gcf = registry.transcode("json", "gcf", json)?;
    /// assert!(gcf.bytes.starts_with(b"GCF tool=t "));
    /// assert_eq!(
    ///     gcf.losses.to_string(),
    ///     "scores are rounded to two decimals (1 symbol); signatures are dropped (1 \
    ///      symbol)"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When no codec has one of the names, the input is not valid in the first format, or the
    /// second can't represent the payload.
    pub fn transcode(
        &self,
        from: &str,
        to: &str,
        input: &[u8],
    ) -> Result<Transcoded, RegistryError> {
        let (from, to) = (self.get(from)?, self.get(to)?);
        let payload = from.decode(input)?;
        let mut bytes = Vec::new();
        let report = to.encode_with_report(&payload, &mut bytes)?;
        Ok(Transcoded { bytes, losses: report.losses })
    }

    /// Encodes the payload in the form that uses the fewest tokens by `counter`, or nearly as few
    /// ([`Chooser`]): minified JSON, or one of `candidates`, which are names of formats. One that
    /// would lose more than `allowed` is skipped, and a format that can't be decoded counts as
    /// losing everything.
    ///
    /// ```
    /// use wire_core::{Payload, Symbol, WordPunctuation};
    /// use wire_registry::{AllowedLosses, Registry};
    ///
    /// let mut registry = Registry::new();
    /// registry.register(gcf::Gcf::default())?;
    /// let mut payload = Payload { tool: "t".into(), ..Payload::default() };
    /// payload.symbols = vec![Symbol::new("function", "a").with_score(0.123)];
    ///
    /// let all = registry.encode_smallest(
    ///     &payload,
    ///     &["gcf", "xml"],
    ///     &WordPunctuation,
    ///     AllowedLosses::NONE,
    /// )?;
    /// assert_eq!(all.format, "json");
    /// assert_eq!(
    ///     all.candidates[1].to_string(),
    ///     "gcf would lose: scores are rounded to two decimals (1 symbol)"
    /// );
    /// let most = registry.encode_smallest(
    ///     &payload,
    ///     &["gcf", "xml"],
    ///     &WordPunctuation,
    ///     AllowedLosses::ANY,
    /// )?;
    /// assert_eq!(most.format, "gcf");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When no codec has one of the names, or no format, JSON included, can represent the payload.
    pub fn encode_smallest(
        &self,
        payload: &Payload<'_>,
        candidates: &[&str],
        counter: &dyn TokenCounter,
        allowed: AllowedLosses,
    ) -> Result<Smallest, RegistryError> {
        let mut chooser = Chooser::new(counter);
        self.offer_all(&mut chooser, payload, candidates, allowed)?;
        Ok(chooser.choose()?)
    }

    /// Offers a payload to a chooser in minified JSON, without a line end, and in each of these
    /// formats, as [`Registry::encode_smallest`] does.
    ///
    /// # Errors
    ///
    /// When no codec has one of the names.
    pub fn offer_all(
        &self,
        chooser: &mut Chooser<'_>,
        payload: &Payload<'_>,
        candidates: &[&str],
        allowed: AllowedLosses,
    ) -> Result<(), UnknownFormat> {
        let codecs = candidates.iter().map(|name| self.get(name));
        let codecs = codecs.collect::<Result<Vec<_>, UnknownFormat>>()?;
        let json = Json::compact();
        let others = codecs.into_iter().filter(|codec| codec.info().name() != json.info().name());
        for codec in std::iter::once(&json as &dyn Codec).chain(others) {
            let info = codec.info();
            let report = info.fidelity().report(payload);
            if info.representation() != Representation::Text {
                chooser.note(info.name(), Outcome::NotText);
            } else if info.directions() == Directions::EncodeOnly && allowed != AllowedLosses::ANY {
                chooser.note(info.name(), Outcome::EncodeOnly);
            } else if allowed.allows(&report) {
                let mut out = Vec::new();
                let encoded = codec.encode(payload, &mut out);
                let mut text = encoded.map(|()| String::from_utf8_lossy(&out).into_owned());
                if let (Ok(text), "json") = (&mut text, info.name()) {
                    // As every other value in JSON is compared.
                    text.truncate(text.trim_end().len());
                }
                chooser.offer(info.name(), text);
            } else {
                chooser.note(info.name(), Outcome::Loses(report.in_words()));
            }
        }
        Ok(())
    }

    /// The codecs, in the order of registration.
    pub fn codecs(&self) -> impl Iterator<Item = &dyn Codec> {
        self.codecs.codecs().map(|codec| codec as &dyn Codec)
    }
}
