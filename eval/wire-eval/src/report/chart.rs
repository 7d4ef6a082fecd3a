//! The chart: accuracy against tokens, with intervals, a panel for each kind of dataset.

use std::fmt::Write as _;

use super::stats::{Part, number};

const COLOURS: [&str; 8] =
    ["#777777", "#1b6ca8", "#2a9d5c", "#d97706", "#a3206b", "#6d4bb0", "#4a4a4a", "#b03030"];
const WIDTH: f64 = 860.0;
/// The least height of a panel.
const PANEL: f64 = 300.0;
/// The position of a panel's axes.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 250.0;
/// The position of the legend: the squares, the names, and the ends of the numbers.
const SQUARES: f64 = 620.0;
const NAMES: f64 = 636.0;
const NUMBERS: f64 = 850.0;
const LINE: f64 = 16.0;
/// The most characters of a name in the legend, and of a panel's title.
const LONGEST_NAME: usize = 22;
const LONGEST_TITLE: usize = 88;

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
    let height = panels.iter().map(|panel| panel.height()).sum::<f64>().max(PANEL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    if panels.is_empty() {
        svg += "<text x=\"20\" y=\"40\">nothing was run</text>\n";
    }
    let mut top = 0.0;
    for panel in panels {
        let _ = writeln!(svg, "<g transform=\"translate(0 {top})\">");
        draw(&mut svg, panel);
        svg += "</g>\n";
        top += panel.height();
    }
    svg + "</svg>\n"
}

impl Panel {
    /// A long legend makes a panel higher.
    fn height(&self) -> f64 {
        PANEL.max(TOP + LINE * number(self.points.len() + 2))
    }
}

fn draw(svg: &mut String, panel: &Panel) {
    let _ = writeln!(
        svg,
        "<text x=\"12\" y=\"22\" font-size=\"14\" font-weight=\"bold\">{}</text>",
        escaped(&shortened(&panel.title, LONGEST_TITLE))
    );
    if !panel.points.is_empty() {
        let _ = writeln!(
            svg,
            "<text x=\"{NUMBERS}\" y=\"{}\" text-anchor=\"end\" font-size=\"10\">tokens</text>",
            TOP - LINE
        );
    }
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
    for tokens in ticks(low.exp(), high.exp()) {
        let at = x(tokens);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{BOTTOM}\" x2=\"{at:.1}\" y2=\"{}\" stroke=\"#999999\"/><text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\">{tokens:.0}</text>",
            BOTTOM + 4.0,
            BOTTOM + 16.0
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
        let legend = TOP + LINE * number(index);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>",
            y(from),
            y(to),
            y(rate)
        );
        let _ = writeln!(
            svg,
            "<rect x=\"{SQUARES}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{NAMES}\" y=\"{legend}\">{}</text>\
             <text x=\"{NUMBERS}\" y=\"{legend}\" text-anchor=\"end\">{:.0}</text>",
            legend - 9.0,
            escaped(&shortened(&point.arm, LONGEST_NAME)),
            point.tokens
        );
    }
}

/// Round numbers on the axis of tokens, at most seven: a fixed step where the largest number is at
/// most ten times the smallest, else the powers of ten and what lies between them, as far as there
/// is room.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    const MOST: usize = 7;
    let between = |tokens: &f64| *tokens >= low && *tokens <= high;
    let powers = || (0..16).map(|power| 10_f64.powi(power));
    if high <= 10.0 * low {
        let steps = powers().flat_map(|power| [power, 2.0 * power, 5.0 * power]);
        let of = |step: f64| {
            let first = (low / step).ceil();
            (0..=MOST).map(move |index| (first + number(index)) * step).filter(between)
        };
        return steps
            .map(|step| of(step).collect::<Vec<_>>())
            .find(|ticks| ticks.len() <= MOST)
            .unwrap_or_default();
    }
    let fine = powers().flat_map(|power| [power, 2.0 * power, 5.0 * power]).collect();
    let coarse = (1..4).map(|step| powers().step_by(step).collect());
    std::iter::once(fine)
        .chain(coarse)
        .map(|ticks: Vec<f64>| ticks.into_iter().filter(between).collect::<Vec<_>>())
        .find(|ticks| ticks.len() <= MOST)
        .unwrap_or_default()
}

/// The beginning of a text with more than so many characters.
fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds of a text: left, top, right, bottom. Six tenths of the size is more than the mean
    /// width of a character of the usual fonts.
    fn boxes(svg: &str) -> Vec<(String, [f64; 4])> {
        let attribute = |element: &str, name: &str| {
            let (_, rest) = element.split_once(&format!(" {name}=\""))?;
            Some(rest.split_once('"')?.0.to_owned())
        };
        let parsed = |element: &str, name: &str| attribute(element, name)?.parse::<f64>().ok();
        let (mut top, mut found) = (0.0, Vec::new());
        for element in svg.split('<') {
            if let Some(place) = element.strip_prefix("g transform=\"translate(0 ") {
                top = place.split_once(')').unwrap().0.parse().unwrap();
            }
            if !element.starts_with("text ") {
                continue;
            }
            let (_, text) = element.split_once('>').unwrap();
            let size = parsed(element, "font-size").unwrap_or(12.0);
            let width = 0.6 * size * number(text.chars().count());
            let left = parsed(element, "x").unwrap()
                - match attribute(element, "text-anchor").as_deref() {
                    Some("end") => width,
                    Some("middle") => width / 2.0,
                    _ => 0.0,
                };
            let base = top + parsed(element, "y").unwrap();
            found.push((text.to_owned(), [left, base - size, left + width, base + 0.2 * size]));
        }
        found
    }

    /// A panel whose points have these mean tokens.
    fn panel(title: &str, points: &[(&str, f64)]) -> Panel {
        let part = Part { of: 20, right: 19 };
        let point =
            |(arm, tokens): &(&str, f64)| Point { arm: (*arm).to_owned(), tokens: *tokens, part };
        Panel { title: title.to_owned(), points: points.iter().map(point).collect() }
    }

    #[test]
    fn no_label_lies_on_another_or_outside() {
        let names: Vec<String> =
            (0..20).map(|index| format!("gcf-generic+primer-{index}")).collect();
        let many: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 1500.0)).collect();
        let panels = [
            // Of the mock's run over a session.
            panel(
                "mock oracle: calls",
                &[
                    ("json", 1584.0),
                    ("json-pretty", 2406.0),
                    ("gcf-generic", 1386.0),
                    ("gcx", 1550.0),
                    ("proxy", 1420.0),
                ],
            ),
            panel("one point", &[("json", 100_000.0)]),
            panel("the same", &[("a", 2000.0), ("b", 2000.0), ("c", 2000.4)]),
            panel("far apart", &[("a", 1.0), ("b", 9_999_999.0)]),
            panel("ten times", &[("a", 1000.0), ("b", 6700.0)]),
            panel("more than ten times", &[("a", 150.0), ("b", 9000.0)]),
            panel("large", &[("a", 1_000_000.0), ("b", 9_000_000.0)]),
            panel("long names", &[("a text of another program <1.25.3>", 300.0), ("b", 301.0)]),
            panel(&"a long name of a model ".repeat(9), &[("json", 1.0)]),
            panel("nothing", &[]),
            panel("many", &many),
        ];
        let svg = svg(&panels.each_ref());
        let all = boxes(&svg);
        assert_eq!(all.len(), svg.matches("<text").count());
        let size = svg.split_once("viewBox=\"0 0 ").unwrap().1.split_once('"').unwrap().0;
        let (width, height) = size.split_once(' ').unwrap();
        let (width, height): (f64, f64) = (width.parse().unwrap(), height.parse().unwrap());
        for (index, (text, [left, top, right, bottom])) in all.iter().enumerate() {
            assert!(*left >= 0.0 && *top >= 0.0 && *right <= width && *bottom <= height, "{text}");
            for (other, [from, above, to, below]) in &all[..index] {
                let apart = left >= to || from >= right || top >= below || above >= bottom;
                assert!(apart, "{text} lies on {other}");
            }
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(1135.0, 2938.0), [1500.0, 2000.0, 2500.0]);
        assert_eq!(ticks(123.0, 11_000.0), [200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0]);
        assert_eq!(ticks(0.8, 12_000_000.0), [1.0, 100.0, 10_000.0, 1_000_000.0]);
        for (low, high) in [(0.8, 1.2), (1.6, 2.4), (81_873.0, 122_140.0), (99.0, 991.0)] {
            let ticks = ticks(low, high);
            assert!((1..=7).contains(&ticks.len()), "{ticks:?}");
        }
    }
}
