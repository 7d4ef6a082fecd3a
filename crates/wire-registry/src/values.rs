//! The codecs of values that a registry has.

use wire_core::{CodecInfo, ValueCodec};

use crate::error::{RegistryError, UnknownFormat};
use crate::table::Table;

/// The codecs of a [`Registry`](crate::Registry) that hold any JSON value:
/// [`Registry::values`](crate::Registry::values).
///
/// They have names, aliases, first bytes and media types of their own, apart from those of the
/// codecs of payloads: `gcf` is the graph profile there and the generic profile here.
///
/// ```
/// use wire_registry::Registry;
///
/// let mut registry = Registry::new();
/// registry.register_value(gcf::generic::GcfValues::default())?;
/// registry.register_value(gcx::GcxValues::default())?;
/// let values = registry.values();
///
/// let text = values.transcode("json", "gcf", br#"{"ports": [8080, 8443]}"#)?;
/// assert_eq!(text, b"GCF profile=generic\nports[2]: 8080,8443\n");
/// assert_eq!(values.detect(&text).map(|codec| codec.info().name()), Some("gcf"));
/// assert_eq!(values.decode("gcf", &text)?, r#"{"ports":[8080,8443]}"#);
///
/// let chosen = values.negotiate("application/vnd.gcx+text, */*;q=0.1").expect("there is one");
/// assert!(chosen.encode("[{\"id\": 7}]")?.starts_with(b"GCX1 tool=value fields=id "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Values(pub(crate) Table<dyn ValueCodec>);

impl Values {
    /// The codec of this name or alias.
    ///
    /// # Errors
    ///
    /// [`UnknownFormat`], which lists the names that there are.
    pub fn get(&self, name: &str) -> Result<&dyn ValueCodec, UnknownFormat> {
        self.0.get(name)
    }

    /// The codecs, in the order of registration.
    pub fn codecs(&self) -> impl Iterator<Item = &dyn ValueCodec> {
        self.0.codecs().map(|codec| codec as &dyn ValueCodec)
    }

    /// What each codec is, in the order of registration.
    pub fn list(&self) -> impl Iterator<Item = &CodecInfo> {
        self.0.list()
    }

    /// The codec whose magic `input` carries; the one registered first when there are several.
    pub fn detect(&self, input: &[u8]) -> Option<&dyn ValueCodec> {
        self.0.detect(input)
    }

    /// The codec that uses this file name extension (without the dot; upper and lower case alike).
    pub fn by_extension(&self, extension: &str) -> Option<&dyn ValueCodec> {
        self.0.by_extension(extension)
    }

    /// The codec of this media type: see
    /// [`Registry::by_media_type`](crate::Registry::by_media_type).
    pub fn by_media_type(&self, media_type: &str) -> Option<&dyn ValueCodec> {
        self.0.by_media_type(media_type)
    }

    /// The codec that an HTTP server answers with: see
    /// [`Registry::negotiate`](crate::Registry::negotiate).
    pub fn negotiate(&self, accept: &str) -> Option<&dyn ValueCodec> {
        self.0.negotiate(accept)
    }

    /// The value of a JSON text by the codec of this name.
    ///
    /// # Errors
    ///
    /// When there is no such codec, the text is not JSON, or the codec can't hold the value.
    pub fn encode(&self, name: &str, json: &str) -> Result<Vec<u8>, RegistryError> {
        Ok(self.get(name)?.encode(json)?)
    }

    /// The value of an input by the codec of this name, as JSON text.
    ///
    /// # Errors
    ///
    /// When there is no such codec, or the input is not valid in the format.
    pub fn decode(&self, name: &str, input: &[u8]) -> Result<String, RegistryError> {
        Ok(self.get(name)?.decode(input)?)
    }

    /// Decodes with the codec `from`, and encodes what comes out with the codec `to`. Nothing is
    /// lost.
    ///
    /// # Errors
    ///
    /// When there is no such codec, the input is not valid in the first format, or the second can't
    /// hold the value. The place of the last is in the JSON text between them, which is the input
    /// itself where that is JSON.
    pub fn transcode(&self, from: &str, to: &str, input: &[u8]) -> Result<Vec<u8>, RegistryError> {
        let (from, to) = (self.get(from)?, self.get(to)?);
        Ok(to.encode(&from.decode(input)?)?)
    }
}
