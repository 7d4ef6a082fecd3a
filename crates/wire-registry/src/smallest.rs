//! Choosing the form of a value that uses the fewest tokens, or nearly as few (ruling X17).

use std::borrow::Cow;
use std::fmt;

use wire_core::{CodecError, Field, LossReport, SymbolOrder, TokenCounter};

/// The name of the text as it came, which is taken before every other form.
pub const INPUT: &str = "input";

/// The order in which forms are taken, of those that are near the fewest tokens. Other forms come
/// after these, in the order in which they were offered.
const ORDER: [&str; 5] = [INPUT, JSON, "gcf", "gcx", "goon"];
const JSON: &str = "json";

/// The forms of a value among which a program chooses beside the text as it came, unless its user
/// names others (ruling X17).
pub const FORMS: [&str; 2] = [JSON, "gcf"];

/// Returns `true` if a number of tokens is so little above the fewest that these are no reason to
/// take another form: at most 3 %, or 5 % if the counter estimates (ruling X17).
pub fn is_near(tokens: usize, fewest: usize, counter: &dyn TokenCounter) -> bool {
    tokens <= most_near(fewest, margin(counter))
}

/// The part of the fewest tokens, in percent, by which a form may have more and still be taken:
/// fewer are then no reason to take another form.
fn margin(counter: &dyn TokenCounter) -> usize {
    if counter.is_estimate() { 5 } else { 3 }
}

/// The most tokens that are at most this part, in percent, above the fewest.
fn most_near(fewest: usize, margin: usize) -> usize {
    fewest.saturating_add(fewest / 100 * margin + fewest % 100 * margin / 100)
}

/// The losses that a caller accepts.
///
/// ```
/// use wire_core::Field;
/// use wire_registry::AllowedLosses;
///
/// // A model does not need the components of scores, and reads symbols in any
/// // order.
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

    /// Returns `true` if everything in `report` is allowed.
    pub fn allows(&self, report: &LossReport) -> bool {
        let field = |field: Field| self.fields & (1 << field as u32) != 0;
        report.losses().iter().all(|lost| field(lost.loss.field))
            && (self.order || report.order() == SymbolOrder::AsGiven)
    }
}

/// The chosen form: the result of [`Chooser::choose`] and
/// [`Registry::encode_smallest`](crate::Registry::encode_smallest).
#[derive(Debug)]
#[non_exhaustive]
pub struct Smallest {
    /// The name of the format.
    pub format: &'static str,
    /// The text in it.
    pub text: String,
    /// The number of tokens of the text.
    pub tokens: usize,
    /// Why this format was chosen.
    pub reason: Reason,
    /// The name of the token counter.
    pub counter: String,
    /// The outcome of each format, in the order in which they were offered.
    pub candidates: Vec<Candidate>,
}

/// Why a format was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No candidate uses fewer tokens.
    FewestTokens,
    /// The fewest tokens are fewer by at most this part, in percent, and the form comes first in the
    /// order of forms: the text as it came, minified JSON, GCF, GCX1, GOON, others.
    NearFewest(usize),
}

/// `it uses the fewest tokens`, …
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::FewestTokens => f.write_str("it uses the fewest tokens"),
            Reason::NearFewest(margin) => write!(f, "no other form saves over {margin} %"),
        }
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
    /// Its text has this many tokens. It was chosen, or has more than the chosen one.
    Tokens(usize),
    /// Its text has this many tokens, which is near the fewest, but another form that is near comes
    /// before it.
    Near(usize),
    /// It is the text as it came, with this many tokens, and longer than minified JSON.
    Longer(usize),
    /// Its text has at least this many tokens, which is too many. It was not counted further.
    AtLeast(usize),
    /// The format would lose parts that the caller did not allow to lose; these are the losses as
    /// phrases.
    Loses(Vec<String>),
    /// Its text does not decode to an equal value.
    Unequal,
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
        let s = |tokens: usize| if tokens == 1 { "" } else { "s" };
        match &self.outcome {
            Outcome::Tokens(tokens) => write!(f, "{format} {tokens} token{}", s(*tokens)),
            Outcome::Near(tokens) => {
                write!(f, "{format} {tokens} token{}, too near to be preferred", s(*tokens))
            }
            Outcome::Longer(tokens) => {
                write!(f, "{format} {tokens} token{}, and longer than json", s(*tokens))
            }
            Outcome::AtLeast(tokens) => write!(f, "{format} at least {tokens} token{}", s(*tokens)),
            Outcome::Loses(losses) => write!(f, "{format} would lose: {}", losses.join("; ")),
            Outcome::Unequal => write!(f, "{format} does not decode to an equal value"),
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

/// Compares texts of the same data in several formats. Of those with nearly the fewest tokens it
/// takes the first: the text as it came ([`INPUT`]), minified JSON (`json`), GCF (`gcf`), GCX1
/// (`gcx`), GOON (`goon`), and then the others in the order in which they were offered (ruling X17).
/// Nearly is up to 3 % more, and up to 5 % if the counter estimates. The text as it came is taken
/// only if minified JSON has no fewer tokens and, by an estimate, no fewer bytes. So a text is
/// replaced only by one that saves something.
///
/// [`Registry::encode_smallest`](crate::Registry::encode_smallest) does this for payloads. For
/// other data, offer the texts yourself:
///
/// ```
/// use wire_core::WordPunctuation;
/// use wire_registry::{Chooser, Outcome, Reason};
///
/// let mut chooser = Chooser::new(&WordPunctuation);
/// chooser.offer("json", Ok(r#"[{"id":1},{"id":2}]"#));
/// chooser.offer("rows", Ok("id 1 2"));
/// chooser.note("sum", Outcome::Loses(vec!["the addends".to_owned()]));
/// let smallest = chooser.choose()?;
/// assert_eq!(
///     (smallest.format, smallest.tokens, smallest.reason),
///     ("rows", 3, Reason::FewestTokens)
/// );
/// assert_eq!(smallest.candidates[2].to_string(), "sum would lose: the addends");
/// # Ok::<(), wire_registry::NothingHolds>(())
/// ```
pub struct Chooser<'t> {
    counter: &'t dyn TokenCounter,
    texts: Vec<Offered<'t>>,
    candidates: Vec<Candidate>,
}

/// The text of a candidate.
struct Offered<'t> {
    format: &'static str,
    /// Its index among the candidates.
    candidate: usize,
    text: Cow<'t, str>,
    bytes: usize,
    /// Counts it, unless the chooser's counter does.
    up_to: Option<UpTo<'t>>,
    /// Its tokens, once they are known.
    tokens: Option<usize>,
    is_proven: bool,
}

type UpTo<'t> = Box<dyn Fn(usize) -> Option<usize> + 't>;

impl fmt::Debug for Chooser<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chooser").field("candidates", &self.candidates).finish_non_exhaustive()
    }
}

impl<'t> Chooser<'t> {
    /// A chooser that counts with `counter`.
    pub fn new(counter: &'t dyn TokenCounter) -> Self {
        Chooser { counter, texts: Vec::new(), candidates: Vec::new() }
    }

    /// Offers the text of a format, or the reason why the format can't represent the data.
    pub fn offer(
        &mut self,
        format: &'static str,
        text: Result<impl Into<Cow<'t, str>>, CodecError>,
    ) {
        match text {
            Ok(text) => self.take(format, text.into(), None),
            Err(error) => self.note(format, Outcome::Refused(error)),
        }
    }

    /// Offers a text whose tokens the caller counts: `up_to` receives a number, and returns the
    /// tokens of the text if they are at most as many.
    pub fn offer_counting(
        &mut self,
        format: &'static str,
        text: impl Into<Cow<'t, str>>,
        up_to: impl Fn(usize) -> Option<usize> + 't,
    ) {
        self.take(format, text.into(), Some(Box::new(up_to)));
    }

    fn take(&mut self, format: &'static str, text: Cow<'t, str>, up_to: Option<UpTo<'t>>) {
        let (candidate, bytes) = (self.candidates.len(), text.len());
        let (tokens, is_proven) = (None, false);
        self.texts.push(Offered { format, candidate, text, bytes, up_to, tokens, is_proven });
        self.note(format, Outcome::AtLeast(0));
    }

    /// Notes a format that was not considered.
    pub fn note(&mut self, format: &'static str, outcome: Outcome) {
        self.candidates.push(Candidate { format, outcome });
    }

    /// Returns `true` if something is known of a format.
    pub fn has(&self, format: &str) -> bool {
        self.candidates.iter().any(|candidate| candidate.format == format)
    }

    /// The text to take, after all were counted.
    ///
    /// # Errors
    ///
    /// [`NothingHolds`] when no text was offered.
    pub fn choose(mut self) -> Result<Smallest, NothingHolds> {
        for text in &mut self.texts {
            text.tokens = text.tokens.or_else(|| Some(self.counter.count(&text.text)));
        }
        self.choose_proven(|_, _| true)
    }

    /// The choice among texts that the caller has written and counted: the name of the form of each,
    /// its bytes and its tokens. `is_estimate` is what [`TokenCounter::is_estimate`] says of
    /// `counter`. The text of the result is empty. `None` if there is no text.
    ///
    /// ```
    /// use wire_registry::Chooser;
    ///
    /// let forms = [("json", 60, 24), ("gcf", 41, 15)];
    /// let chosen = Chooser::of_counted("runs", true, forms).unwrap();
    /// assert_eq!(
    ///     chosen.to_string(),
    ///     "gcf by runs, since it uses the fewest tokens: json 24 tokens; gcf 15 \
    ///      tokens"
    /// );
    /// ```
    pub fn of_counted(
        counter: &str,
        is_estimate: bool,
        forms: impl IntoIterator<Item = (&'static str, usize, usize)>,
    ) -> Option<Smallest> {
        let counter = Named { name: counter.to_owned(), is_estimate };
        let mut chooser = Chooser::new(&counter);
        for (form, bytes, tokens) in forms {
            chooser.offer(form, Ok(""));
            let offered = chooser.texts.last_mut()?;
            (offered.bytes, offered.tokens) = (bytes, Some(tokens));
        }
        chooser.choose_proven(|_, _| true).ok()
    }

    /// The text to take, of texts of which it is not known whether they decode to an equal value:
    /// `is_equal` receives a format and its text. It is asked of the text that is taken and of the
    /// one with the fewest tokens, but not of the text as it came. Texts are counted only as far as
    /// the choice needs it.
    ///
    /// # Errors
    ///
    /// [`NothingHolds`] when no text was offered, or all of them were refused.
    pub fn choose_proven(
        mut self,
        mut is_equal: impl FnMut(&'static str, &str) -> bool,
    ) -> Result<Smallest, NothingHolds> {
        while let Some(fewest) = self.count() {
            if self.leaves_input() {
                continue;
            }
            let taken = self.first_near(fewest);
            let least = if self.texts[taken].tokens == Some(fewest) {
                taken
            } else {
                let has_fewest = |text: &Offered<'_>| text.tokens == Some(fewest);
                self.texts.iter().position(has_fewest).expect("because it was counted")
            };
            let Chooser { texts, candidates, .. } = &mut self;
            match [taken, least].into_iter().find(|at| !texts[*at].is_proven(&mut is_equal)) {
                None => return Ok(self.into_smallest(taken, fewest)),
                Some(at) => candidates[texts.remove(at).candidate].outcome = Outcome::Unequal,
            }
        }
        Err(NothingHolds { candidates: self.candidates })
    }

    /// Counts the texts as far as they may be near the fewest tokens, and returns the fewest. `None`
    /// if there is no text.
    fn count(&mut self) -> Option<usize> {
        let margin = margin(self.counter);
        let mut texts: Vec<&mut Offered<'_>> = self.texts.iter_mut().collect();
        texts.sort_by_key(|text| text.bytes);
        let mut fewest = None;
        for text in texts {
            let most = fewest.map_or(usize::MAX, |fewest| most_near(fewest, margin));
            let known = &self.candidates[text.candidate].outcome;
            text.tokens = text.tokens.or_else(|| match (known, &text.up_to) {
                (Outcome::AtLeast(least), _) if *least > most => None,
                (_, Some(up_to)) => up_to(most),
                (_, None) => self.counter.count_up_to(&text.text, most),
            });
            fewest = fewest.into_iter().chain(text.tokens).min();
            self.candidates[text.candidate].outcome = match text.tokens {
                Some(tokens) => Outcome::Tokens(tokens),
                None => Outcome::AtLeast(most.saturating_add(1)),
            };
        }
        fewest
    }

    /// The text that comes first, of those that are near the fewest tokens.
    fn first_near(&self, fewest: usize) -> usize {
        let is_near = |at: &usize| {
            let tokens = self.texts[*at].tokens;
            tokens.is_some_and(|tokens| is_near(tokens, fewest, self.counter))
        };
        let rank = |at: &usize| {
            ORDER.iter().position(|first| *first == self.texts[*at].format).unwrap_or(ORDER.len())
        };
        let near = (0..self.texts.len()).filter(is_near);
        near.min_by_key(rank).expect("because the fewest tokens are near")
    }

    /// Removes the text as it came if it is longer than minified JSON, and says whether it did: in
    /// tokens or, by an estimate, in bytes, since a space before a digit is a token that no
    /// estimate sees.
    fn leaves_input(&mut self) -> bool {
        let at = |format| self.texts.iter().position(|text| text.format == format);
        let (Some(input), Some(json)) = (at(INPUT), at(JSON)) else { return false };
        let (input_text, json) = (&self.texts[input], &self.texts[json]);
        let Some(tokens) = input_text.tokens else { return false };
        let is_longer = json.tokens.is_some_and(|json| tokens > json)
            || self.counter.is_estimate() && input_text.bytes > json.bytes;
        if is_longer {
            self.candidates[input_text.candidate].outcome = Outcome::Longer(tokens);
            self.texts.remove(input);
        }
        is_longer
    }

    fn into_smallest(self, taken: usize, fewest: usize) -> Smallest {
        let Chooser { counter, mut texts, mut candidates } = self;
        let taken = texts.remove(taken);
        for text in texts {
            if let Some(tokens) = text.tokens.filter(|tokens| is_near(*tokens, fewest, counter)) {
                candidates[text.candidate].outcome = Outcome::Near(tokens);
            }
        }
        let tokens = taken.tokens.expect("because it is near");
        let reason = if tokens == fewest {
            Reason::FewestTokens
        } else {
            Reason::NearFewest(margin(counter))
        };
        let counter = counter.name().to_owned();
        let (format, text) = (taken.format, taken.text.into_owned());
        Smallest { format, text, tokens, reason, counter, candidates }
    }
}

/// The name of a counter that has counted all texts already.
struct Named {
    name: String,
    is_estimate: bool,
}

impl TokenCounter for Named {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_estimate(&self) -> bool {
        self.is_estimate
    }

    fn count(&self, _: &str) -> usize {
        usize::MAX
    }
}

impl Offered<'_> {
    fn is_proven(&mut self, is_equal: &mut impl FnMut(&'static str, &str) -> bool) -> bool {
        self.is_proven =
            self.is_proven || self.format == INPUT || is_equal(self.format, &self.text);
        self.is_proven
    }
}
