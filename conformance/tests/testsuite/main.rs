//! The tests of the runner, as one program: linking many takes longer than building them.

mod faults;
mod reports;
mod textmate;
mod threads;
mod verbs;
