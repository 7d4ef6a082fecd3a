//! The chart: accuracy against tokens, with intervals, a panel for each kind of dataset.

use std::fmt::Write as _;

use super::stats::{Part, number};

const COLOURS: [&str; 8] =
    ["#777777", "#1b6ca8", "#2a9d5c", "#d97706", "#a3206b", "#6d4bb0", "#4a4a4a", "#b03030"];
const WIDTH: f64 = 760.0;
const PANEL: f64 = 300.0;
/// The position of a panel's axes.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 250.0;

/// A point of the chart.
pub(super) struct Point {
    pub(super) arm: String,
    pub(super) tokens: f64,
    pub(super) part: Part,
}

/// Points that can be compared with each other.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) points: Vec<Point>,
}

/// The panels below each other. The axis of tokens is logarithmic.
pub(super) fn svg(panels: &[&Panel]) -> String {
    let height = PANEL * number(panels.len().max(1));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    if panels.is_empty() {
        svg += "<text x=\"20\" y=\"40\">nothing was run</text>\n";
    }
    for (index, panel) in panels.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", PANEL * number(index));
        draw(&mut svg, panel);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn draw(svg: &mut String, panel: &Panel) {
    let _ = writeln!(
        svg,
        "<text x=\"12\" y=\"22\" font-size=\"14\" font-weight=\"bold\">{}</text>",
        escaped(&panel.title)
    );
    let logs = || panel.points.iter().map(|point| point.tokens.max(1.0).ln());
    let (low, high) = (logs().fold(f64::MAX, f64::min) - 0.2, logs().fold(0.0, f64::max) + 0.2);
    let x = |tokens: f64| LEFT + (tokens.max(1.0).ln() - low) / (high - low) * (RIGHT - LEFT);
    let y = |rate: f64| BOTTOM - rate * (BOTTOM - TOP);
    for tenth in [0, 25, 50, 75, 100] {
        let at = y(number(tenth) / 100.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{RIGHT}\" y2=\"{at:.1}\" stroke=\"#dddddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tenth} %</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">mean tokens of a prompt</text>",
        f64::midpoint(LEFT, RIGHT),
        BOTTOM + 38.0
    );
    for (index, point) in panel.points.iter().enumerate() {
        let (Some(rate), Some((from, to))) = (point.part.rate(), point.part.interval()) else {
            continue;
        };
        let (at, colour) = (x(point.tokens), COLOURS[index % COLOURS.len()]);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10\" fill=\"{colour}\">{:.0}</text>",
            y(from),
            y(to),
            y(rate),
            BOTTOM + 14.0 + number(index % 2) * 10.0,
            point.tokens
        );
        let legend = TOP + 16.0 * number(index);
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/><text x=\"{}\" y=\"{}\">{}</text>",
            RIGHT + 20.0,
            legend - 9.0,
            RIGHT + 36.0,
            legend,
            escaped(&point.arm)
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
