//! What ten calls of an agent cost, with edits in between: as minified JSON, as GCF, and with what
//! GCF can leave out when the consumer keeps what it was sent.
//!
//! ```sh
//! cargo run -p wire-cli --example agent_session
//! cargo run -p wire-cli --example agent_session -- --svg chart.svg
//! ```
//!
//! `wirefmt scorecard delta` has the same figures among others.

#![allow(clippy::print_stdout, clippy::print_stderr)] // printing is what it is for

use std::fmt::Write as _;
use std::{env, fs, process};

use wire_core::{TokenCounter, WordPunctuation};

use wire_scorecards::calls::{self, WAYS};

/// What one call costs in one way.
#[derive(Clone, Copy, Default)]
struct Cost {
    bytes: usize,
    tokens: usize,
}

struct Call {
    what: &'static str,
    costs: [Cost; WAYS.len()],
}

fn main() {
    let mut arguments = env::args().skip(1);
    let svg = match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => None,
        (Some("--svg"), Some(path)) => Some(path),
        _ => {
            eprintln!("usage: agent_session [--svg FILE]");
            process::exit(2);
        }
    };
    let calls = play();
    print!("{}", table(&calls));
    if let Some(path) = svg {
        if let Err(error) = fs::write(&path, chart(&calls)) {
            eprintln!("{path} can't be written: {error}");
            process::exit(3);
        }
        println!("\nwritten: {path}");
    }
}

fn play() -> Vec<Call> {
    let packs = calls::packs();
    let cost = |text: String| Cost { bytes: text.len(), tokens: WordPunctuation.count(&text) };
    let texts = calls::texts(&packs).expect("because every format holds what is made here");
    let costs = texts.into_iter().map(|texts| texts.map(cost));
    packs.iter().zip(costs).map(|((what, _), costs)| Call { what, costs }).collect()
}

fn table(calls: &[Call]) -> String {
    let mut text = String::from("| call | what happened |");
    for way in WAYS {
        let _ = write!(text, " {way} |");
    }
    text += "\n|---|---|";
    text += &"---|".repeat(WAYS.len());
    text.push('\n');
    let mut total = [Cost::default(); WAYS.len()];
    let row = |costs: &[Cost]| -> String {
        let shown = costs.iter().map(|cost| format!(" {} B, {} tokens |", cost.bytes, cost.tokens));
        shown.collect::<Vec<_>>().concat()
    };
    for (number, call) in (1..).zip(calls) {
        let _ = writeln!(text, "| {number} | {} |{}", call.what, row(&call.costs));
        for (total, cost) in total.iter_mut().zip(call.costs) {
            total.bytes += cost.bytes;
            total.tokens += cost.tokens;
        }
    }
    let _ = writeln!(text, "| | **together** |{}", row(&total));
    let _ = write!(text, "| | of JSON's tokens |");
    for cost in total {
        let _ =
            write!(text, " {} % |", (cost.tokens * 200 + total[0].tokens) / (total[0].tokens * 2));
    }
    text.push('\n');
    text
}

/// The tokens of all calls so far, a line for each way.
fn chart(calls: &[Call]) -> String {
    const COLOURS: [&str; WAYS.len()] = ["#777777", "#1b6ca8", "#2a9d5c", "#d97706", "#a3206b"];
    const WIDTH: usize = 560;
    const HEIGHT: usize = 300;
    let top: usize = calls.iter().map(|call| call.costs[0].tokens).sum();
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 380\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"780\" height=\"380\" fill=\"white\"/>\n\
         <text x=\"60\" y=\"20\">Tokens of all calls so far (word-and-punctuation estimate)</text>\n",
    );
    let x = |call: usize| 60 + call * WIDTH / calls.len();
    let y = |tokens: usize| 340 - tokens * HEIGHT / top;
    for tenth in (0..=10).step_by(2) {
        let tokens = top * tenth / 10;
        let _ = writeln!(
            svg,
            "<line x1=\"60\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#dddddd\"/><text x=\"54\" y=\"{}\" text-anchor=\"end\">{tokens}</text>",
            x(calls.len()),
            y(tokens) + 4,
            y = y(tokens),
        );
    }
    for call in 1..=calls.len() {
        let x = x(call);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"360\" text-anchor=\"middle\">{call}</text>");
    }
    for (way, (name, colour)) in WAYS.into_iter().zip(COLOURS).enumerate() {
        let mut sum = 0;
        let mut points = format!("{},{}", x(0), y(0));
        for (number, call) in (1..).zip(calls) {
            sum += call.costs[way].tokens;
            let _ = write!(points, " {},{}", x(number), y(sum));
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name}: {sum}</text>",
            x(calls.len()) + 8,
            // The labels of the lower lines would lie on each other.
            if way == 0 { y(sum) + 4 } else { 262 + 18 * way },
        );
    }
    svg + "</svg>\n"
}
