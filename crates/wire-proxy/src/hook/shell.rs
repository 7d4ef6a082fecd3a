//! Enough of a shell's grammar to know which programs a command runs, and with which words. What is
//! not understood has no reading: substitutions, redirections of standard output, background jobs.

/// The pipelines of a command, as words. `None` for what is not understood.
pub(crate) fn pipelines(command: &str) -> Option<Vec<Vec<Vec<String>>>> {
    let mut all = vec![vec![Vec::new()]];
    let mut word: Option<String> = None;
    let mut rest = command;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if matches!(c, ' ' | '\t' | '\n' | ';' | '|' | '&') {
            all.last_mut()?.last_mut()?.extend(word.take());
        }
        match c {
            ' ' | '\t' => {}
            '\'' => {
                let end = rest.find('\'')?;
                word.get_or_insert_default().push_str(&rest[..end]);
                rest = &rest[end + 1..];
            }
            '"' => rest = quoted(rest, word.get_or_insert_default())?,
            '\\' => {
                let c = rest.chars().next()?;
                rest = &rest[c.len_utf8()..];
                if c != '\n' {
                    word.get_or_insert_default().push(c);
                }
            }
            '#' if word.is_none() => rest = &rest[rest.find('\n').unwrap_or(rest.len())..],
            '\n' | ';' => all.push(vec![Vec::new()]),
            '|' | '&' if rest.starts_with(c) => {
                rest = &rest[1..];
                all.push(vec![Vec::new()]);
            }
            '|' => all.last_mut()?.push(Vec::new()),
            // Where errors go is not what is printed.
            '>' if word.as_deref() == Some("2") => {
                word = None;
                let after = ["&1", "/dev/null", " /dev/null"];
                let after = after.into_iter().find_map(|target| rest.strip_prefix(target));
                rest = after?;
                if !rest.is_empty() && !rest.starts_with([' ', '\t', '\n', ';', '|', '&']) {
                    return None;
                }
            }
            '>' | '<' | '&' | '(' | ')' | '`' => return None,
            c => word.get_or_insert_default().push(c),
        }
    }
    all.last_mut()?.last_mut()?.extend(word);
    all.retain(|pipeline| pipeline.iter().any(|words| !words.is_empty()));
    Some(all)
}

/// Adds a text in double quotes to a word, and returns what follows it.
fn quoted<'c>(mut rest: &'c str, word: &mut String) -> Option<&'c str> {
    loop {
        let end = rest.find(['"', '\\', '`', '$'])?;
        word.push_str(&rest[..end]);
        let (mark, after) = rest[end..].split_at(1);
        rest = after;
        match mark {
            "\"" => return Some(rest),
            "\\" => {
                let c = rest.chars().next()?;
                word.push(c);
                rest = &rest[c.len_utf8()..];
            }
            "$" if !rest.starts_with('(') => word.push('$'),
            _ => return None,
        }
    }
}
