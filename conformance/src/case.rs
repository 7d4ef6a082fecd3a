//! The schema of a case, as `fixtures/README.md` documents it.

use std::path::Path;

use serde::Deserialize;

use crate::members::Members;
use crate::operation::Operation;
use crate::options::Options;

/// A file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    pub(crate) format: String,
    pub(crate) cases: Vec<Members>,
}

/// A case, ready to run.
#[derive(Clone, Debug)]
pub struct Case {
    /// `path#name`, the path below the corpus.
    pub id: String,
    /// The format that it is about.
    pub format: String,
    /// The rules that it cites.
    pub rules: Vec<String>,
    /// With which options.
    pub options: Options,
    /// What it does, and with what.
    pub operation: Operation,
}

impl CaseFile {
    /// The cases of the file, which stands at `file` below `root`. An error names the file, the
    /// case and the member.
    pub(crate) fn resolve(self, file: &str, root: &Path) -> Result<Vec<Case>, String> {
        let mut cases = Vec::new();
        for (number, mut members) in (1..).zip(self.cases) {
            let name: String = members
                .need("name")
                .map_err(|problem| format!("{file}, case {number}: {problem}"))?;
            let id = format!("{file}#{name}");
            let case = Case::read(&id, &name, &self.format, members, root);
            cases.push(case.map_err(|problem| format!("{id}: {problem}"))?);
        }
        Ok(cases)
    }
}

impl Case {
    /// What all cases have is taken out here; the operation knows what is left.
    fn read(
        id: &str,
        name: &str,
        format: &str,
        mut members: Members,
        root: &Path,
    ) -> Result<Self, String> {
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.is_empty() || !name.chars().all(snake) {
            return Err("the name is not snake_case".to_owned());
        }
        members.distinct()?;
        let rules: Vec<String> = members.need("rules")?;
        if rules.is_empty() {
            return Err("it cites no rule".to_owned());
        }
        let _for_people: Option<String> = members.take("note")?;
        let options = members.take("options")?.unwrap_or_default();
        members.resolve(root)?;
        let operation: Operation = members.read()?;
        operation.check()?;
        Ok(Case { id: id.to_owned(), format: format.to_owned(), rules, options, operation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file `f/x.json` with this case.
    fn load(case: &str) -> Result<Case, String> {
        let file = format!(r#"{{"format":"f","cases":[{case}]}}"#);
        let file: CaseFile = serde_json::from_str(&file).map_err(|error| error.to_string())?;
        file.resolve("f/x.json", Path::new("no/such/folder")).map(|mut cases| cases.remove(0))
    }

    /// A case of these members.
    fn of(members: &str) -> String {
        format!(r#"{{"name":"a","rules":["r"],{members}}}"#)
    }

    #[test]
    fn a_case_is_what_its_operation_needs() {
        let case = load(&of(r#""operation":"reject","text":"x","error":{"code":"c"}"#)).unwrap();
        assert_eq!((&*case.id, case.operation.text()), ("f/x.json#a", Some(&b"x"[..])));
        assert!(matches!(case.operation, Operation::Reject(_)) && !case.operation.is_positive());
        let case =
            load(&of(r#""operation":"encode","hex":["0aFF ; comment"],"payload":{}"#)).unwrap();
        assert_eq!(case.operation.text(), Some(&[0x0a, 0xff][..]));
        let case = load(&of(r#""operation":"response_decode","text":"x","json":null"#)).unwrap();
        assert!(case.operation.is_positive());
        assert!(load(&of(r#""operation":"response","text":"x","json":null"#)).is_ok());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_file_its_case_and_its_member() {
        for (members, problem) in [
            // A member that is not there.
            (r#""text":"x""#, "missing field `operation`"),
            (r#""operation":"reject","error":{"code":"c"}"#, "missing field `text`"),
            (r#""operation":"reject","text":"x""#, "missing field `error`"),
            (r#""operation":"reject","text":"x","error":{}"#, "missing field `code`"),
            (r#""operation":"decode","text":"x""#, "missing field `payload`"),
            (r#""operation":"lenient","text":"x","payload":{}"#, "missing field `report`"),
            (r#""operation":"delta_decode","text":"x""#, "missing field `delta`"),
            (r#""operation":"response","text":"x""#, "missing field `json` or `json_text`"),
            (
                r#""operation":"set_delta","text":"x","keyed":{"set":{"key":"k"}}"#,
                "missing field `next`",
            ),
            (r#""operation":"set_apply","keyed":{}"#, "missing field `text` or `change`"),
            (r#""operation":"set_refuse","keyed":{},"error":{"code":"c"}"#, "keyed: it needs set"),
            // A member that the operation does not know.
            (
                r#""operation":"encode","payload":{},"text":"x","error":{"code":"c"}"#,
                "unknown field `error`, expected",
            ),
            (
                r#""operation":"encode","payload":{},"text":"x","decoded":{}"#,
                "unknown field `decoded`, expected",
            ),
            (
                r#""operation":"refuse","payload":{},"hex":[],"error":{"code":"c"}"#,
                "unknown field `hex`, expected",
            ),
            (
                r#""operation":"reject","text":"x","error":{"code":"c"},"typo":1"#,
                "unknown field `typo`, expected",
            ),
            (
                r#""operation":"response_decode","text":"x","json":1,"tool":"t""#,
                "unknown field `tool`, expected",
            ),
            (
                r#""operation":"set","keyed":{"set":{"key":"k"},"next":null}"#,
                "unknown field `next`, expected",
            ),
            (
                r#""operation":"encode","text":"x","payload":{"symbols":[{"nam":""}]}"#,
                "unknown field `nam`, expected",
            ),
            (
                r#""operation":"reject","text":"x","error":{"code":"c"},"options":{"dialekt":""}"#,
                "options: unknown field `dialekt`, expected",
            ),
            // An operation that there is not.
            (
                r#""operation":"rejekt","text":"x","error":{"code":"c"}"#,
                "unknown variant `rejekt`, expected one of `encode`",
            ),
            // Members that exclude each other, and files that are not there.
            (
                r#""operation":"encode","payload":{},"text":"x","hex":[]"#,
                "it has both text and hex",
            ),
            (
                r#""operation":"encode","payload":{},"payload_file":"p","text":"x""#,
                "it has both payload and payload_file",
            ),
            (
                r#""operation":"response","text":"x","json":1,"json_text":"1""#,
                "it has both json and json_text",
            ),
            (
                r#""operation":"encode","payload":{},"text_file":"no/such/file""#,
                "text_file: no/such/file: ",
            ),
            // Members of another kind.
            (
                r#""operation":"encode","payload":{},"text":[1]"#,
                "text: invalid type: sequence, expected a string",
            ),
            (
                r#""operation":"encode","payload":{},"hex":["zz"]"#,
                "hex: \"zz\" is not hexadecimal bytes",
            ),
            (r#""operation":"session","calls":[]"#, "invalid length 0, expected at least one"),
            (r#""operation":"session","calls":[{}]"#, "a call needs payload and text, or reset"),
        ] {
            let found = load(&of(members)).map(|case| case.id).unwrap_err();
            assert!(found.starts_with(&format!("f/x.json#a: {problem}")), "{members}: {found}");
        }
    }

    #[test]
    fn every_case_has_a_name_of_its_own_kind_and_cites_rules() {
        let rest = r#""operation":"reject","text":"x","error":{"code":"c"}"#;
        for (head, problem) in [
            (r#""rules":["r"]"#, "f/x.json, case 1: missing field `name`"),
            (r#""name":"A b","rules":["r"]"#, "f/x.json#A b: the name is not snake_case"),
            (r#""name":"a""#, "f/x.json#a: missing field `rules`"),
            (r#""name":"a","rules":[]"#, "f/x.json#a: it cites no rule"),
            (r#""name":"a","rules":["r"],"note":1"#, "f/x.json#a: note: invalid type"),
        ] {
            let found = load(&format!("{{{head},{rest}}}")).map(|case| case.id).unwrap_err();
            assert!(found.starts_with(problem), "{found}");
        }
        let twice = load(&of(&format!(r#"{rest},"text":"y""#))).map(|case| case.id).unwrap_err();
        assert_eq!(twice, "f/x.json#a: duplicate field `text`");
    }
}
