//! The members of a case as its file has them.

use std::fmt;
use std::fs;
use std::path::Path;

use serde::de::value::MapDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, IntoDeserializer, MapAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::value::{RawValue, to_raw_value};

use crate::payload::by_index;

/// The members of a case in their order.
#[derive(Debug)]
pub(crate) struct Members(Vec<(String, Member)>);

#[derive(Debug)]
enum Member {
    Json(Box<RawValue>),
    Bytes(Vec<u8>),
}

/// Names under which a case says the same thing in different ways.
const ALTERNATIVES: &[&[&str]] =
    &[&["payload", "payload_file"], &["text", "text_file", "hex"], &["json", "json_file"]];

impl Members {
    /// That none is there twice.
    pub(crate) fn distinct(&self) -> Result<(), String> {
        let mut names: Vec<&str> = self.0.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("duplicate field `{}`", pair[0])),
            None => Ok(()),
        }
    }

    /// Takes a member out, if it is there.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, String> {
        let Some(place) = self.0.iter().position(|(known, _)| known == name) else {
            return Ok(None);
        };
        let (_, member) = self.0.remove(place);
        read(&member).map(Some).map_err(|problem| format!("{name}: {problem}"))
    }

    /// Takes a member out that must be there.
    pub(crate) fn need<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, String> {
        self.take(name)?.ok_or_else(|| format!("missing field `{name}`"))
    }

    /// Puts what stands in files below `root` in its place, and makes bytes of texts. Names stay as
    /// they are.
    pub(crate) fn resolve(&mut self, root: &Path) -> Result<(), String> {
        for names in ALTERNATIVES {
            let mut there =
                self.0.iter().map(|(name, _)| &**name).filter(|name| names.contains(name));
            if let (Some(one), Some(other)) = (there.next(), there.next()) {
                return Err(format!("it has both {one} and {other}"));
            }
        }
        for (name, member) in &mut self.0 {
            let resolved = match &**name {
                "text" => read::<String>(member).map(|text| Member::Bytes(text.into_bytes())),
                "text_file" => file(member, root).map(Member::Bytes),
                "hex" => {
                    read::<Vec<String>>(member).and_then(|lines| unhex(&lines)).map(Member::Bytes)
                }
                "payload_file" => file(member, root).and_then(|text| payload(&text)),
                "json_file" => file(member, root).and_then(|text| json(&text)),
                _ => continue,
            };
            *member = resolved.map_err(|problem| format!("{name}: {problem}"))?;
        }
        Ok(())
    }

    /// What the members say that are left, all together.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        let members = self.0.iter().map(|(name, member)| (name.as_str(), member));
        T::deserialize(MapDeserializer::<_, serde_json::Error>::new(members))
            .map_err(|error| error.to_string())
    }
}

fn read<T: DeserializeOwned>(member: &Member) -> Result<T, String> {
    T::deserialize(member).map_err(|error| error.to_string())
}

/// The file that a member names.
fn file(member: &Member, root: &Path) -> Result<Vec<u8>, String> {
    let path: String = read(member)?;
    fs::read(root.join(&path)).map_err(|error| format!("{path}: {error}"))
}

fn json(text: &[u8]) -> Result<Member, String> {
    serde_json::from_slice(text).map(Member::Json).map_err(|error| error.to_string())
}

/// A payload in the JSON form, in the form of cases.
fn payload(text: &[u8]) -> Result<Member, String> {
    let named = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    to_raw_value(&by_index(named)?).map(Member::Json).map_err(|error| error.to_string())
}

/// Lines of hexadecimal bytes with comments behind `;`.
fn unhex(lines: &[String]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for line in lines {
        let digits: String = line
            .split(';')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
            .concat();
        if !digits.len().is_multiple_of(2) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(format!("{line:?} is not hexadecimal bytes"));
        }
        for pair in digits.as_bytes().chunks_exact(2) {
            let pair = std::str::from_utf8(pair).expect("because the digits are ASCII");
            bytes.push(u8::from_str_radix(pair, 16).expect("because the digits are hexadecimal"));
        }
    }
    Ok(bytes)
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the members of a case")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members: Vec<(String, Member)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, _>()? {
                    members.push((name, Member::Json(value)));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

impl<'de> Deserializer<'de> for &'de Member {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self {
            Member::Json(json) => json.deserialize_any(visitor),
            Member::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self {
            Member::Json(json) => json.deserialize_option(visitor),
            Member::Bytes(_) => visitor.visit_some(self),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, serde_json::Error> for &'de Member {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_has_comments() {
        let lines = ["47 43 42 31 ; magic".to_owned(), String::new(), "0aFF".to_owned()];
        assert_eq!(unhex(&lines), Ok(vec![0x47, 0x43, 0x42, 0x31, 0x0a, 0xff]));
        assert!(unhex(&["4".to_owned()]).is_err());
        assert!(unhex(&["zz".to_owned()]).is_err());
    }
}
