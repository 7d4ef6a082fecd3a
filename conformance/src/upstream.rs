//! Reading the case files of the GCF specification, in their own schema.
//!
//! The folder names the operation. Cases are not copied into this repository; where their folder is
//! at hand they run through the same subject. Those that do not apply are listed by name, with the
//! reason, in `fixtures/upstream/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use wire_core::{NamedEdge, PackRoot, Payload, PayloadBuilder, Symbol};

use crate::across::{Across, Call, Delivery, DeltaCase, Send};
use crate::case::{Case, ExpectedError, Operation, Options};
use crate::corpus::{CorpusError, below, json_files};
use crate::keyed::{Change, Keyed, Set};
use crate::response::as_read;

/// Which cases of a foreign corpus do not apply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exceptions {
    /// The number of case files that the corpus has.
    pub files: usize,
    /// Folders with an operation that the crates don't have, and why.
    pub folders: BTreeMap<String, String>,
    /// Single cases, and why.
    pub cases: BTreeMap<String, String>,
}

/// The input of a case as it is in its file.
#[derive(Deserialize)]
struct RawFile<'t> {
    #[serde(borrow, default)]
    input: Option<&'t RawValue>,
}

/// A foreign corpus, ready to run.
#[derive(Debug)]
pub struct Upstream {
    /// The cases that apply.
    pub cases: Vec<Case>,
    /// The cases that are excepted by name but can be run: they must fail, or the exception is stale.
    pub excepted: Vec<(Case, String)>,
    /// Files that are not run, and why.
    pub skipped: Vec<(String, String)>,
}

/// Loads the corpus below `root`.
///
/// # Errors
///
/// When a file can't be read or is not of the schema, when there are more or fewer files than the
/// exceptions say, or when an exception names what is not there.
pub fn load(root: &Path, exceptions: &Exceptions) -> Result<Upstream, CorpusError> {
    let mut upstream = Upstream { cases: Vec::new(), excepted: Vec::new(), skipped: Vec::new() };
    let files = json_files(root)?;
    if files.len() != exceptions.files {
        let message = format!(
            "{} has {} case files, expected {}",
            root.display(),
            files.len(),
            exceptions.files
        );
        return Err(CorpusError::new(message));
    }
    let mut unused_folders: Vec<&String> = exceptions.folders.keys().collect();
    let mut unused_cases: Vec<&String> = exceptions.cases.keys().collect();
    for path in files {
        let file = below(root, &path);
        let name = file.strip_suffix(".json").unwrap_or(&file).to_owned();
        let folder = name.split('/').next().unwrap_or_default().to_owned();
        if let Some(why) = exceptions.folders.get(&folder) {
            unused_folders.retain(|known| **known != folder);
            upstream.skipped.push((name, why.clone()));
            continue;
        }
        let number = name.split('_').next().unwrap_or_default();
        let excepted = exceptions.cases.get_key_value(number);
        if let Some((key, _)) = excepted {
            unused_cases.retain(|known| *known != key);
        }
        let text = fs::read(&path)
            .map_err(|error| CorpusError::new(format!("{}: {error}", path.display())))?;
        let value: Value = serde_json::from_slice(&text)
            .map_err(|error| CorpusError::new(format!("{name}: {error}")))?;
        let raw: RawFile<'_> = serde_json::from_slice(&text)
            .map_err(|error| CorpusError::new(format!("{name}: {error}")))?;
        let raw_input = raw.input.map(RawValue::get);
        match (translate(&name, &folder, &value, raw_input), excepted) {
            (Ok(case), None) => upstream.cases.push(case),
            (Ok(case), Some((_, why))) => upstream.excepted.push((case, why.clone())),
            (Err(_), Some((_, why))) => upstream.skipped.push((name, why.clone())),
            (Err(problem), None) => return Err(CorpusError::new(format!("{name}: {problem}"))),
        }
    }
    if !unused_folders.is_empty() || !unused_cases.is_empty() {
        return Err(CorpusError::new(format!(
            "stale exceptions: {unused_folders:?} {unused_cases:?}"
        )));
    }
    Ok(upstream)
}

fn translate(
    name: &str,
    folder: &str,
    value: &Value,
    raw_input: Option<&str>,
) -> Result<Case, String> {
    let mut case = Case {
        id: name.to_owned(),
        format: "gcf".to_owned(),
        rules: vec!["upstream".to_owned()],
        operation: Operation::Decode,
        options: Options::default(),
        payload: None,
        decoded: None,
        input: None,
        error: None,
        report: None,
        across: Across::default(),
        sections: None,
        decoded_sections: None,
        reencoded: None,
        response: crate::response::Response::default(),
        keyed: None,
    };
    if let Some(operation) = value["operation"].as_str()
        && generic(&mut case, operation, value, raw_input)?
    {
        return Ok(case);
    }
    let text = |member: &str| {
        value[member]
            .as_str()
            .map(|text| text.as_bytes().to_vec())
            .ok_or(format!("it has no text {member}"))
    };
    // Later suites name the operation, earlier ones have a folder for each.
    match value["operation"].as_str().unwrap_or(folder) {
        "encode" => {
            case.operation = Operation::Encode;
            case.payload = Some(payload(&value["input"])?);
            let expected = text("expected")?;
            case.options.dialect = Some(dialect(&String::from_utf8_lossy(&expected)));
            case.input = Some(expected);
        }
        "decode" | "streaming" => {
            case.input = Some(text("input")?);
            case.payload = Some(payload(&value["expected"])?);
        }
        "graph-stream-encode" => {
            case.operation = Operation::Encode;
            case.payload = Some(payload(&value["input"])?);
            case.input = Some(text("expected")?);
            case.options.dialect = Some("v3".to_owned());
            let labeled = value["options"]["labeledTrailerCounts"] == true;
            case.options.stream = Some(if labeled { "labeled" } else { "positional" }.to_owned());
        }
        "errors" | "error" => {
            let input = text("input")?;
            let header = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let is_delta = header.split(|&byte| byte == b' ').any(|field| field == b"delta=true");
            case.operation = if is_delta { Operation::DeltaReject } else { Operation::Reject };
            case.input = Some(input);
            // The first suite says of each error in the name of its file alone which it is.
            let of_file = name.rsplit('/').next().and_then(|file| file.split_once('_'));
            let named = value["expectedError"].as_str().or(of_file.map(|(_, name)| name));
            case.error = Some(expected_error(named.unwrap_or_default())?);
        }
        operation => across(&mut case, operation, value)?,
    }
    Ok(case)
}

/// The errors of the specification (16.5, 2.3.2 and 10.5), which have their names here, and what its suites call others: the words of a
/// message, or the name of a file (ruling G18).
const ERRORS: &[(&str, &str)] = &[
    // 16.5, header
    ("missing_header", "missing_header"),
    ("missing_profile", "missing_profile"),
    ("unknown_profile", "unknown_profile"),
    ("malformed_header_field", "malformed_header_field"),
    ("duplicate_header_field", "duplicate_header_field"),
    // 16.5, scalars
    ("unterminated_quote", "unterminated_quote"),
    ("invalid_escape", "invalid_escape"),
    ("trailing_characters", "trailing_characters"),
    ("invalid_missing", "invalid_missing"),
    ("invalid_attachment_marker", "invalid_attachment_marker"),
    ("invalid_surrogate", "invalid_surrogate"),
    ("invalid_utf8", "invalid_utf8"),
    // 16.5, structure
    ("duplicate_key", "duplicate_key"),
    ("duplicate_field_name", "duplicate_field_name"),
    ("row_width_mismatch", "row_width_mismatch"),
    ("count_mismatch", "count_mismatch"),
    ("invalid_count", "invalid_count"),
    ("tab_indentation", "tab_indentation"),
    ("invalid_indent", "invalid_indent"),
    ("invalid_item_id", "invalid_item_id"),
    ("orphan_attachment", "orphan_attachment"),
    ("orphan_inline_attachment", "orphan_inline_attachment"),
    ("missing_attachment", "missing_attachment"),
    ("duplicate_attachment", "duplicate_attachment"),
    ("inline_width_mismatch", "inline_width_mismatch"),
    // 16.5, graphs
    ("invalid_node_line", "invalid_node_line"),
    ("invalid_symbol_id", "invalid_symbol_id"),
    ("invalid_score", "invalid_score"),
    ("invalid_edge_syntax", "invalid_edge_syntax"),
    ("unknown_edge_reference", "unknown_edge_reference"),
    ("malformed_delta", "malformed_delta"),
    // elsewhere
    ("out_of_range", "out_of_range"),
    ("root_mismatch", "root_mismatch"),
    // the words of a message
    ("zero count", "invalid_count"),
    ("already exists", "contradictory_delta"),
    ("at least two fields", "invalid_count"),
    ("duplicate member key", "duplicate_key"),
    // the files of the first suite
    ("invalid_header", "missing_header"),
    ("empty_input", "missing_header"),
    ("missing_tool_field", "missing_tool"),
    ("invalid_symbol_line", "invalid_node_line"),
    ("too_few_symbol_fields", "invalid_node_line"),
    ("invalid_edge_missing_separator", "invalid_edge_syntax"),
    ("edge_unknown_target", "unknown_edge_reference"),
    ("edge_unknown_source", "unknown_edge_reference"),
];

/// The error that a suite names. A name that is not known is an error, so that no case passes by any error at all.
fn expected_error(name: &str) -> Result<ExpectedError, String> {
    let found = ERRORS.iter().find(|(theirs, _)| *theirs == name);
    let (_, code) = found.ok_or_else(|| format!("the specification has no error {name:?}"))?;
    Ok(ExpectedError { code: Some((*code).to_owned()), line: None, column: None, offset: None })
}

fn json<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

/// The cases about the generic profile; says whether it is one.
fn generic(
    case: &mut Case,
    operation: &str,
    value: &Value,
    raw_input: Option<&str>,
) -> Result<bool, String> {
    let text = |member: &str| value[member].as_str().unwrap_or_default();
    let input = match value["inputBase64"].as_str() {
        Some(encoded) => base64::engine::general_purpose::STANDARD
            .decode(encoded)
            .map_err(|error| error.to_string())?,
        None => text("input").as_bytes().to_vec(),
    };
    let error = || expected_error(text("expectedError")).map(Some);
    match operation {
        "encode" | "roundtrip" if text("expected").starts_with("GCF profile=generic") => {
            case.operation = Operation::Response;
            case.response.json = Some(value["input"].clone());
            case.response.decoded = Some(as_read(value["input"].clone()));
            case.input = Some(text("expected").as_bytes().to_vec());
        }
        "roundtrip-wire" => {
            case.operation = Operation::ResponseRewrite;
            case.input = Some(input);
            case.reencoded = Some(text("expected").to_owned());
        }
        "encode-error" => {
            // As text, since a value has no integers of more than 64 bits (2.3.2).
            case.operation = Operation::ResponseRefuse;
            case.response.text = raw_input.map(str::to_owned);
            case.error = error()?;
        }
        "decode" if input.starts_with(b"GCF profile=generic") => {
            case.operation = Operation::ResponseDecode;
            case.response.json = Some(as_read(value["expected"].clone()));
            case.input = Some(input);
        }
        "error" if !input.starts_with(b"GCF profile=graph") => {
            case.operation = Operation::ResponseReject;
            case.error = error()?;
            case.input = Some(input);
        }
        _ => {
            let error = if value["expectedError"].is_string() { error()? } else { None };
            return generic_delta(case, operation, value, error);
        }
    }
    Ok(true)
}

/// The cases about the deltas of the generic profile; says whether it is one.
fn generic_delta(
    case: &mut Case,
    operation: &str,
    value: &Value,
    error: Option<ExpectedError>,
) -> Result<bool, String> {
    let text = |member: &str| value[member].as_str().unwrap_or_default();
    match operation {
        "generic-pack-root" => {
            let root = Some(text("expected").to_owned());
            let set = Some(json::<Set>(&value["input"])?);
            case.operation = Operation::Set;
            case.keyed = Some(Keyed { set, root, ..Keyed::default() });
        }
        "generic-delta" => {
            case.operation = Operation::SetWrite;
            case.input = Some(text("expected").as_bytes().to_vec());
            case.keyed =
                Some(Keyed { change: Some(json::<Change>(&value["input"])?), ..Keyed::default() });
        }
        "generic-delta-verify" | "generic-delta-decode" => {
            let given = &value["input"];
            let mut keyed = Keyed { set: Some(json::<Set>(&given["base"])?), ..Keyed::default() };
            case.operation = Operation::SetApply;
            if value["expectedError"].is_string() {
                case.operation = Operation::SetReject;
                case.error = error;
            } else {
                keyed.root = Some(text("expected").to_owned());
            }
            match given["wire"].as_str() {
                Some(wire) => case.input = Some(wire.as_bytes().to_vec()),
                None => {
                    let mut change = given["delta"].clone();
                    // The root to verify is given apart from the delta.
                    change["newRoot"] = given["expectedNewRoot"].clone();
                    keyed.change = Some(json::<Change>(&change)?);
                    case.input = Some(Vec::new());
                }
            }
            case.keyed = Some(keyed);
        }
        "generic-delta-session" => {
            let given = &value["input"];
            let policy = match given["policy"]["mode"].as_str() {
                Some("fixedN") => given["policy"]["n"].to_string(),
                Some("sizeGuard") => "size-guard".to_owned(),
                other => return Err(format!("the policy {other:?} is not known")),
            };
            let mut texts =
                vec![value["expected"]["initialFull"].as_str().unwrap_or_default().to_owned()];
            for emission in
                value["expected"]["emissions"].as_array().ok_or("it has no emissions")?
            {
                texts.push(emission["wire"].as_str().unwrap_or_default().to_owned());
            }
            case.operation = Operation::SetSession;
            case.keyed = Some(Keyed {
                set: Some(json::<Set>(&given["base"])?),
                policy: Some(policy),
                tool: given["tool"].as_str().filter(|tool| !tool.is_empty()).map(str::to_owned),
                updates: json::<Vec<Set>>(&given["updates"])?,
                texts,
                ..Keyed::default()
            });
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The cases about more than one text.
fn across(case: &mut Case, operation: &str, value: &Value) -> Result<(), String> {
    let text = |member: &str| {
        value[member]
            .as_str()
            .map(|text| text.as_bytes().to_vec())
            .ok_or(format!("it has no text {member}"))
    };
    match operation {
        "session" => {
            case.operation = Operation::Session;
            for call in value["calls"].as_array().ok_or("it has no calls")? {
                let payload = payload(&call["input"])?;
                let text = call["expected"].as_str().ok_or("a call expects no text")?.to_owned();
                if text.contains("## edges [") || case.options.dialect.is_none() {
                    case.options.dialect = Some(dialect(&text));
                }
                case.across.calls.push(Call::Send(Box::new(Send {
                    decoded: payload.clone(),
                    payload,
                    text,
                    delivery: Delivery::Confirmed,
                    full: false,
                })));
            }
        }
        "delta" if value["input"].is_object() => {
            case.operation = Operation::Delta;
            let expected = text("expected")?;
            let shown = String::from_utf8_lossy(&expected).into_owned();
            let given = delta(&value["input"])?;
            // What a reader gets instead of the full payload's tokens.
            let savings = shown.split("savings=").nth(1).and_then(|rest| rest.split('%').next());
            let mut decoded = given.clone();
            decoded.tokens.full = None;
            decoded.tokens.savings = savings.and_then(|savings| savings.parse().ok());
            case.across.delta = Some(given);
            case.across.decoded_delta = Some(decoded);
            case.options.dialect = Some(dialect(&shown));
            case.input = Some(expected);
        }
        "delta" | "delta-verify" => {
            let input = text("input")?;
            let header = String::from_utf8_lossy(&input).lines().next().unwrap_or("").to_owned();
            let field = |key: &str| {
                let mut fields = header.split(' ');
                fields
                    .find_map(|field| Some(field.strip_prefix(key)?.strip_prefix('=')?.to_owned()))
            };
            case.across.base = Some(snapshot(&value["base_snapshot"])?);
            if let Some(name) = value["expectedError"].as_str() {
                case.operation = Operation::ApplyReject;
                case.error = Some(expected_error(name)?);
            } else {
                case.operation = Operation::Apply;
                let mut expected = snapshot(&value["expected_snapshot"])?;
                expected.tool = field("tool").unwrap_or_default().into();
                expected.pack_root = field("new_root")
                    .map(PackRoot::new)
                    .transpose()
                    .map_err(|error| error.to_string())?;
                case.payload = Some(expected);
            }
            case.input = Some(input);
        }
        "pack-root" => {
            case.operation = Operation::Root;
            case.options.root = Some("pack-root-v1".to_owned());
            case.payload = Some(snapshot(&value["input"])?);
            case.across.root = Some(value["expected"].as_str().ok_or("it has no root")?.to_owned());
        }
        other => return Err(format!("the operation {other} is not known")),
    }
    Ok(())
}

/// The dialect that a text was written for, by the counts that show (ruling G15).
fn dialect(text: &str) -> String {
    let dialect = match (text.contains("GCF profile="), text.contains("## edges [")) {
        (true, _) => "v3",
        (false, true) => "v1.4",
        (false, false) => "v1",
    };
    dialect.to_owned()
}

/// A payload of symbols and edges alone.
fn snapshot(value: &Value) -> Result<Payload<'static>, String> {
    let mut value = value.clone();
    value["tool"] = "".into();
    payload(&value)
}

fn delta(value: &Value) -> Result<DeltaCase, String> {
    let text = |value: &Value, member: &str| -> Result<String, String> {
        value[member].as_str().map(str::to_owned).ok_or(format!("it has no {member}"))
    };
    let list = |member: &str| value[member].as_array().into_iter().flatten();
    let edges = |member: &str| -> Result<Vec<[String; 3]>, String> {
        list(member)
            .map(|edge| Ok([text(edge, "source")?, text(edge, "target")?, text(edge, "edgeType")?]))
            .collect()
    };
    let mut delta = DeltaCase {
        tool: text(value, "tool")?,
        base_root: text(value, "baseRoot")?,
        new_root: text(value, "newRoot")?,
        edges_removed: edges("removedEdges")?,
        edges_added: edges("addedEdges")?,
        ..DeltaCase::default()
    };
    delta.tokens.delta = value["deltaTokens"].as_u64();
    delta.tokens.full = value["fullTokens"].as_u64();
    for symbol in list("removed") {
        delta.removed.push((text(symbol, "kind")?, text(symbol, "qualifiedName")?));
    }
    for symbol in list("added") {
        let distance = symbol["distance"].as_u64().unwrap_or_default();
        delta.added.push(
            Symbol::new(text(symbol, "kind")?, text(symbol, "qualifiedName")?)
                .with_score(symbol["score"].as_f64().ok_or("a symbol has no score")?)
                .with_provenance(text(symbol, "provenance")?)
                .with_distance(u32::try_from(distance).map_err(|error| error.to_string())?),
        );
    }
    Ok(delta)
}

fn payload(value: &Value) -> Result<Payload<'static>, String> {
    let text = |value: &Value, member: &str| -> Result<String, String> {
        value[member].as_str().map(str::to_owned).ok_or(format!("it has no {member}"))
    };
    let mut builder = PayloadBuilder::new(text(value, "tool")?)
        .tokens_used(value["tokensUsed"].as_u64().unwrap_or_default())
        .token_budget(value["tokenBudget"].as_u64().unwrap_or_default());
    if let Some(root) = value["packRoot"].as_str().filter(|root| !root.is_empty()) {
        builder =
            builder.pack_root(PackRoot::new(root.to_owned()).map_err(|error| error.to_string())?);
    }
    for symbol in value["symbols"].as_array().ok_or("it has no symbols")? {
        let distance =
            symbol["distance"].as_u64().and_then(|distance| u32::try_from(distance).ok());
        builder = builder.symbol(
            Symbol::new(text(symbol, "kind")?, text(symbol, "qualifiedName")?)
                .with_score(symbol["score"].as_f64().ok_or("a symbol has no score")?)
                .with_provenance(text(symbol, "provenance")?)
                .with_distance(distance.ok_or("a symbol has no distance")?),
        );
    }
    for edge in value["edges"].as_array().ok_or("it has no edges")? {
        builder = builder.edge(
            NamedEdge::new(text(edge, "source")?, text(edge, "edgeType")?, text(edge, "target")?)
                .with_status(edge["status"].as_str().unwrap_or_default().to_owned()),
        );
    }
    builder.build().map_err(|error| error.to_string())
}
