//! The repairs so far, and lines that wait until it is known whether they are part of the payload.

use wire_core::Limits;

use super::repair::{Repair, RepairKind};
use crate::answer::Piece;
use crate::{ErrorKind, bounded_vec};

/// The repairs of an answer, in its order.
pub(super) struct Account<'t> {
    answer: &'t str,
    limits: Limits,
    pub(super) repairs: Vec<Repair>,
    /// The number of settled repairs. The repairs after them are of lines that were left out, until
    /// it is known whether these are in the payload: text, with the reason why it is not a line of
    /// the format, and comments, without a reason.
    settled: usize,
}

/// Where lines that were left out are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Between lines of the payload.
    Inside,
    /// Before or after it.
    Outside,
}

impl<'t> Account<'t> {
    pub(super) fn new(answer: &'t str, limits: Limits) -> Self {
        Account { answer, limits, repairs: Vec::new(), settled: 0 }
    }

    pub(super) fn is_full(&self) -> bool {
        self.repairs.len() >= self.limits.items
    }

    pub(super) fn has_pending(&self) -> bool {
        self.settled < self.repairs.len()
    }

    /// Records a line that was left out, and waits.
    pub(super) fn wait(&mut self, piece: &Piece<'_>, kind: RepairKind, reason: Option<ErrorKind>) {
        let Piece { number: line, offset, .. } = *piece;
        self.push(Repair { line, offset: offset as u64, kind, reason });
    }

    /// Reports a repair. No line is waiting.
    pub(super) fn report(&mut self, line: u64, offset: usize, kind: RepairKind) {
        debug_assert!(!self.has_pending());
        self.push(Repair { line, offset: offset as u64, kind, reason: None });
        self.settled = self.repairs.len();
    }

    fn push(&mut self, repair: Repair) {
        let offset = usize::try_from(repair.offset).unwrap_or_default();
        let answer = &self.answer[offset..];
        bounded_vec::push(&mut self.repairs, repair, self.limits, || {
            bounded_vec::lines(answer, bounded_vec::begins_line)
        });
    }

    /// Reports the lines that were left out, now that it is known where they are.
    pub(super) fn settle(&mut self, end: End) {
        let repairs = &mut self.repairs;
        let mut run = false;
        for index in self.settled..repairs.len() {
            let mut repair = repairs[index];
            if repair.kind == RepairKind::SurroundingText {
                match (repair.reason, end) {
                    // A comment of the payload.
                    (None, End::Inside) => continue,
                    (Some(_), End::Inside) => repair.kind = RepairKind::LeftOut,
                    (_, End::Outside) => repair.reason = None,
                }
            }
            let continues = run && repair.kind == RepairKind::SurroundingText;
            run = repair.kind == RepairKind::SurroundingText;
            if !continues {
                repairs[self.settled] = repair;
                self.settled += 1;
            }
        }
        repairs.truncate(self.settled);
    }
}
