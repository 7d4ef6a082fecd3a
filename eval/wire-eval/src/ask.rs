//! `wire-eval comprehension`: the questions to ask.

use std::sync::Arc;

use crate::args::{ComprehensionOptions, RunSeeds};
use crate::arm::{self, Arm};
use crate::dataset::{Family, Named, generate};
use crate::failure::{Failure, read, say};
use crate::given;
use crate::log::{Key, Task};
use crate::prompt::{Sent, prompt, with_examples};
use crate::question::{Question, Template};
use crate::report::print_of;
use crate::run::prompt::{Judge, Prompt};
use crate::run::{Plan, run};

pub(crate) fn comprehension(options: &ComprehensionOptions) -> Result<(), Failure> {
    let mut arms = arm::chosen(&options.arms);
    if !options.text.is_empty() && options.dataset.input.len() != 1 {
        return Err(Failure::Usage(
            "--text is of the data of a file, expected one --input".to_owned(),
        ));
    }
    for (name, path) in &options.text {
        if arm::names(&Family::REPORTED).any(|known| known == name)
            || arms.iter().any(|arm| arm.name == *name)
        {
            return Err(Failure::Usage(format!(
                "--text is called {name:?}, which is the name of another arm, expected a new name"
            )));
        }
        arms.push(Arm::given(name, read(path)?));
    }
    arm::add_primers(&mut arms, &options.primer)?;
    let seeds = RunSeeds::new(options.dataset.seed, options.seeds.as_ref());
    let mut prompts = Vec::new();
    if let Some(path) = &options.questions {
        let mut questions = given::questions(path)?;
        if let Some(most) = options.sample {
            questions = given::sample(questions, most as usize, seeds.first);
        }
        prompts = given::prompts(&questions, &arms);
    } else {
        for seed in seeds.all() {
            for mut named in options.dataset.datasets(seed)? {
                named.name = seeds.name(&named.name, seed);
                prompts.extend(about(&named, &arms, options, seed));
            }
        }
    }
    if prompts.is_empty() {
        return Err(Failure::Usage(
            "there is nothing to ask: no question fits the data, or no arm supports it".to_owned(),
        ));
    }
    let names = arms.into_iter().map(|arm| arm.name).collect();
    let backend = match options.examples {
        0 => options.backend.clone(),
        _ => options.backend.for_texts()?,
    };
    let plan = Plan {
        task: Task::Comprehension,
        prompts,
        seeds,
        arms: names,
        measure: options.measure,
        examples: options.examples,
    };
    let log = run(plan, &options.log, &backend, &options.run)?;
    print_of(log)
}

/// Every question about some data in every arm.
fn about(named: &Named, arms: &[Arm], options: &ComprehensionOptions, seed: u64) -> Vec<Prompt> {
    let (kinds, examples) = (&options.kinds, options.examples as usize);
    let family = named.dataset.family();
    let mut questions = Question::about(&named.dataset, seed);
    questions.retain(|(question, _)| {
        kinds.is_empty() || kinds.iter().any(|kind| kind == question.template.id)
    });
    let mut prompts = Vec::new();
    for arm in arms {
        let text = match arm.text(&named.dataset) {
            Ok(Some(text)) => text,
            Ok(None) => continue,
            // A file may have values that a format can't represent.
            Err(failure) => {
                say("warning", &format!("{} is left out of {}: {failure}", named.name, arm.name));
                continue;
            }
        };
        let mut before = "";
        let mut number = 0;
        for (question, truth) in &questions {
            let id = question.template.id;
            number = if before == id { number + 1 } else { 0 };
            before = id;
            let mut asked = prompt(family, arm.primer.as_deref(), &text, &question.text());
            if examples > 0 {
                let examples = balanced(arm, family, question.template, seed, examples);
                asked = with_examples(&examples, &asked);
            }
            prompts.push(Prompt {
                key: Key {
                    dataset: named.name.clone(),
                    arm: arm.name.clone(),
                    question: id.to_owned(),
                    number,
                    repeat: 0,
                },
                family: family.name(),
                size: named.size,
                sent: Arc::new(Sent::first(asked)),
                judge: Judge {
                    truth: truth.clone(),
                    context: Arc::new(question.context(&named.dataset)),
                },
                given: None,
            });
        }
    }
    prompts
}

/// Entries, symbols or nodes of an example.
const EXAMPLE: usize = 5;

/// Questions of a kind about other, small data, with their answers. An answer comes again only when
/// every other that was found has come as often: a frequent one would be repeated without reading.
fn balanced(
    arm: &Arm,
    family: Family,
    template: &'static Template,
    seed: u64,
    count: usize,
) -> Vec<(String, String)> {
    // Far from the seeds of data that is asked about.
    let seeds = (1..=2 * count as u64).map(|number| seed.wrapping_add(number << 32));
    let mut found: Vec<(String, String)> = Vec::new();
    for seed in seeds {
        for named in generate(family, EXAMPLE, seed) {
            let Ok(Some(text)) = arm.text(&named.dataset) else { continue };
            let questions = Question::about(&named.dataset, seed);
            let same =
                questions.into_iter().find(|(question, _)| question.template.id == template.id);
            if let Some((question, truth)) = same {
                let asked = prompt(family, arm.primer.as_deref(), &text, &question.text());
                found.push((asked, truth.answer()));
            }
        }
    }
    let mut chosen: Vec<(String, String)> = Vec::new();
    while chosen.len() < count && !found.is_empty() {
        let often = |answer: &str| chosen.iter().filter(|(_, other)| other == answer).count();
        let rarest = (0..found.len()).min_by_key(|index| often(&found[*index].1));
        chosen.push(found.remove(rarest.expect("because something was found")));
    }
    chosen
}
