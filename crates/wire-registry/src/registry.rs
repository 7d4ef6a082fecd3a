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

/// Codecs by name (ruling R4). A value, not a process-wide table: two parts of a program may hold
/// different ones.
#[derive(Debug)]
pub struct Registry {
    codecs: Table<dyn Codec>,
    values: Values,
}

/// What [`Registry::transcode`] gives.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transcoded {
    /// The encoded payload.
    pub bytes: Vec<u8>,
    /// What the format lost of it.
    pub losses: LossReport,
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// A registry that holds `json`, `json-pretty`, `xml` and `markdown` for payloads, and `json`
    /// and `json-pretty` for values.
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

    /// A registry that holds nothing.
    pub fn empty() -> Self {
        Registry { codecs: Table(Vec::new()), values: Values(Table(Vec::new())) }
    }

    /// Adds a codec of payloads under its name and aliases.
    ///
    /// # Errors
    ///
    /// [`DuplicateName`] when one of them is taken; then nothing is added.
    pub fn register(&mut self, codec: impl Codec + 'static) -> Result<(), DuplicateName> {
        self.codecs.register(Box::new(codec))
    }

    /// Adds a codec of values under its name and aliases. A codec of payloads may have the same
    /// ones.
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

    /// The codec of this name or alias.
    ///
    /// # Errors
    ///
    /// [`UnknownFormat`], which lists the names that there are.
    pub fn get(&self, name: &str) -> Result<&dyn Codec, UnknownFormat> {
        self.codecs.get(name)
    }

    /// What each codec is, in the order of registration.
    pub fn list(&self) -> impl Iterator<Item = &CodecInfo> {
        self.codecs.list()
    }

    /// The codec whose magic `input` carries; the one registered first when there are several.
    pub fn detect(&self, input: &[u8]) -> Option<&dyn Codec> {
        self.codecs.detect(input)
    }

    /// The codec that uses this file name extension (without the dot; upper and lower case alike).
    pub fn by_extension(&self, extension: &str) -> Option<&dyn Codec> {
        self.codecs.by_extension(extension)
    }

    /// The codec of this media type, whatever its parameters are
    /// (`application/json; charset=utf-8`); upper and lower case alike. The one registered first
    /// when there are several.
    pub fn by_media_type(&self, media_type: &str) -> Option<&dyn Codec> {
        self.codecs.by_media_type(media_type)
    }

    /// The codec that an HTTP server answers with, by the `Accept` of the request (RFC 9110,
    /// section 12.5.1): pass `""` where the request has none. `None` where nothing acceptable is
    /// registered; then the answer is status 406.
    ///
    /// The codec with the highest weight (`q`) wins. Among equals, one that is named wins over one
    /// that a wildcard stands for, then the one that is named first, then the one that is
    /// registered first: `*/*`, an empty `Accept` and none at all give the first codec, which is
    /// JSON in [`Registry::new`]. Malformed ranges are ignored. A range with a parameter other than
    /// `q` and `charset=utf-8` stands for no codec.
    ///
    /// Several lines of `Accept` are joined with commas. Answer with `Vary: Accept`, so that no
    /// cache gives one caller's format to others. The example `http` does both.
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

    /// Encodes with the codec of this name.
    ///
    /// # Errors
    ///
    /// When there is no such codec, or it can't hold the payload.
    pub fn encode(&self, name: &str, payload: &Payload<'_>) -> Result<Vec<u8>, RegistryError> {
        let mut out = Vec::new();
        self.get(name)?.encode(payload, &mut out)?;
        Ok(out)
    }

    /// Decodes with the codec of this name.
    ///
    /// # Errors
    ///
    /// When there is no such codec, or the input is not valid in the format.
    pub fn decode<'a>(&self, name: &str, input: &'a [u8]) -> Result<Payload<'a>, RegistryError> {
        Ok(self.get(name)?.decode(input)?)
    }

    /// Decodes with the codec `from`, and encodes what comes out with the codec `to`.
    ///
    /// ```
    /// use wire_registry::Registry;
    ///
    /// let mut registry = Registry::new();
    /// registry.register(gcf::Gcf::default())?;
    /// let json = br#"{"tool":"t","tokens_used":0,"token_budget":0,"symbols":[{"qualified_name":"a","kind":"function",
    ///     "score":0.123,"signature":"fn a()","provenance":"structural","distance":0}]}"#;
    /// let gcf = registry.transcode("json", "gcf", json)?;
    /// assert!(gcf.bytes.starts_with(b"GCF tool=t "));
    /// assert_eq!(
    ///     gcf.losses.to_string(),
    ///     "scores are rounded to two decimals (1 symbol); signatures are dropped (1 symbol)"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no such codec, the input is not valid in the first format, or the second can't
    /// hold the payload.
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

    /// The payload in that of the candidates, given by their names, that costs the fewest tokens by
    /// `counter`, among those that hold all of it but what is `allowed` to be lost; a format that
    /// is only written holds nothing of it unless any loss is allowed. Minified JSON is taken where
    /// none of them beats it.
    ///
    /// ```
    /// use wire_core::{Payload, Symbol, WordPunctuation};
    /// use wire_registry::{AllowedLosses, Reason, Registry};
    ///
    /// let mut registry = Registry::new();
    /// registry.register(gcf::Gcf::default())?;
    /// let mut payload = Payload { tool: "t".into(), ..Payload::default() };
    /// payload.symbols = vec![Symbol::new("function", "a").with_score(0.123)];
    ///
    /// let all = registry.encode_smallest(&payload, &["gcf", "xml"], &WordPunctuation, AllowedLosses::NONE)?;
    /// assert_eq!((all.format, all.reason), ("json", Reason::NothingBeatsFallback));
    /// assert_eq!(
    ///     all.candidates[1].to_string(),
    ///     "gcf would lose: scores are rounded to two decimals (1 symbol)"
    /// );
    /// let most = registry.encode_smallest(&payload, &["gcf", "xml"], &WordPunctuation, AllowedLosses::ANY)?;
    /// assert_eq!((most.format, most.reason), ("gcf", Reason::FewestTokens));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no such codec, or no format holds the payload, JSON included.
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

    /// Offers a payload to a chooser, in minified JSON and in each of these formats, as
    /// [`Registry::encode_smallest`] does; the JSON is the fallback of a chooser that has nothing
    /// yet.
    ///
    /// # Errors
    ///
    /// When there is no such codec.
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
        let encoded = |codec: &dyn Codec| {
            let mut out = Vec::new();
            codec.encode(payload, &mut out).map(|()| out)
        };
        let json_name = json.info().name();
        if chooser.is_empty() {
            chooser.fallback(json_name, encoded(&json));
        } else {
            chooser.offer(json_name, Vec::new(), || encoded(&json));
        }
        for codec in codecs {
            let info = codec.info();
            if info.representation() != Representation::Text {
                chooser.note(info.name(), Outcome::NotText);
            } else if info.directions() == Directions::EncodeOnly && allowed != AllowedLosses::ANY {
                chooser.note(info.name(), Outcome::EncodeOnly);
            } else if info.name() != json_name {
                let report = info.fidelity().report(payload);
                let losses = if allowed.allows(&report) { Vec::new() } else { report.in_words() };
                chooser.offer(info.name(), losses, || encoded(codec));
            }
        }
        Ok(())
    }

    /// The codecs, in the order of registration.
    pub fn codecs(&self) -> impl Iterator<Item = &dyn Codec> {
        self.codecs.codecs().map(|codec| codec as &dyn Codec)
    }
}
