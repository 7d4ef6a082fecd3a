//! Choosing the form of a value that uses the fewest tokens, or nearly as few (ruling X17).

use std::borrow::Cow;
use std::fmt;

use wire_core::{CodecError, Field, LossReport, Runs, SymbolOrder, TokenCounter};

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
    tokens <= most_near(fewest, margin(counter.is_estimate()))
}

/// That part in percent.
fn margin(is_estimate: bool) -> usize {
    if is_estimate { 5 } else { 3 }
}

fn most_near(fewest: usize, margin: usize) -> usize {
    fewest.saturating_add(fewest / 100 * margin + fewest % 100 * margin / 100)
}

/// The losses that a caller accepts: `AllowedLosses::NONE.with(Field::Components).with_order()`.
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
        let s = |tokens: &usize| if *tokens == 1 { "token" } else { "tokens" };
        match &self.outcome {
            Outcome::Tokens(n) => write!(f, "{format} {n} {}", s(n)),
            Outcome::Near(n) => write!(f, "{format} {n} {}, too near to be preferred", s(n)),
            Outcome::Longer(n) => write!(f, "{format} {n} {}, and longer than json", s(n)),
            Outcome::AtLeast(n) => write!(f, "{format} at least {n} {}", s(n)),
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
        let (format, counter, reason) = (self.format, &self.counter, self.reason);
        write!(f, "{format} by {counter}, since {reason}: {}", in_words(&self.candidates))
    }
}

fn in_words(candidates: &[Candidate]) -> String {
    candidates.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// No format that was considered, not even JSON, can represent the data.
#[derive(Debug, thiserror::Error)]
#[error("no format can represent the payload: {}", in_words(candidates))]
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
    /// What the counter is called, and whether it estimates.
    name: String,
    is_estimate: bool,
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
    /// Its tokens, or how many it has at least.
    tokens: Result<usize, usize>,
    is_proven: bool,
}

impl Offered<'_> {
    fn count(&mut self, most: usize, counter: &dyn TokenCounter) {
        if self.tokens.is_err_and(|least| least <= most) {
            self.tokens = counter.count_up_to(&self.text, most).ok_or(most.saturating_add(1));
        }
    }
}

impl fmt::Debug for Chooser<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chooser").field("candidates", &self.candidates).finish_non_exhaustive()
    }
}

impl<'t> Chooser<'t> {
    /// A chooser that counts with `counter`.
    pub fn new(counter: &'t dyn TokenCounter) -> Self {
        let (name, is_estimate) = (counter.name().to_owned(), counter.is_estimate());
        Chooser { counter, name, is_estimate, texts: Vec::new(), candidates: Vec::new() }
    }

    /// Offers the text of a format, or the reason why the format can't represent the data.
    pub fn offer(
        &mut self,
        format: &'static str,
        text: Result<impl Into<Cow<'t, str>>, CodecError>,
    ) {
        let outcome = match text.map(Into::into) {
            Ok(text) => {
                let (candidate, bytes) = (self.candidates.len(), text.len());
                let (tokens, is_proven) = (Err(0), format == INPUT);
                self.texts.push(Offered { format, candidate, text, bytes, tokens, is_proven });
                Outcome::AtLeast(0)
            }
            Err(error) => Outcome::Refused(error),
        };
        self.note(format, outcome);
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
        self.texts.iter_mut().for_each(|text| text.count(usize::MAX, self.counter));
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
        // Nothing is left to count.
        let mut chooser = Chooser { name: counter.into(), is_estimate, ..Chooser::new(&Runs) };
        for (form, bytes, tokens) in forms {
            chooser.offer(form, Ok(""));
            let offered = chooser.texts.last_mut()?;
            (offered.bytes, offered.tokens) = (bytes, Ok(tokens));
        }
        chooser.choose_proven(|_, _| true).ok()
    }

    /// The text to take, of texts of which it is not known whether they decode to an equal value:
    /// `is_equal` receives a format and its text. It is asked of the text that is taken and of those
    /// with the fewest tokens, but not of the text as it came. Texts are counted only as far as the
    /// choice needs it.
    ///
    /// # Errors
    ///
    /// [`NothingHolds`] when no text was offered, or all of them were refused.
    pub fn choose_proven(
        mut self,
        mut is_equal: impl FnMut(&'static str, &str) -> bool,
    ) -> Result<Smallest, NothingHolds> {
        let rank = |text: &Offered<'_>| ORDER.iter().position(|first| *first == text.format);
        self.texts.sort_by_key(|text| rank(text).unwrap_or(ORDER.len()));
        let margin = margin(self.is_estimate);
        while let Some(fewest) = self.count(margin) {
            if let Some((input, tokens)) = self.longer_input() {
                self.leave(input, Outcome::Longer(tokens));
                continue;
            }
            let most = most_near(fewest, margin);
            let is_near = |text: &Offered<'_>| text.tokens.is_ok_and(|tokens| tokens <= most);
            let taken = self.texts.iter().position(is_near).expect("because the fewest are near");
            let is_fewest = self.texts[taken].tokens == Ok(fewest);
            let unequal = self.texts.iter_mut().enumerate().position(|(at, text)| {
                let counts = at == taken || !is_fewest && text.tokens == Ok(fewest);
                text.is_proven |= counts && !text.is_proven && is_equal(text.format, &text.text);
                counts && !text.is_proven
            });
            if let Some(at) = unequal {
                self.leave(at, Outcome::Unequal);
                continue;
            }
            let Offered { format, candidate, text, tokens, .. } = self.texts.remove(taken);
            for text in &self.texts {
                self.candidates[text.candidate].outcome = match text.tokens {
                    Ok(tokens) if tokens <= most => Outcome::Near(tokens),
                    Ok(tokens) => Outcome::Tokens(tokens),
                    Err(least) => Outcome::AtLeast(least),
                };
            }
            let tokens = tokens.expect("because it is near");
            self.candidates[candidate].outcome = Outcome::Tokens(tokens);
            let near = Reason::NearFewest(margin);
            let reason = if is_fewest { Reason::FewestTokens } else { near };
            let (text, counter, candidates) = (text.into_owned(), self.name, self.candidates);
            return Ok(Smallest { format, text, tokens, reason, counter, candidates });
        }
        Err(NothingHolds { candidates: self.candidates })
    }

    /// Leaves a text out.
    fn leave(&mut self, at: usize, outcome: Outcome) {
        self.candidates[self.texts.remove(at).candidate].outcome = outcome;
    }

    /// Counts the texts as far as they may be near the fewest tokens, and returns the fewest. `None`
    /// if there is no text.
    fn count(&mut self, margin: usize) -> Option<usize> {
        let mut texts: Vec<&mut Offered<'_>> = self.texts.iter_mut().collect();
        texts.sort_by_key(|text| (text.bytes, text.candidate));
        texts.into_iter().fold(None, |fewest, text| {
            let most = fewest.map_or(usize::MAX, |fewest| most_near(fewest, margin));
            text.count(most, self.counter);
            fewest.into_iter().chain(text.tokens.ok()).min()
        })
    }

    /// The text as it came and its tokens, if it is longer than minified JSON: in tokens or, by an
    /// estimate, in bytes, since a space before a digit is a token that no estimate sees.
    fn longer_input(&self) -> Option<(usize, usize)> {
        let at = |format| self.texts.iter().position(|text| text.format == format);
        let (input, json) = (at(INPUT)?, &self.texts[at(JSON)?]);
        let tokens = self.texts[input].tokens.ok()?;
        let has_more_bytes = self.is_estimate && self.texts[input].bytes > json.bytes;
        let is_longer = json.tokens.is_ok_and(|json| tokens > json) || has_more_bytes;
        is_longer.then_some((input, tokens))
    }
}
