//! A bar chart as SVG.

use std::fmt::Write as _;

/// Bars in groups.
#[derive(Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    /// The names of the bars of a group, in order.
    pub(crate) series: Vec<String>,
    /// The groups: a label, and a number for each of the series; `None` if there is nothing to
    /// show.
    pub(crate) groups: Vec<(String, Vec<Option<usize>>)>,
}

const COLOURS: [&str; 7] =
    ["#777777", "#1b6ca8", "#2a9d5c", "#d97706", "#a3206b", "#6d4bb0", "#4a4a4a"];
/// The size of a line, and the positions of the columns.
const LINE: usize = 16;
const LABELS: usize = 210;
const WIDTH: usize = 460;
const TOTAL: usize = 760;

impl Chart {
    /// The chart: one bar on each line, followed by its number. The longest bar has the full width.
    pub(crate) fn svg(&self) -> String {
        let most = self.groups.iter().flat_map(|(_, bars)| bars).flatten().max().copied();
        let most = most.unwrap_or_default().max(1);
        let lines: usize = self.groups.iter().map(|(_, bars)| bars.iter().flatten().count()).sum();
        let height = 62 + lines * LINE + self.groups.len() * 8;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {TOTAL} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{TOTAL}\" height=\"{height}\" fill=\"white\"/>\n\
             <text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{}</text>\n",
            escaped(&self.title)
        );
        let mut x = 12;
        for (index, name) in self.series.iter().enumerate() {
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"32\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{}\" y=\"41\">{}</text>",
                colour(index),
                x + 14,
                escaped(name)
            );
            x += 30 + name.chars().count() * 7;
        }
        let mut y = 62;
        for (label, bars) in &self.groups {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                LABELS - 8,
                y + 11,
                escaped(label)
            );
            for (index, bar) in bars.iter().enumerate() {
                let Some(bar) = bar else { continue };
                let width = (bar * WIDTH).div_ceil(most);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{LABELS}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{bar}</text>",
                    LINE - 3,
                    colour(index),
                    LABELS + width + 5,
                    y + 11
                );
                y += LINE;
            }
            y += 8;
        }
        svg + "</svg>\n"
    }
}

fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_for_each_number() {
        let chart = Chart {
            title: "a < b".to_owned(),
            series: vec!["x".to_owned(), "y".to_owned()],
            groups: vec![
                ("one".to_owned(), vec![Some(100), None]),
                ("two".to_owned(), vec![Some(0), Some(50)]),
            ],
        };
        let svg = chart.svg();
        assert!(svg.contains("a &lt; b") && svg.contains("width=\"460\""), "{svg}");
        // The ground, a mark for each of the series, and the bars.
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 3);
        assert!(svg.contains("width=\"230\"") && svg.contains("width=\"0\""));
    }
}
