//! Codecs of one kind by name, first bytes, extension and media type.

use std::cmp::Reverse;
use std::fmt;

use wire_core::{Codec, CodecInfo, ValueCodec};

use crate::error::{DuplicateName, UnknownFormat};
use crate::negotiate::{fit, ranges};

/// Codecs, in the order of registration.
pub(crate) struct Table<C: ?Sized>(pub(crate) Vec<Box<C>>);

/// A codec that describes itself.
pub(crate) trait Described {
    fn described(&self) -> &CodecInfo;
}

impl Described for dyn Codec {
    fn described(&self) -> &CodecInfo {
        self.info()
    }
}

impl Described for dyn ValueCodec {
    fn described(&self) -> &CodecInfo {
        self.info()
    }
}

/// The names.
impl<C: Described + ?Sized> fmt::Debug for Table<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.list().map(CodecInfo::name)).finish()
    }
}

impl<C: Described + ?Sized> Table<C> {
    pub(crate) fn register(&mut self, codec: Box<C>) -> Result<(), DuplicateName> {
        for name in names(codec.described()) {
            if self.get(name).is_ok() {
                return Err(DuplicateName { name });
            }
        }
        self.0.push(codec);
        Ok(())
    }

    pub(crate) fn get(&self, name: &str) -> Result<&C, UnknownFormat> {
        self.first(|info| names(info).any(|known| known == name)).ok_or_else(|| UnknownFormat {
            name: name.to_owned(),
            known: self.list().map(CodecInfo::name).collect(),
        })
    }

    pub(crate) fn codecs(&self) -> impl Iterator<Item = &C> {
        self.0.iter().map(|codec| &**codec)
    }

    pub(crate) fn list(&self) -> impl Iterator<Item = &CodecInfo> {
        self.codecs().map(Described::described)
    }

    pub(crate) fn detect(&self, input: &[u8]) -> Option<&C> {
        self.first(|info| info.magic().matches(input))
    }

    pub(crate) fn by_extension(&self, extension: &str) -> Option<&C> {
        self.first(|info| {
            info.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    pub(crate) fn by_media_type(&self, media_type: &str) -> Option<&C> {
        let name = |media_type: &str| {
            media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
        };
        let wanted = name(media_type);
        self.first(|info| name(info.media_type()) == wanted)
    }

    pub(crate) fn negotiate(&self, accept: &str) -> Option<&C> {
        let ranges = ranges(accept);
        let fits = self.codecs().filter_map(|codec| {
            fit(&ranges, codec.described().media_type()).map(|fit| (fit, codec))
        });
        // `max_by_key` returns the last of equal items.
        fits.enumerate()
            .max_by_key(|(at, (fit, _))| (*fit, Reverse(*at)))
            .map(|(_, (_, codec))| codec)
    }

    fn first(&self, is_wanted: impl Fn(&CodecInfo) -> bool) -> Option<&C> {
        self.codecs().find(|codec| is_wanted(codec.described()))
    }
}

fn names(info: &CodecInfo) -> impl Iterator<Item = &'static str> + use<> {
    std::iter::once(info.name()).chain(info.aliases().iter().copied())
}
