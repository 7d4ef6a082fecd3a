//! Running cases against an implementation.

use std::fmt::Write as _;

use serde_json::Value;
use wire_core::{Payload, Position};

use crate::across::{self, AcrossCalls};
use crate::case::{Case, ExpectedError, Operation, Options};
use crate::keyed::{self, KeyedSets};
use crate::response::{self, Responses};
use crate::rows::{self, Rows};

/// An implementation of one format.
pub trait Subject {
    /// The format's name, as the folder of its cases.
    fn format(&self) -> &'static str;

    /// Every error code of the implementation.
    fn error_codes(&self) -> Vec<&'static str>;

    /// Every code of a repair that [`Subject::recover`] reports.
    fn repair_codes(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What goes beyond one text, where the format has it.
    fn across_calls(&self) -> Option<&dyn AcrossCalls> {
        None
    }

    /// Rows of tool responses, where the format has them.
    fn rows(&self) -> Option<&dyn Rows> {
        None
    }

    /// JSON of tool responses, where the format has them.
    fn responses(&self) -> Option<&dyn Responses> {
        None
    }

    /// Sets of rows with a key, where the format has them.
    fn keyed_sets(&self) -> Option<&dyn KeyedSets> {
        None
    }

    /// Encodes, through every entry point; they must agree.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn encode(&self, payload: &Payload<'_>, options: &Options) -> Result<Vec<u8>, Failure>;

    /// Decodes, through every entry point; they must agree.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn decode(&self, input: &[u8], options: &Options) -> Result<Payload<'static>, Failure>;

    /// Decodes leniently, with a report as JSON.
    ///
    /// # Errors
    ///
    /// The implementation's error, or that it has no lenient decoder.
    fn decode_lenient(
        &self,
        input: &[u8],
        options: &Options,
    ) -> Result<(Payload<'static>, Value), Failure> {
        let _ = (input, options);
        Err(Failure::new("unsupported", None, &"the format has no lenient decoder"))
    }

    /// Finds the payload in a text, with a report as JSON.
    ///
    /// # Errors
    ///
    /// The implementation's error, or that the format is not recovered.
    fn recover(
        &self,
        input: &[u8],
        options: &Options,
    ) -> Result<(Payload<'static>, Value), Failure> {
        let _ = (input, options);
        Err(Failure::new("unsupported", None, &"the format has no recovery"))
    }
}

/// An implementation's error, as far as cases look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable code.
    pub code: String,
    /// The place.
    pub position: Option<Position>,
    /// The message, for people.
    pub message: String,
}

impl Failure {
    /// A failure of this code, place and message.
    pub fn new(code: &str, position: Option<Position>, message: &dyn std::fmt::Display) -> Self {
        Failure { code: code.to_owned(), position, message: message.to_string() }
    }

    /// Entry points that should agree do not.
    pub fn disagreement(what: &str) -> Self {
        Failure::new("entry_points_disagree", None, &what)
    }
}

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As expected.
    Passed,
    /// Not as expected: why.
    Failed(String),
}

/// What became of a number of cases.
#[derive(Debug, Default)]
pub struct Results {
    /// How many passed.
    pub passed: usize,
    /// The ids of those that failed, and why.
    pub failed: Vec<(String, String)>,
}

impl Results {
    /// The failures, for people.
    pub fn failures(&self) -> String {
        let mut text = String::new();
        for (id, why) in &self.failed {
            let _ = writeln!(text, "FAILED {id}\n    {}", why.replace('\n', "\n    "));
        }
        text
    }
}

/// Runs the cases.
pub fn run_cases(subject: &dyn Subject, cases: &[&Case]) -> Results {
    let mut results = Results::default();
    for case in cases {
        match run(subject, case) {
            Outcome::Passed => results.passed += 1,
            Outcome::Failed(why) => results.failed.push((case.id.clone(), why)),
        }
    }
    results
}

/// Runs one case.
pub(crate) fn run(subject: &dyn Subject, case: &Case) -> Outcome {
    match judge(subject, case) {
        Ok(()) => Outcome::Passed,
        Err(why) => Outcome::Failed(why),
    }
}

pub(crate) const RESOLVED: &str = "because the loader checks what an operation needs";

fn judge(subject: &dyn Subject, case: &Case) -> Result<(), String> {
    let payload = || case.payload.as_ref().expect(RESOLVED);
    let input = || case.input.as_deref().expect(RESOLVED);
    let error = || case.error.as_ref().expect(RESOLVED);
    match case.operation {
        Operation::Encode => encodes(subject, case, payload(), input()),
        Operation::Decode => decodes(subject, case, input(), payload()),
        Operation::Roundtrip => {
            encodes(subject, case, payload(), input())?;
            decodes(subject, case, input(), case.decoded.as_ref().unwrap_or(payload()))
        }
        Operation::Refuse => refused(subject.encode(payload(), &case.options), error()),
        Operation::Reject => refused(subject.decode(input(), &case.options), error()),
        Operation::Lenient => {
            let (found, report) =
                subject.decode_lenient(input(), &case.options).map_err(failed("decode"))?;
            same_payload(payload(), &found)?;
            same_report(case.report.as_ref(), &report)
        }
        Operation::Recover => {
            let (found, report) =
                subject.recover(input(), &case.options).map_err(failed("decode"))?;
            same_payload(payload(), &found)?;
            same_report(case.report.as_ref(), &report)?;
            let Some(reencoded) = &case.reencoded else { return Ok(()) };
            encodes(subject, case, &found, reencoded.as_bytes())
        }
        Operation::Irrecoverable => refused(subject.recover(input(), &case.options), error()),
        Operation::Rows | Operation::RowsDecode | Operation::RowsRefuse | Operation::RowsReject => {
            match subject.rows() {
                Some(subject) => rows::judge(subject, case),
                None => Err("the format has no rows".to_owned()),
            }
        }
        Operation::Response
        | Operation::ResponseDecode
        | Operation::ResponseRefuse
        | Operation::ResponseReject
        | Operation::ResponseRewrite => match subject.responses() {
            Some(subject) => response::judge(subject, case),
            None => Err("the format has no responses".to_owned()),
        },
        Operation::Set
        | Operation::SetDelta
        | Operation::SetWrite
        | Operation::SetApply
        | Operation::SetReject
        | Operation::SetRefuse
        | Operation::SetSession => match subject.keyed_sets() {
            Some(subject) => keyed::judge(subject, case),
            None => Err("the format has no sets with a key".to_owned()),
        },
        _ => match subject.across_calls() {
            Some(subject) => across::judge(subject, case),
            None => Err("the format has texts of one call only".to_owned()),
        },
    }
}

/// The members that the case expects; others are not compared.
fn same_report(expected: Option<&Value>, found: &Value) -> Result<(), String> {
    let expected = expected.and_then(Value::as_object).into_iter().flatten();
    for (member, value) in expected {
        let found = found.get(member).unwrap_or(&Value::Null);
        if found != value {
            return Err(format!("the report's {member} is\n{found}\nexpected\n{value}"));
        }
    }
    Ok(())
}

pub(crate) fn failed(what: &str) -> impl Fn(Failure) -> String {
    move |failure| format!("it does not {what}: {} ({})", failure.message, failure.code)
}

fn encodes(
    subject: &dyn Subject,
    case: &Case,
    payload: &Payload<'_>,
    expected: &[u8],
) -> Result<(), String> {
    let found = subject.encode(payload, &case.options).map_err(failed("encode"))?;
    if found == expected {
        return Ok(());
    }
    Err(format!("it encodes as\n{}\nexpected\n{}", shown(&found), shown(expected)))
}

fn decodes(
    subject: &dyn Subject,
    case: &Case,
    input: &[u8],
    expected: &Payload<'_>,
) -> Result<(), String> {
    let found = subject.decode(input, &case.options).map_err(failed("decode"))?;
    same_payload(expected, &found)
}

pub(crate) fn same_payload(expected: &Payload<'_>, found: &Payload<'_>) -> Result<(), String> {
    // Debug text, so that NaN is equal to itself and -0.0 is not 0.0.
    if format!("{expected:?}") == format!("{found:?}") {
        return Ok(());
    }
    Err(format!("it decodes as\n{found:?}\nexpected\n{expected:?}"))
}

pub(crate) fn same_error(expected: &ExpectedError, found: &Failure) -> Result<(), String> {
    let place = |part: fn(&Position) -> u64| found.position.as_ref().map(part);
    let wrong_code = expected.code.as_ref().is_some_and(|code| *code != found.code);
    let wrong_place = [
        (expected.line, place(|position| position.line)),
        (expected.column, place(|position| position.column)),
        (expected.offset, place(|position| position.offset)),
    ]
    .iter()
    .any(|(expected, found)| expected.is_some() && expected != found);
    if found.code == "entry_points_disagree" || wrong_code || wrong_place {
        return Err(format!(
            "the error is {} at {:?} ({}), expected {expected:?}",
            found.code, found.position, found.message
        ));
    }
    Ok(())
}

/// That an outcome is this error.
pub(crate) fn refused<T: std::fmt::Debug>(
    outcome: Result<T, Failure>,
    expected: &ExpectedError,
) -> Result<(), String> {
    match outcome {
        Ok(found) => Err(format!("it is taken, as {found:?}")),
        Err(failure) => same_error(expected, &failure),
    }
}

pub(crate) fn shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("{text:?}"),
        Err(_) => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "),
    }
}
