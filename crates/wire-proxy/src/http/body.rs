//! Bodies: buffered up to a limit, or passed on as they arrive.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use async_compression::tokio::bufread::GzipDecoder;
use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyDataStream, BodyExt, Full, StreamBody};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio_util::io::{ReaderStream, StreamReader};

pub(crate) type BoxError = Box<dyn Error + Send + Sync>;
/// The body of an answer.
pub(crate) type Body = UnsyncBoxBody<Bytes, BoxError>;

/// A body of these bytes.
pub(crate) fn full(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// A gzip body, decompressed: all of its members (RFC 1952, 2.2). One that is damaged or cut breaks
/// off.
pub(crate) fn gunzipped(body: reqwest::Body) -> Body {
    let compressed = BodyDataStream::new(body).map_err(io::Error::other);
    let mut decoder = GzipDecoder::new(StreamReader::new(compressed));
    decoder.multiple_members(true);
    let frames = ReaderStream::new(decoder).map_ok(Frame::data).or_else(|error| async {
        // The written bytes are sent first, because an error ends the connection at once.
        tokio::task::yield_now().await;
        Err(BoxError::from(error))
    });
    StreamBody::new(frames).boxed_unsync()
}

/// The part of a body that was read.
pub(crate) enum Read<B: HttpBody> {
    /// All of it.
    Whole(Bytes),
    /// More than the limit, or as much as came before it broke off: the beginning and the rest.
    Part(Prefixed<B>),
}

/// Reads a body that is not longer than a limit.
pub(crate) async fn read<B>(mut body: B, limit: usize) -> Read<B>
where
    B: HttpBody<Data = Bytes> + Unpin,
    B::Error: Into<BoxError>,
{
    let mut held = BytesMut::new();
    loop {
        let rest = match body.frame().await {
            None => return Read::Whole(held.freeze()),
            Some(Err(error)) => Rest::Broken { error: Some(error.into()), has_waited: false },
            Some(Ok(frame)) => {
                let Ok(data) = frame.into_data() else { continue };
                held.extend_from_slice(&data);
                if held.len() <= limit {
                    continue;
                }
                Rest::Body(body)
            }
        };
        return Read::Part(Prefixed { beginning: Some(held.freeze()), rest });
    }
}

/// A body whose beginning was read already.
pub(crate) struct Prefixed<B> {
    beginning: Option<Bytes>,
    rest: Rest<B>,
}

enum Rest<B> {
    Body(B),
    /// The body ended early; the reason, until it was reported.
    Broken {
        error: Option<BoxError>,
        has_waited: bool,
    },
}

impl<B> HttpBody for Prefixed<B>
where
    B: HttpBody<Data = Bytes> + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Some(beginning) = self.beginning.take().filter(|bytes| !bytes.is_empty()) {
            return Poll::Ready(Some(Ok(Frame::data(beginning))));
        }
        match &mut self.rest {
            Rest::Body(body) => Pin::new(body)
                .poll_frame(context)
                .map(|frame| frame.map(|frame| frame.map_err(Into::into))),
            Rest::Broken { has_waited: has_waited @ false, .. } => {
                // The written bytes are sent first, because an error ends the connection at once.
                *has_waited = true;
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Rest::Broken { error, .. } => Poll::Ready(error.take().map(Err)),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
