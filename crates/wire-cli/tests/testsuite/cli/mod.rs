//! `wirefmt` as people and pipelines see it, by commands.

mod check;
mod convert;
mod deltas;
mod documents;
mod explain;
mod inputs;
mod json;
mod messages;
mod output;
mod primer;
mod queries;
mod responses;
mod streams;
mod values;

#[test]
fn each_command_has_help() {
    wire_conformance::pages::check_help(env!("CARGO_BIN_EXE_wirefmt"));
}
