//! The prompt of a question, and what the mock backend reads from one.

use crate::dataset::Family;
use crate::question::Question;

const BEGIN: &str = "\n\n<data>\n";
const END: &str = "\n</data>\n\n";

/// The prompt: what the data is, the data, and the question. Nothing in it says which format the
/// data is in.
pub(crate) fn prompt(family: Family, data: &str, question: &Question) -> String {
    let data = data.strip_suffix('\n').unwrap_or(data);
    format!("{}{BEGIN}{data}{END}{}", family.introduction(), question.text())
}

/// The kind of dataset, the data and the question of a prompt.
pub(crate) fn parts(prompt: &str) -> Option<(Family, String, Question)> {
    let (introduction, rest) = prompt.split_once(BEGIN)?;
    let (data, question) = rest.rsplit_once(END)?;
    let family = Family::ALL.into_iter().find(|family| family.introduction() == introduction)?;
    Some((family, format!("{data}\n"), Question::from_text(family, question)?))
}
