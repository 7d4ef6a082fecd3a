//! The parser: a function for each production of the grammar, which adds what it reads to the
//! document. Tables are in [`super::table`].
//!
//! The lines of a container have one indentation. A line that is indented less ends the container,
//! and one that is indented more is an error.

use std::borrow::Cow;
use std::cmp::Ordering;

use hashbrown::HashSet;
use wire_core::MAX_NESTING;
use wire_core::text::shown;

use super::cells::token;
use super::columns::Columns;
use super::document::{Document, Filling, Id, KeyId, Kind, NO_KEY, Node};
use super::head::{Count, Head, count_of_map, head, miscounted, named, section};
use super::lines::Lines;
use crate::ErrorKind;
use crate::generic::problem::Problem;
use crate::generic::scalar::{Scalar, read_token, short_integer, trimmed};
use crate::header::decimal;

/// Where the content of a container is: from the next line on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    /// The line that declares it.
    pub(super) head: usize,
    /// The level of its lines.
    pub(super) indent: u32,
    /// `true` if all lines of this level belong to it; else members of the object around it may
    /// follow.
    pub(super) is_whole: bool,
}

/// The features of specification 3.6 in the tables of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tables {
    /// `true` if any has columns that are the same in every row.
    pub(crate) have_constants: bool,
    /// `true` if any has its rows in groups.
    pub(crate) have_groups: bool,
}

#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub(super) lines: Lines<'t>,
    pub(super) at: usize,
    pub(super) document: Document<'t>,
    /// The arrays and objects that are open.
    pub(super) depth: usize,
    /// The counts that are left to the trailer, in the order of the text.
    pub(super) deferred: Vec<u64>,
    /// The line at which a declared count was reached last.
    pub(super) counted: Option<usize>,
    /// How many bytes rows may repeat in all, and how many they have repeated.
    repeatable: usize,
    pub(super) repeated: usize,
    pub(super) tables: Tables,
    /// The keys of objects with many members on their own lines.
    seen: HashSet<(Id, KeyId)>,
    pub(super) cells: Vec<&'t str>,
}

impl<'t> Parser<'t> {
    /// A parser of the lines of the document's source, whose rows may repeat so many bytes of names
    /// and constants.
    pub(super) fn new(document: Document<'t>, lines: Lines<'t>, repeatable: usize) -> Self {
        Parser {
            lines,
            at: 0,
            document,
            depth: 0,
            deferred: Vec::new(),
            counted: None,
            repeatable,
            repeated: 0,
            tables: Tables::default(),
            seen: HashSet::new(),
            cells: Vec::new(),
        }
    }

    #[cold]
    pub(super) fn error(
        &self,
        line: usize,
        kind: ErrorKind,
        message: impl Into<String>,
    ) -> Problem {
        Problem::new(kind, &self.lines.text[self.lines.offset(line)..], message)
    }

    #[cold]
    pub(super) fn unrecognized(&self, line: usize, expected: &str) -> Problem {
        let message = format!("a line is {}, expected {expected}", shown(self.lines.of(line)));
        self.error(line, ErrorKind::UnrecognizedLine, message)
    }

    /// Returns `true` if a line of the body is next.
    #[inline]
    pub(super) fn has_line(&self, body: &Body) -> Result<bool, Problem> {
        let Some(line) = self.lines.get(self.at) else { return Ok(false) };
        match line.indent.cmp(&body.indent) {
            Ordering::Less => Ok(false),
            Ordering::Equal => Ok(true),
            Ordering::Greater => {
                let (found, expected) = (line.indent * 2, body.indent * 2);
                let message = format!("a line is indented by {found} spaces, expected {expected}");
                Err(self.error(self.at, ErrorKind::InvalidIndent, message))
            }
        }
    }

    pub(super) fn enter(&mut self, line: usize) -> Result<(), Problem> {
        if self.depth >= MAX_NESTING {
            let message = format!(
                "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
            );
            return Err(self.error(line, ErrorKind::TooDeep, message));
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn make_room(&self, line: usize, nodes: usize) -> Result<(), Problem> {
        if self.document.has_room(nodes) {
            return Ok(());
        }
        let message = "the value has more than 4 billion values in it, expected fewer";
        Err(self.error(line, ErrorKind::TooLarge, message))
    }

    pub(super) fn intern(&mut self, key: &str, at: &str) -> Result<KeyId, Problem> {
        let message = "the text has more than 268 million different keys, expected fewer";
        let id = self.document.intern(key);
        id.ok_or_else(|| Problem::new(ErrorKind::TooLarge, at, message))
    }

    /// Counts the names and constants that a row repeats, so that a small text can't decode to a
    /// huge value.
    pub(super) fn repeat(&mut self, line: usize, bytes: usize) -> Result<(), Problem> {
        self.repeated = self.repeated.saturating_add(bytes);
        if self.repeated <= self.repeatable {
            return Ok(());
        }
        let message = format!(
            "the names and constants that the rows repeat have more than {} bytes, expected at most that many",
            self.repeatable
        );
        Err(self.error(line, ErrorKind::TooLarge, message))
    }

    /// ```abnf
    /// root = "=" scalar EOL / "## " container / *member
    /// ```
    pub(super) fn root(&mut self) -> Result<(), Problem> {
        let body = Body { head: 0, indent: 0, is_whole: true };
        let first = self.lines.get(0).filter(|line| line.indent == 0).map(|_| self.lines.of(0));
        let whole = |line: &'t str| match section(line)? {
            Some((name, head)) => Ok(name.is_none().then_some(head)),
            None => Ok(line.strip_prefix('=').map(Head::Scalar)),
        };
        match first.map(whole).transpose()?.flatten() {
            Some(head) => {
                self.at = 1;
                self.value(0, head, body)
            }
            None => self.object(0, body),
        }
    }

    /// ```abnf
    /// value     = "=" scalar EOL / "{}" EOL *member / list / container
    /// container = items / table / map
    /// ```
    ///
    /// The line of the head is read already.
    pub(super) fn value(&mut self, node: Id, head: Head<'t>, body: Body) -> Result<(), Problem> {
        match head {
            Head::Scalar(token) => self.document.scalar(node, trimmed(token)),
            Head::Object => self.object(node, body),
            Head::Inline(count, list) => self.list(node, count, list, body.head),
            Head::Array(count, None) => self.items(node, count, body),
            Head::Array(count, Some(list)) => {
                let columns = Columns::of_array(self, list)?;
                self.table(node, count, &columns, body)
            }
            Head::KeyedMap(count, list) => {
                let count = count_of_map(count, self.lines.of(body.head))?;
                let columns = Columns::of_keyed_map(self, list)?;
                self.table(node, count, &columns, body)
            }
        }
    }

    /// ```abnf
    /// *member
    /// ```
    fn object(&mut self, node: Id, body: Body) -> Result<(), Problem> {
        self.enter(body.head)?;
        let offset = self.lines.offset(body.head);
        let mut object = self.document.open(node, Kind::Object, offset);
        let mut counted = None;
        while self.has_line(&body)? {
            counted = self.member(&mut object, &body, counted)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// ```abnf
    /// member = key "=" scalar EOL / key list / "## " key EOL *member
    ///        / "## " key SP container
    /// ```
    ///
    /// `counted` is the line and the count of the rows or items before this line; those of the
    /// member are returned.
    fn member(
        &mut self,
        object: &mut Filling,
        body: &Body,
        counted: Option<(usize, Count)>,
    ) -> Result<Option<(usize, Count)>, Problem> {
        let line = self.at;
        let Some((key, head)) = named(self.lines.of(line))? else {
            return Err(self.no_member(counted));
        };
        self.make_room(line, 1)?;
        let member = self.key(object, &key, line)?;
        self.at += 1;
        // Rows and items are indented like the line that begins them.
        let is_object = head == Head::Object;
        let indent = body.indent + u32::from(is_object);
        self.value(member, head, Body { head: line, indent, is_whole: is_object })?;
        Ok(match head {
            Head::Array(count, _) | Head::KeyedMap(count, _) => Some((line, count)),
            _ => None,
        })
    }

    /// Adds a member whose key is different from those before.
    fn key(&mut self, object: &mut Filling, key: &str, line: usize) -> Result<Id, Problem> {
        /// So many keys are compared one by one.
        const FEW: u32 = 8;
        let known = self.document.keys();
        let id = self.intern(key, self.lines.of(line))?;
        let is_twice = {
            let first = self.document.node(object.node).b;
            let mut members = self.document.siblings(first).map(Node::key);
            if object.count < FEW {
                (id as usize) < known && members.any(|member| member == id)
            } else {
                if object.count == FEW {
                    self.seen.extend(members.map(|member| (object.node, member)));
                }
                !self.seen.insert((object.node, id))
            }
        };
        if is_twice {
            let message = format!("an object has the key {} twice, expected once", shown(key));
            return Err(self.error(line, ErrorKind::DuplicateKey, message));
        }
        self.document.read = self.lines.offset(line);
        Ok(self.document.add(object, id))
    }

    /// The error for a line that is no member. After the last row of a table it looks like one row
    /// more, or like one more line of values of that row.
    #[cold]
    fn no_member(&self, counted: Option<(usize, Count)>) -> Problem {
        let line = self.at;
        let Some((head, Count::Exact(count))) = counted else {
            return self.unrecognized(line, "`key=value`, `key[N]: values` or `## key`");
        };
        let text = |at: usize| self.lines.of(at);
        let is_body = !text(line).starts_with('@') && text(line).contains('|');
        let last_row = || (head + 1..line).rev().find(|&at| text(at).starts_with('@'));
        if is_body && last_row().is_some_and(|row| text(row).contains('^')) {
            let message = "a line of values follows a row without a cell `^` for it, expected the end of the table";
            return self.error(line, ErrorKind::OrphanInlineAttachment, message);
        }
        let message = miscounted(count, count.saturating_add(1), "rows or items");
        match message {
            Some(message) => self.error(head, ErrorKind::CountMismatch, message),
            None => self.unrecognized(line, "a member"),
        }
    }

    /// ```abnf
    /// list = "[" count "]:" [ SP scalar *( "," scalar ) ] EOL
    /// ```
    fn list(&mut self, node: Id, count: Count, list: &'t str, line: usize) -> Result<(), Problem> {
        self.enter(line)?;
        self.make_room(line, list.len() + 1)?;
        let mut array = self.document.open(node, Kind::Array, self.lines.offset(line));
        let slot = self.begin_count(count);
        let mut rest = Some(list).filter(|list| !trimmed(list).is_empty());
        while let Some(list) = rest {
            self.document.read = self.document.offset_of(list);
            let (scalar, behind) = token(list, b',')?;
            rest = behind;
            let item = self.document.add(&mut array, NO_KEY);
            self.document.scalar(item, scalar)?;
        }
        self.end_count(line, count, slot, u64::from(array.count), "values")?;
        if count != Count::Deferred {
            self.counted = Some(line);
        }
        self.depth -= 1;
        Ok(())
    }

    /// ```abnf
    /// items = "[" count "]" EOL *item
    /// ```
    fn items(&mut self, node: Id, count: Count, body: Body) -> Result<(), Problem> {
        self.enter(body.head)?;
        let mut array = self.document.open(node, Kind::Array, self.lines.offset(body.head));
        let slot = self.begin_count(count);
        let mut found = 0;
        // The line of the last item, if it is all of it.
        let mut last = Some(body.head);
        while count.allows(found)
            && self.has_line(&body)?
            && self.lines.of(self.at).starts_with('@')
        {
            last = self.item(&mut array, found, &body)?;
            found += 1;
        }
        self.end_count(body.head, count, slot, found, "items")?;
        self.end_body(&body, count, found, "items")?;
        if count != Count::Deferred {
            self.counted = last.or(self.counted);
        }
        self.depth -= 1;
        Ok(())
    }

    /// ```abnf
    /// item = "@" index SP value
    /// ```
    ///
    /// The line is returned if it is all of the item.
    pub(super) fn item(
        &mut self,
        array: &mut Filling,
        index: u64,
        body: &Body,
    ) -> Result<Option<usize>, Problem> {
        let line = self.at;
        let rest = &self.lines.of(line)[1..];
        let (digits, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        self.check_index(line, digits, index, "an item")?;
        let Some(head) = head(rest)? else {
            let expected = "`=value`, `{}`, `[N]: values` or `[N]` after the id";
            return Err(self.unrecognized(line, expected));
        };
        self.at += 1;
        self.make_room(line, 1)?;
        self.document.read = self.lines.offset(line);
        let item = self.document.add(array, NO_KEY);
        self.value(item, head, Body { head: line, indent: body.indent + 1, is_whole: true })?;
        Ok(matches!(head, Head::Scalar(_)).then_some(line))
    }

    /// Refuses an index that is not that of the row or item.
    pub(super) fn check_index(
        &self,
        line: usize,
        digits: &str,
        index: u64,
        what: &str,
    ) -> Result<(), Problem> {
        if decimal(digits) == Some(index) {
            return Ok(());
        }
        let text = shown(self.lines.of(line));
        let message = format!("{what} is {text}, expected its index: `@{index} …`");
        Err(self.error(line, ErrorKind::InvalidItemId, message))
    }

    /// Makes a place for a count that is left to the trailer: counts are in the order in which
    /// their containers begin, and those further in are known first.
    pub(super) fn begin_count(&mut self, count: Count) -> usize {
        if count == Count::Deferred {
            self.deferred.push(0);
        }
        self.deferred.len().saturating_sub(1)
    }

    /// Checks the number of rows, items or values when no more of them can follow.
    pub(super) fn end_count(
        &mut self,
        line: usize,
        count: Count,
        slot: usize,
        found: u64,
        what: &str,
    ) -> Result<(), Problem> {
        match count {
            Count::Exact(declared) => match miscounted(declared, found, what) {
                Some(message) => Err(self.error(line, ErrorKind::CountMismatch, message)),
                None => Ok(()),
            },
            Count::Deferred => {
                self.deferred[slot] = found;
                Ok(())
            }
        }
    }

    /// Checks that the last row or item of a body is followed by nothing.
    pub(super) fn end_body(
        &self,
        body: &Body,
        count: Count,
        found: u64,
        what: &str,
    ) -> Result<(), Problem> {
        let next = self.lines.get(self.at).filter(|line| line.indent >= body.indent);
        match count {
            _ if !body.is_whole || next.is_none() => Ok(()),
            Count::Exact(declared) => {
                let message = miscounted(declared, found.saturating_add(1), what);
                Err(self.error(body.head, ErrorKind::CountMismatch, message.unwrap_or_default()))
            }
            Count::Deferred => Err(self.unrecognized(self.at, "the end")),
        }
    }
}

impl<'t> Document<'t> {
    /// Makes a node the scalar of a trimmed token.
    #[inline]
    pub(super) fn scalar(&mut self, node: Id, token: &'t str) -> Result<(), Problem> {
        let kind = match token.as_bytes() {
            // Most are texts that begin as nothing else does, or short integers.
            [b'A'..=b'Z' | b'a'..=b'e' | b'g'..=b's' | b'u'..=b'z', ..] => Kind::Text,
            bytes if short_integer(bytes).is_some() => Kind::Integer,
            b"-" => Kind::Null,
            _ => return self.other_scalar(node, token),
        };
        self.set_slice(node, kind, token);
        Ok(())
    }

    fn other_scalar(&mut self, node: Id, token: &'t str) -> Result<(), Problem> {
        match read_token(token)? {
            Scalar::Null => self.set_slice(node, Kind::Null, token),
            Scalar::Bool(false) => self.set_slice(node, Kind::False, token),
            Scalar::Bool(true) => self.set_slice(node, Kind::True, token),
            Scalar::Integer(_) => self.set_slice(node, Kind::Integer, token),
            Scalar::Decimal(_) => self.decimal(node, token),
            Scalar::Text(Cow::Borrowed(text)) => self.set_slice(node, Kind::Text, text),
            Scalar::Text(Cow::Owned(text)) => {
                self.set_copy(node, Kind::Text, self.offset_of(token), &text);
            }
        }
        Ok(())
    }

    fn decimal(&mut self, node: Id, token: &'t str) {
        self.set_slice(node, Kind::Decimal, token);
        // Without an exponent, only a decimal of more than 308 digits is beyond doubles.
        let may_be_infinite = token.len() > 308 || token.contains(['e', 'E']);
        if may_be_infinite && self.infinite.is_none() {
            let number = self.node(node);
            self.infinite = Some(number).filter(|&number| self.double(number).is_infinite());
        }
    }

    /// A scalar that many rows have.
    pub(super) fn constant(&mut self, token: &'t str) -> Result<Node, Problem> {
        // Node 0, which gets its value back, is used for it.
        let whole = self.node(0);
        self.scalar(0, token)?;
        Ok(self.replace(0, whole))
    }
}
