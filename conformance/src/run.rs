//! Running cases against an implementation.

use std::fmt::Write as _;

use crate::case::Case;
use crate::operation::{
    Operation, choice, codec, delta, exchange, keyed, recover, response, rows, session,
};
use crate::subject::Subject;
use crate::verdict::Verdict;

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
        match judge(subject, case) {
            Ok(()) => results.passed += 1,
            Err(why) => results.failed.push((case.id.clone(), why)),
        }
    }
    results
}

/// Runs one case: the operation says what, and the file of its family how.
fn judge(subject: &dyn Subject, case: &Case) -> Verdict {
    let options = &case.options;
    let exchanges = || subject.exchange_subject().ok_or("the format has texts of one call only");
    let with_rows = || subject.rows().ok_or("the format has no rows");
    let responses = || subject.responses().ok_or("the format has no responses");
    let sets = || subject.keyed_sets().ok_or("the format has no sets with a key");
    let choices = || subject.choices().ok_or("the format is not chosen among others");
    match &case.operation {
        Operation::Encode(case) => codec::encodes(subject, &case.payload, &case.text, options),
        Operation::Decode(case) => codec::decodes(subject, &case.text, &case.payload, options),
        Operation::Roundtrip(case) => codec::roundtrip(subject, case, options),
        Operation::Refuse(case) => codec::refuses(subject, case, options),
        Operation::Reject(case) => codec::rejects(subject, case, options),
        Operation::Lenient(case) => recover::lenient(subject, case, options),
        Operation::Recover(case) => recover::recovers(subject, case, options),
        Operation::Irrecoverable(case) => recover::irrecoverable(subject, case, options),
        Operation::Session(case) => session::session(exchanges()?, case, options),
        Operation::SessionReject(case) => session::rejects(exchanges()?, case, options),
        Operation::Delta(case) => delta::roundtrip(exchanges()?, case, options),
        Operation::DeltaDecode(case) => {
            delta::decodes(exchanges()?, &case.text, &case.delta, options)
        }
        Operation::DeltaRefuse(case) => delta::refuses(exchanges()?, case, options),
        Operation::DeltaReject(case) => delta::rejects(exchanges()?, case, options),
        Operation::Diff(case) => delta::diff(exchanges()?, case, options),
        Operation::SendFull(case) => delta::send_full(exchanges()?, case, options),
        Operation::Apply(case) => delta::applies(exchanges()?, case),
        Operation::ApplyReject(case) => delta::does_not_apply(exchanges()?, case),
        Operation::Root(case) => exchange::root(exchanges()?, case, options),
        Operation::RootRefuse(case) => exchange::no_root(exchanges()?, case, options),
        Operation::Exchange(case) => exchange::exchange(exchanges()?, case, options),
        Operation::Rows(case) => rows::roundtrip(with_rows()?, case, options),
        Operation::RowsDecode(case) => {
            rows::reads(with_rows()?, &case.text, &case.sections, options)
        }
        Operation::RowsRefuse(case) => rows::refuses(with_rows()?, case, options),
        Operation::RowsReject(case) => rows::rejects(with_rows()?, case, options),
        Operation::Response(case) => response::roundtrip(responses()?, case, options),
        Operation::ResponseDecode(case) => {
            response::decodes(responses()?, &case.text, &case.json, options)
        }
        Operation::ResponseRefuse(case) => response::refuses(responses()?, case, options),
        Operation::ResponseReject(case) => response::rejects(responses()?, case, options),
        Operation::ResponseRewrite(case) => response::rewrites(responses()?, case, options),
        Operation::Set(case) => keyed::whole(sets()?, case),
        Operation::SetDelta(case) => keyed::delta(sets()?, case),
        Operation::SetWrite(case) => keyed::writes(sets()?, case),
        Operation::SetApply(case) => keyed::applies(sets()?, case),
        Operation::SetReject(case) => keyed::rejects(sets()?, case),
        Operation::SetRefuse(case) => keyed::refuses(sets()?, case),
        Operation::SetSession(case) => keyed::session(sets()?, case),
        Operation::Estimate(case) => choice::estimates(choices()?, case),
        Operation::Choose(case) => choice::chooses(choices()?, case),
    }
}
