//! The part of a payload that fits a token budget.

use crate::codec::{Codec, CodecError, Representation};
use crate::order::by_score;
use crate::payload::{Edge, Payload};
use crate::token::TokenCounter;

/// The part of a payload that fits a budget: see [`fit_to_budget`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BudgetedPayload<'a> {
    /// The symbols that fit and the edges between them, in the order of the whole payload. Its
    /// `token_budget` is the budget, and its `tokens_used` is the number of tokens of its text.
    pub payload: Payload<'a>,
    /// The number of symbols that were left out.
    pub symbols_left_out: usize,
    /// The number of edges that were left out.
    pub edges_left_out: usize,
}

impl BudgetedPayload<'_> {
    /// Returns `true` if the whole payload fits.
    pub fn is_clean(&self) -> bool {
        self.symbols_left_out == 0 && self.edges_left_out == 0
    }
}

/// Nothing fits a budget, or a payload can't be encoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The payload needs more tokens than the budget even without symbols.
    #[error(
        "the budget is {budget} tokens, expected at least {needed}, which a payload without symbols uses"
    )]
    BudgetTooSmall {
        /// The budget.
        budget: u64,
        /// The number of tokens of a payload without symbols.
        needed: u64,
    },
    /// The format is not text, so its tokens can't be counted.
    #[error("{format} is not text, expected a text format: a budget counts tokens")]
    NotText {
        /// The name of the format.
        format: &'static str,
    },
    /// The payload can't be encoded.
    #[error(transparent)]
    Encode(#[from] CodecError),
}

impl FitError {
    /// The stable name of the error.
    pub fn code(&self) -> &'static str {
        match self {
            FitError::BudgetTooSmall { .. } => "budget_too_small",
            FitError::NotText { .. } => "not_text",
            FitError::Encode(error) => error.code(),
        }
    }
}

/// The highest-ranked symbols of `payload`, with the edges between them, whose text in the format
/// of `codec` has at most `budget` tokens by `counter`. A compact format has room for more symbols.
///
/// Symbols are ranked by score, from high to low, with NaN last. Equal scores are ranked by
/// distance, then by position. The result is always a prefix of this ranking. The pack root is kept
/// only when everything fits. The text states the budget and its own number of tokens; both are set
/// before counting, so they are counted too.
///
/// A larger budget never returns fewer symbols, as long as the counter uses equally many tokens for
/// every number. Otherwise a text that states a larger budget may have room for one symbol less.
///
/// The length is found by bisection: about log2(symbols) lengths are tried. Each try encodes the
/// text two or three times, because the text states its own number of tokens.
///
/// ```
/// # use wire_core::{Codec, CodecError, CodecInfo, Payload};
/// # struct Names(CodecInfo);
/// # impl Codec for Names {
/// #     fn info(&self) -> &CodecInfo { &self.0 }
/// #     fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
/// #         payload.symbols.iter().for_each(|s| out.extend(format!("{}\n", s.qualified_name).bytes()));
/// #         Ok(())
/// #     }
/// #     fn decode<'a>(&self, _: &'a [u8]) -> Result<Payload<'a>, CodecError> { unimplemented!() }
/// # }
/// # let codec = Names(CodecInfo::new("names", "One name a line."));
/// use wire_core::{Symbol, WordPunctuation, fit_to_budget};
///
/// let mut payload = Payload::default();
/// payload.symbols = vec![
///     Symbol::new("function", "low").with_score(0.1),
///     Symbol::new("function", "high").with_score(0.9),
///     Symbol::new("function", "middle").with_score(0.5),
/// ];
/// let fitted = fit_to_budget(&payload, &codec, &WordPunctuation, 2)?;
/// let names: Vec<_> =
///     fitted.payload.symbols.iter().map(|s| &*s.qualified_name).collect();
/// assert_eq!((names, fitted.symbols_left_out), (vec!["high", "middle"], 1));
/// # Ok::<(), wire_core::FitError>(())
/// ```
///
/// # Errors
///
/// [`FitError`] when the budget is too small for a payload without symbols, the format is not text,
/// or a part of the payload that was tried can't be encoded.
pub fn fit_to_budget<'a>(
    payload: &Payload<'a>,
    codec: &dyn Codec,
    counter: &dyn TokenCounter,
    budget: u64,
) -> Result<BudgetedPayload<'a>, FitError> {
    let info = codec.info();
    if info.representation() != Representation::Text {
        return Err(FitError::NotText { format: info.name() });
    }
    let places = places_by_score(payload);
    let mut scratch = Vec::new();
    let mut cost_of = |length: usize| -> Result<Payload<'a>, FitError> {
        let mut part = beginning(payload, &places, length);
        part.token_budget = budget;
        settle(&mut part, codec, counter, &mut scratch)?;
        Ok(part)
    };
    let mut best = cost_of(0)?;
    if best.tokens_used > budget {
        return Err(FitError::BudgetTooSmall { budget, needed: best.tokens_used });
    }
    // A larger budget makes the same choices up to the first try that only it accepts, so its
    // result is never shorter.
    let (mut fits, mut limit) = (0, payload.symbols.len());
    while fits < limit {
        let middle = limit - (limit - fits) / 2;
        let part = cost_of(middle)?;
        if part.tokens_used <= budget {
            fits = middle;
            best = part;
        } else {
            limit = middle - 1;
        }
    }
    Ok(BudgetedPayload {
        symbols_left_out: payload.symbols.len() - best.symbols.len(),
        edges_left_out: payload.edges.len() - best.edges.len(),
        payload: best,
    })
}

/// The rank of each symbol by score.
fn places_by_score(payload: &Payload<'_>) -> Vec<usize> {
    let symbols = &payload.symbols;
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&symbols[a], &symbols[b]);
        by_score(a, b).then(a.distance.cmp(&b.distance))
    });
    let mut places = vec![0; order.len()];
    for (place, index) in order.into_iter().enumerate() {
        places[index] = place;
    }
    places
}

/// The symbols whose rank is below `length`, in the payload's order, and the edges between them.
fn beginning<'a>(payload: &Payload<'a>, places: &[usize], length: usize) -> Payload<'a> {
    let mut indices = vec![None; places.len()];
    let mut symbols = Vec::with_capacity(length);
    for (index, symbol) in payload.symbols.iter().enumerate() {
        if places[index] < length {
            // A payload with edges has fewer than 2^32 symbols; other indices are not used.
            indices[index] = u32::try_from(symbols.len()).ok();
            symbols.push(symbol.clone());
        }
    }
    let place = |index: u32| match indices.get(index as usize) {
        Some(place) => *place,
        // The edge is not one of two symbols; the codec reports that.
        None => Some(index),
    };
    let edges = payload
        .edges
        .iter()
        .filter_map(|edge| {
            let (source, target) = (place(edge.source)?, place(edge.target)?);
            Some(Edge { source, target, ..edge.clone() })
        })
        .collect();
    Payload {
        tool: payload.tool.clone(),
        tokens_used: 0,
        token_budget: payload.token_budget,
        // The root identifies the whole payload, so a part of it has no root.
        pack_root: payload.pack_root.clone().filter(|_| length == places.len()),
        symbols,
        edges,
    }
}

/// Sets `tokens_used` to the number of tokens of the text that states it.
fn settle(
    payload: &mut Payload<'_>,
    codec: &dyn Codec,
    counter: &dyn TokenCounter,
    scratch: &mut Vec<u8>,
) -> Result<(), FitError> {
    // A number with more digits rarely needs fewer tokens, so the value rises until it is right. If
    // it does need fewer, the larger value is kept.
    const ROUNDS: usize = 8;
    for _ in 0..ROUNDS {
        scratch.clear();
        codec.encode(payload, scratch)?;
        let tokens = counter.count(&String::from_utf8_lossy(scratch)) as u64;
        if tokens <= payload.tokens_used {
            break;
        }
        payload.tokens_used = tokens;
    }
    Ok(())
}
