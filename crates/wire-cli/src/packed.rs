//! Inputs that are compressed with gzip or zstd, which their first bytes tell.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// The most bytes that an input that is read whole may have unpacked: a small file can hold
/// terabytes of zeros.
const MOST: u64 = 1 << 30;

const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
const EXTENSIONS: [&str; 2] = ["gz", "zst"];

/// A path without the extension of a compressed file: `log.json` for `log.json.gz`.
pub(crate) fn unpacked_name(path: &Path) -> PathBuf {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_packed = EXTENSIONS.iter().any(|packed| packed.eq_ignore_ascii_case(extension));
    if is_packed { path.with_extension("") } else { path.to_owned() }
}

/// Returns `true` if an input is compressed.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || bytes.starts_with(ZSTD)
}

/// A reader of what an input contains, and whether it was compressed.
pub(crate) fn unpacked(mut reader: Box<dyn BufRead>) -> io::Result<(Box<dyn BufRead>, bool)> {
    let mut start = Vec::new();
    reader.by_ref().take(ZSTD.len() as u64).read_to_end(&mut start)?;
    let is_gzip = start.starts_with(GZIP);
    let is_zstd = start == ZSTD;
    let reader = Cursor::new(start).chain(reader);
    Ok(if is_gzip {
        (Box::new(BufReader::new(MultiGzDecoder::new(reader))), true)
    } else if is_zstd {
        (Box::new(BufReader::new(Frames { source: Some(reader), frame: None })), true)
    } else {
        (Box::new(reader), false)
    })
}

/// Reads to the end, in a bounded memory.
pub(crate) fn read_whole(reader: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    read_at_most(MOST, reader, bytes)
}

fn read_at_most(most: u64, reader: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let before = bytes.len() as u64;
    let read = reader.take((most + 1).saturating_sub(before)).read_to_end(bytes)? as u64;
    if before + read > most {
        return Err(io::Error::other(format!(
            "it has more than {most} bytes unpacked, which is the limit; --stream has none"
        )));
    }
    Ok(())
}

/// The frames of zstd, one after the other.
struct Frames<R: Read> {
    /// The bytes that follow, between two frames.
    source: Option<R>,
    frame: Option<StreamingDecoder<R, FrameDecoder>>,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                let (source, decoder) =
                    self.frame.take().expect("because it is there").into_parts();
                let written = decoder.get_checksum_from_data();
                if written.is_some() && written != decoder.get_calculated_checksum() {
                    return Err(io::Error::other("its checksum is not that of its content"));
                }
                self.source = Some(source);
            }
            let Some(mut source) = self.source.take() else { return Ok(0) };
            if source.fill_buf()?.is_empty() {
                self.source = Some(source);
                return Ok(0);
            }
            self.frame = Some(StreamingDecoder::new(source).map_err(io::Error::other)?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of zeros that is small where it is compressed fills no memory.
    #[test]
    fn what_is_unpacked_is_bounded() {
        let mut bytes = b"ab".to_vec();
        read_at_most(5, &b"cde"[..], &mut bytes).unwrap();
        assert_eq!(bytes, b"abcde");
        let error = read_at_most(7, io::repeat(0), &mut bytes).unwrap_err();
        assert!(error.to_string().contains("more than 7 bytes"), "{error}");
        assert_eq!(bytes.len(), 8);
    }
}
