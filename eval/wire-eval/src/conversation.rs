//! `wire-eval conversation`: several calls of tools, whose answers stay in the context, and
//! questions that refer to earlier ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::args::{ConversationOptions, RunSeeds};
use crate::arm::{self, Arm};
use crate::dataset::{Dataset, Family, Named, Transcript, generate, of_files};
use crate::failure::{Failure, say};
use crate::log::{Key, Task};
use crate::prompt::{Sent, call, opening};
use crate::question::{Asked, conversation};
use crate::report::print_of;
use crate::run::prompt::{Judge, Prompt};
use crate::run::{Plan, run};

pub(crate) fn conversations(options: &ConversationOptions) -> Result<(), Failure> {
    let seeds = RunSeeds::new(options.seed, options.seeds.as_ref());
    let mut datasets: Vec<(u64, Named)> = Vec::new();
    for seed in seeds.all() {
        let sizes = options.sizes.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX));
        let of_seed: Vec<Named> = if options.input.is_empty() {
            sizes.flat_map(|size| generate(Family::Calls, size, seed)).collect()
        } else {
            of_files(&options.input)?
        };
        datasets.extend(of_seed.into_iter().map(|mut named| {
            named.name = seeds.name(&named.name, seed);
            (seed, named)
        }));
    }
    let mut arms: Vec<Arm> = arm::of_family(Family::Calls)
        .filter(|arm| options.arms.is_empty() || options.arms.contains(&arm.name))
        .collect();
    arm::add_primers(&mut arms, &options.primer)?;
    let mut prompts = Vec::new();
    for (seed, named) in &datasets {
        let Dataset::Calls(transcript) = &named.dataset else { continue };
        let (shown, asked) = conversation(transcript, *seed);
        if shown.calls.len() < transcript.calls.len() {
            let left_out = transcript.calls.len() - shown.calls.len();
            say(
                "note",
                &format!(
                    "{}: {left_out} calls have nothing that a question can name, and are left out",
                    named.name
                ),
            );
        }
        for arm in &arms {
            match about((&named.name, &shown), arm, &asked) {
                Ok(of_arm) => prompts.extend(of_arm),
                // A format may not be able to represent an answer of a tool; then the conversation
                // is left out for it.
                Err(failure) => {
                    say(
                        "warning",
                        &format!("{} is left out of {}: {failure}", named.name, arm.name),
                    );
                }
            }
        }
    }
    if prompts.is_empty() {
        return Err(Failure::Usage(
            "there is nothing to ask: no call has a list of entries, or a value, that a question can name".to_owned(),
        ));
    }
    let names = arms.into_iter().map(|arm| arm.name).collect();
    let plan = Plan {
        task: Task::Conversation,
        prompts,
        seeds,
        arms: names,
        measure: options.measure,
        examples: 0,
    };
    let log = run(plan, &options.log, &options.backend, &options.run)?;
    print_of(log)
}

/// The turns of a conversation in an arm. Before each turn are the right answers to the earlier
/// ones, so that a mistake counts once and every arm has the same context.
fn about(
    (name, transcript): (&str, &Transcript),
    arm: &Arm,
    asked: &[Asked],
) -> Result<Vec<Prompt>, Failure> {
    let (mut before, mut shown): (Option<(Arc<Sent>, String)>, _) = (None, 0);
    let (mut prompts, mut numbers) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for (turn, Asked { question, truth, context, call: of }) in asked.iter().enumerate() {
        let mut text = if turn == 0 { opening(arm.primer.as_deref()) } else { String::new() };
        if *of > shown {
            let (tool, value) = &transcript.calls[of - 1];
            let data = arm.call(tool, value)?.expect("because it is an arm of this family");
            text += &call(*of, tool, &data, question);
            shown = *of;
        } else {
            text += &question.text();
        }
        let sent = Arc::new(match before {
            Some((before, answer)) => Sent::after(before, &answer, text),
            None => Sent::first(text),
        });
        before = Some((Arc::clone(&sent), truth.answer()));
        let number = numbers.entry(question.template.id).or_default();
        prompts.push(Prompt {
            key: Key {
                dataset: name.to_owned(),
                arm: arm.name.clone(),
                question: question.template.id.to_owned(),
                number: *number,
                repeat: 0,
            },
            family: Family::Calls.name(),
            size: turn + 1,
            sent,
            judge: Judge { truth: truth.clone(), context: Arc::clone(context) },
            given: None,
        });
        *number += 1;
    }
    Ok(prompts)
}
