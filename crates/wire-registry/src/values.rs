//! The codecs of values that a registry has.

use wire_core::{CodecInfo, ValueCodec};

use crate::error::{RegistryError, UnknownFormat};
use crate::table::Table;

/// The codecs of a [`Registry`](crate::Registry) that represent any JSON value: see
/// [`Registry::values`](crate::Registry::values).
///
/// Their names, aliases, magic and media types are separate from those of the codecs of payloads:
/// there `gcf` is the graph profile, and here it is the generic profile.
///
/// ```
/// use wire_registry::Registry;
///
/// let mut registry = Registry::new();
/// registry.register_value(gcf::GcfValues::default())?;
/// registry.register_value(gcx::GcxValues::default())?;
/// let values = registry.values();
///
/// let text = values.transcode("json", "gcf", br#"{"ports": [8080, 8443]}"#)?;
/// assert_eq!(text, b"GCF profile=generic\nports[2]: 8080,8443\n");
/// assert_eq!(values.detect(&text).map(|codec| codec.info().name()), Some("gcf"));
/// assert_eq!(values.decode("gcf", &text)?, r#"{"ports":[8080,8443]}"#);
///
/// let chosen = values
///     .negotiate("application/vnd.gcx+text, */*;q=0.1")
///     .expect("there is one");
/// assert!(
///     chosen.encode("[{\"id\": 7}]")?.starts_with(b"GCX1 tool=value fields=id ")
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Values(pub(crate) Table<dyn ValueCodec>);

impl Values {
    /// The codec with this name or alias.
    ///
    /// # Errors
    ///
    /// [`UnknownFormat`], which lists the registered names.
    pub fn get(&self, name: &str) -> Result<&dyn ValueCodec, UnknownFormat> {
        self.0.get(name)
    }

    /// The codecs, in the order of registration.
    pub fn codecs(&self) -> impl Iterator<Item = &dyn ValueCodec> {
        self.0.codecs().map(|codec| codec as &dyn ValueCodec)
    }

    /// The description of each codec, in the order of registration.
    pub fn list(&self) -> impl Iterator<Item = &CodecInfo> {
        self.0.list()
    }

    /// The codec whose magic `input` has; when several match, the one that was registered first.
    pub fn detect(&self, input: &[u8]) -> Option<&dyn ValueCodec> {
        self.0.detect(input)
    }

    /// The codec with this file name extension (without the dot; case is ignored).
    pub fn by_extension(&self, extension: &str) -> Option<&dyn ValueCodec> {
        self.0.by_extension(extension)
    }

    /// The codec with this media type: see
    /// [`Registry::by_media_type`](crate::Registry::by_media_type).
    pub fn by_media_type(&self, media_type: &str) -> Option<&dyn ValueCodec> {
        self.0.by_media_type(media_type)
    }

    /// The codec for the answer of an HTTP server: see
    /// [`Registry::negotiate`](crate::Registry::negotiate).
    pub fn negotiate(&self, accept: &str) -> Option<&dyn ValueCodec> {
        self.0.negotiate(accept)
    }

    /// Encodes the value of a JSON text with the codec of this name.
    ///
    /// # Errors
    ///
    /// When no codec has the name, the text is not JSON, or the codec can't represent the value.
    pub fn encode(&self, name: &str, json: &str) -> Result<Vec<u8>, RegistryError> {
        Ok(self.get(name)?.encode(json)?)
    }

    /// Decodes an input with the codec of this name, to JSON text.
    ///
    /// # Errors
    ///
    /// When no codec has the name, or the input is not valid in the format.
    pub fn decode(&self, name: &str, input: &[u8]) -> Result<String, RegistryError> {
        Ok(self.get(name)?.decode(input)?)
    }

    /// Decodes with the codec `from`, and encodes the value with the codec `to`. Nothing is lost.
    ///
    /// # Errors
    ///
    /// When no codec has one of the names, the input is not valid in the first format, or the
    /// second can't represent the value. The position of the last error is in the JSON text between
    /// the two, which is the input itself when `from` is JSON.
    pub fn transcode(&self, from: &str, to: &str, input: &[u8]) -> Result<Vec<u8>, RegistryError> {
        let (from, to) = (self.get(from)?, self.get(to)?);
        Ok(to.encode(&from.decode(input)?)?)
    }
}
