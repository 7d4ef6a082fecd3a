//! The bars as a picture: the time of each work as a share of its peer's.

use std::fmt::Write as _;

use super::report::Line;

const LABELS: f64 = 330.0;
/// The width of the peer's time.
const WHOLE: f64 = 240.0;
/// The longest bar, as a multiple of the peer's time.
const MOST: f64 = 1.6;
const ROW: usize = 18;
const TOP: usize = 58;

/// A bar for each line that has a bar to meet; the tick is how long it may be.
pub(super) fn svg(lines: &[Line]) -> String {
    let lines: Vec<&Line> = lines.iter().filter(|line| line.bar.limit().is_some()).collect();
    let height = TOP + lines.len() * ROW + 12;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"960\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"bold\">Time as a share of the peer's</text>\n\
         <text x=\"12\" y=\"40\">The line is the peer's time; the tick is the bar. Shorter is faster.</text>\n\
         <line x1=\"{x}\" y1=\"{from}\" x2=\"{x}\" y2=\"{to}\" stroke=\"#777777\"/>\n",
        x = LABELS + WHOLE,
        from = TOP - 8,
        to = height - 8,
    );
    for (index, line) in lines.iter().enumerate() {
        let y = TOP + index * ROW;
        let colour = if line.is_met() { "#1b6ca8" } else { "#d97706" };
        let width = line.ratio.min(MOST) * WHOLE;
        let tick = LABELS + line.bar.limit().unwrap_or_default().min(MOST) * WHOLE;
        let label = line.work.replace('`', "");
        let peer =
            line.peer.split('`').nth(1).map_or(String::new(), |peer| format!(" than {peer}"));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}</text>\
             <rect x=\"{LABELS}\" y=\"{y}\" width=\"{width:.1}\" height=\"12\" fill=\"{colour}\"/>\
             <line x1=\"{tick:.1}\" y1=\"{}\" x2=\"{tick:.1}\" y2=\"{}\" stroke=\"black\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{}\">{}</text>",
            LABELS - 8.0,
            y + 10,
            y - 2,
            y + 14,
            LABELS + MOST * WHOLE + 16.0,
            y + 10,
            line.words
                .replace("as fast", &format!("as fast{}", peer.replace("than", "as")))
                .replace("the time", &format!("the time{}", peer.replace("than", "of"))),
        );
    }
    svg.push_str("</svg>\n");
    svg
}
