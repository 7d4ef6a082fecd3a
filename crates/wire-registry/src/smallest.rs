//! Choosing the format that uses the fewest tokens.

use std::borrow::Cow;
use std::fmt;

use wire_core::{CodecError, Field, LossReport, SymbolOrder, TokenCounter};

/// The losses that a caller accepts.
///
/// ```
/// use wire_core::Field;
/// use wire_registry::AllowedLosses;
///
/// // A model does not need the components of scores, and reads symbols in any order.
/// let allowed = AllowedLosses::NONE.with(Field::Components).with_order();
/// # let _ = allowed;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllowedLosses {
    /// A bit for each of [`Field::ALL`].
    fields: u32,
    order: bool,
}

impl AllowedLosses {
    /// No loss: a round trip returns the data unchanged.
    pub const NONE: AllowedLosses = AllowedLosses { fields: 0, order: false };
    /// Any loss; the format may even be one that can't be decoded.
    pub const ANY: AllowedLosses = AllowedLosses { fields: u32::MAX, order: true };

    /// Allows `field` to be dropped, rounded or changed, as the format's fidelity states.
    #[must_use]
    pub const fn with(mut self, field: Field) -> Self {
        self.fields |= 1 << field as u32;
        self
    }

    /// Allows another order of symbols.
    #[must_use]
    pub const fn with_order(mut self) -> Self {
        self.order = true;
        self
    }

    /// Whether everything in `report` is allowed.
    pub fn allows(&self, report: &LossReport) -> bool {
        let field = |field: Field| self.fields & (1 << field as u32) != 0;
        report.losses().iter().all(|lost| field(lost.loss.field))
            && (self.order || report.order() == SymbolOrder::AsGiven)
    }
}

/// The result of [`Registry::encode_smallest`](crate::Registry::encode_smallest).
#[derive(Debug)]
#[non_exhaustive]
pub struct Smallest {
    /// The name of the format.
    pub format: &'static str,
    /// The text in it.
    pub text: Vec<u8>,
    /// The number of tokens of the text.
    pub tokens: usize,
    /// Why this format was chosen.
    pub reason: Reason,
    /// The name of the token counter.
    pub counter: String,
    /// The outcome of each format: the fallback first, then the others in the order in which they
    /// were offered.
    pub candidates: Vec<Candidate>,
}

/// Why a format was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The format uses fewer tokens than the fallback (minified JSON for payloads), and at most as
    /// many as any other candidate.
    FewestTokens,
    /// No candidate uses fewer tokens than the fallback.
    NothingBeatsFallback,
    /// The fallback can't represent the data; this format uses the fewest tokens of those that can.
    FallbackCannotHold,
}

/// `it uses the fewest tokens`, …
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::FewestTokens => "it uses the fewest tokens",
            Reason::NothingBeatsFallback => "no other format that was considered uses fewer tokens",
            Reason::FallbackCannotHold => {
                "it uses the fewest tokens, and JSON can't represent the data"
            }
        })
    }
}

/// A format that was considered.
#[derive(Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The name of the format.
    pub format: &'static str,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome of a format that was considered.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// Its text has this many tokens.
    Tokens(usize),
    /// The text was not counted: its bytes show that it has at least this many tokens, which is
    /// more than another candidate can have.
    AtLeast(usize),
    /// The format would lose parts that the caller did not allow to lose; these are the losses as
    /// phrases.
    Loses(Vec<String>),
    /// The format can't represent the data, or its text is too large to be measured (the code
    /// `too_large`).
    Refused(CodecError),
    /// The format is not text, so its tokens can't be counted.
    NotText,
    /// The format can't be decoded, so everything would be lost.
    EncodeOnly,
}

/// `gcf 242 tokens`, `xml would lose: …`.
impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.format;
        match &self.outcome {
            Outcome::Tokens(1) => write!(f, "{format} 1 token"),
            Outcome::Tokens(tokens) => write!(f, "{format} {tokens} tokens"),
            Outcome::AtLeast(tokens) => write!(f, "{format} at least {tokens} tokens"),
            Outcome::Loses(losses) => write!(f, "{format} would lose: {}", losses.join("; ")),
            Outcome::Refused(error) if error.code() == "too_large" => {
                write!(f, "{format} was not tried: {error}")
            }
            Outcome::Refused(error) => write!(f, "{format} can't represent it: {error}"),
            Outcome::NotText => write!(f, "{format} is not text"),
            Outcome::EncodeOnly => write!(f, "{format} can't be decoded"),
        }
    }
}

/// `gcf by o200k_base, since it uses the fewest tokens: json 1519 tokens; gcf 242 tokens`.
impl fmt::Display for Smallest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let candidates: Vec<String> = self.candidates.iter().map(ToString::to_string).collect();
        let (format, counter, reason) = (self.format, &self.counter, self.reason);
        write!(f, "{format} by {counter}, since {reason}: {}", candidates.join("; "))
    }
}

/// No format that was considered, not even JSON, can represent the data.
#[derive(Debug, thiserror::Error)]
#[error("no format can represent the payload: {}", candidates.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
#[non_exhaustive]
pub struct NothingHolds {
    /// The outcome of each format.
    pub candidates: Vec<Candidate>,
}

/// Compares texts of the same data in several formats, and keeps the one with the fewest tokens.
/// Among equals it keeps the fallback, then the one that was offered first.
///
/// [`Registry::encode_smallest`](crate::Registry::encode_smallest) does this for payloads. For
/// other data, offer the texts yourself:
///
/// ```
/// use wire_core::WordPunctuation;
/// use wire_registry::{Chooser, Reason};
///
/// let mut chooser = Chooser::new(&WordPunctuation);
/// chooser.fallback("json", Ok(br#"[{"id":1},{"id":2}]"#.to_vec()));
/// chooser.offer("rows", Vec::new(), || Ok(b"id 1 2".to_vec()));
/// chooser.offer("sum", vec!["the addends".to_owned()], || Ok(b"3".to_vec()));
/// let smallest = chooser.choose()?;
/// assert_eq!((smallest.format, smallest.tokens, smallest.reason), ("rows", 3, Reason::FewestTokens));
/// assert_eq!(smallest.candidates[2].to_string(), "sum would lose: the addends");
/// # Ok::<(), wire_registry::NothingHolds>(())
/// ```
pub struct Chooser<'c> {
    counter: &'c dyn TokenCounter,
    has_fallback: bool,
    /// The texts, and which candidates they are of.
    texts: Vec<(usize, Vec<u8>)>,
    candidates: Vec<Candidate>,
}

impl fmt::Debug for Chooser<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chooser").field("candidates", &self.candidates).finish_non_exhaustive()
    }
}

impl<'c> Chooser<'c> {
    /// A chooser that counts with `counter`.
    pub fn new(counter: &'c dyn TokenCounter) -> Self {
        Chooser { counter, has_fallback: false, texts: Vec::new(), candidates: Vec::new() }
    }

    /// Sets the fallback: the text that is chosen when no other is smaller, and its name. Call this
    /// first, and once. An error states why the fallback can't represent the data.
    pub fn fallback(&mut self, format: &'static str, text: Result<Vec<u8>, CodecError>) {
        self.has_fallback = text.is_ok();
        self.take(format, text);
    }

    /// Offers a text in a format. When `losses` is not empty, the format is recorded as lossy and
    /// its text is not made.
    pub fn offer(
        &mut self,
        format: &'static str,
        losses: Vec<String>,
        text: impl FnOnce() -> Result<Vec<u8>, CodecError>,
    ) {
        if losses.is_empty() {
            self.take(format, text());
        } else {
            self.note(format, Outcome::Loses(losses));
        }
    }

    /// Notes a format that was not considered.
    pub fn note(&mut self, format: &'static str, outcome: Outcome) {
        self.candidates.push(Candidate { format, outcome });
    }

    /// Whether nothing is known of any format.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Whether something is known of a format.
    pub fn has(&self, format: &str) -> bool {
        self.candidates.iter().any(|candidate| candidate.format == format)
    }

    fn take(&mut self, format: &'static str, text: Result<Vec<u8>, CodecError>) {
        let outcome = match text {
            Err(error) => Outcome::Refused(error),
            Ok(text) => {
                let fewest = *self.counter.bounds(text.len()).start();
                self.texts.push((self.candidates.len(), text));
                Outcome::AtLeast(fewest)
            }
        };
        self.note(format, outcome);
    }

    /// The text with the fewest tokens.
    ///
    /// # Errors
    ///
    /// [`NothingHolds`] when every format, the fallback included, was rejected.
    pub fn choose(self) -> Result<Smallest, NothingHolds> {
        let counter = self.counter;
        self.choose_counting(|texts| texts.iter().map(|text| counter.count(text)).collect())
    }

    /// [`Chooser::choose`] with counts from the caller, who may count in parallel: `count` receives
    /// the texts that have to be counted, and returns the number of tokens of each.
    ///
    /// # Errors
    ///
    /// [`NothingHolds`] when every format, the fallback included, was rejected.
    ///
    /// # Panics
    ///
    /// When `count` does not return one number for each text.
    pub fn choose_counting(
        self,
        count: impl FnOnce(&[&str]) -> Vec<usize>,
    ) -> Result<Smallest, NothingHolds> {
        let Chooser { counter, has_fallback, mut texts, mut candidates } = self;
        // The text whose upper bound is the lowest; a text whose lower bound is above that is not
        // counted.
        let most = texts.iter().map(|(_, text)| *counter.bounds(text.len()).end()).min();
        let (wanted, strings): (Vec<usize>, Vec<Cow<'_, str>>) = texts
            .iter()
            .enumerate()
            .filter(|(_, (_, text))| Some(*counter.bounds(text.len()).start()) <= most)
            .map(|(index, (_, text))| (index, String::from_utf8_lossy(text)))
            .unzip();
        let counts = count(&strings.iter().map(AsRef::as_ref).collect::<Vec<&str>>());
        drop(strings);
        assert_eq!(counts.len(), wanted.len(), "each text has a count");
        for (index, tokens) in wanted.iter().zip(&counts) {
            candidates[texts[*index].0].outcome = Outcome::Tokens(*tokens);
        }
        // Of equal ones the first.
        let Some((index, tokens)) =
            wanted.into_iter().zip(counts).min_by_key(|(_, tokens)| *tokens)
        else {
            return Err(NothingHolds { candidates });
        };
        let (candidate, text) = texts.swap_remove(index);
        let reason = match (has_fallback, candidate) {
            (false, _) => Reason::FallbackCannotHold,
            (true, 0) => Reason::NothingBeatsFallback,
            (true, _) => Reason::FewestTokens,
        };
        let (format, counter) = (candidates[candidate].format, counter.name().to_owned());
        Ok(Smallest { format, text, tokens, reason, counter, candidates })
    }
}
