//! The definitions and references of one file, by tags queries; nothing is resolved here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::iter;
use std::sync::Arc;

use tree_sitter::{Node, Parser, QueryCursor, StreamingIterator, Tree};

use crate::lang::Language;

/// A definition; the first one of a file is the file itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    /// The definitions around it, outermost first. Of a method of `impl Trait for Type` the last two are type and trait.
    pub(crate) containers: Vec<String>,
    /// The type whose member it is.
    pub(crate) member_of: Option<String>,
    /// A kind of GCF, or `macro` or `file`.
    pub(crate) kind: &'static str,
    /// From 1.
    pub(crate) line: usize,
    /// As of a reference.
    pub(crate) within: usize,
    /// The text before the body, on one line, at most 160 bytes.
    pub(crate) signature: String,
    /// The comments in front, and Python's docstring, at most 600 characters.
    pub(crate) comment: String,
}

/// What a name refers to by its syntax, from what says least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    Type,
    Call,
    Macro,
    Implements,
}

/// What stands before a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Qualifier {
    /// Nothing, `crate` or `super`.
    None,
    /// `self.f`, `Self::f`, `this.f`, `cls.f`.
    Own,
    /// `T::f`; in languages where a module and a variable look alike also `x.f`.
    Name(String),
    /// Any other expression.
    Value,
}

/// A name that is used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) qualifier: Qualifier,
    pub(crate) used_as: Use,
    /// The type of an `impl`, which implements the name; else what is around the name uses it.
    pub(crate) of: Option<String>,
    /// The innermost definition around it.
    pub(crate) within: usize,
}

/// An import.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// All its words: names, and the parts of paths; and `*` if it imports all names of a module, of
    /// this package in Rust.
    pub(crate) words: HashSet<String>,
    /// Where it begins, in Rust: `crate`, `super`, a package or a module.
    pub(crate) first: Option<String>,
}

/// All of one file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) definitions: Vec<Definition>,
    pub(crate) references: Vec<Reference>,
    /// By each of their words.
    pub(crate) imports: HashMap<String, Vec<Arc<Import>>>,
    /// Every word of the file: `x.f()` is not the method of a type that the file never names.
    pub(crate) words: HashSet<String>,
    /// Parts of the file are not of its language.
    pub(crate) has_errors: bool,
}

/// Trees that are deeper than source text, and lists of what no grammar reads, take square time.
const DEEPEST: usize = 1000;
const WIDEST_ERROR: usize = 2000;
/// The bytes of the longest name of a definition with all that is around it.
const LONGEST_NAME: usize = 512;

/// The facts of a file; `None` if it is nested deeper than 1,000 levels, or no text of its language.
pub(crate) fn facts(language: &Language, source: &str) -> Option<Facts> {
    let mut parser = Parser::new();
    parser.set_language(&language.grammar).expect("the library reads this version");
    let tree = parser.parse(source, None)?;
    let around = around(&tree)?;
    let is_rust = language.family == "rust";
    let mut file = File { source, is_rust, around, inside: HashMap::new() };
    let tags = language.query.capture_names();
    let mut found = Vec::new();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&language.query, tree.root_node(), source.as_bytes());
    while let Some(matched) = matches.next() {
        let captures = matched.captures.iter();
        let captures = captures.map(|capture| (tags[capture.index as usize], capture.node));
        // A pattern of imports captures one node as both.
        let name = captures.clone().find(|(tag, _)| *tag == "name");
        let tag = captures.clone().find(|(tag, _)| tag.contains('.'));
        found.extend(tag.zip(name.map(|(_, node)| node)));
    }
    let mut facts = Facts {
        definitions: vec![Definition { kind: "file", line: 1, ..Definition::default() }],
        words: words(source).map(str::to_owned).collect(),
        has_errors: tree.root_node().has_error(),
        ..Facts::default()
    };
    let mut named = HashSet::new();
    for &((tag, node), name) in &found {
        if let Some(definition) = file.definition(tag, node, name)
            && named.insert(name.start_byte())
        {
            file.inside.insert(file.outer(node).id(), facts.definitions.len());
            facts.definitions.push(definition);
        }
    }
    let mut used = BTreeMap::new();
    for ((tag, node), name) in found {
        if tag == "reference.import" {
            let import = Arc::new(file.import(name));
            for word in &import.words {
                facts.imports.entry(word.clone()).or_default().push(Arc::clone(&import));
            }
        } else if let Some(used_as) = file.used_as(tag, node, name) {
            let (known_as, _) = used.entry(name.start_byte()).or_insert((used_as, name));
            // Two patterns may have it, and one says more.
            *known_as = used_as.max(*known_as);
        }
    }
    let references = used.into_values().map(|(used_as, name)| file.reference(name, used_as));
    facts.references = references.collect();
    Some(facts)
}

/// The parent and the sibling before it of each node, by id. The library finds these from the root, and
/// each again.
type Around<'t> = HashMap<usize, (Node<'t>, Option<Node<'t>>)>;

fn around(tree: &Tree) -> Option<Around<'_>> {
    let mut around = HashMap::new();
    let mut cursor = tree.walk();
    let mut open = vec![(tree.root_node(), 0)];
    while let Some((parent, depth)) = open.pop() {
        if depth > DEEPEST || (parent.is_error() && parent.child_count() > WIDEST_ERROR) {
            return None;
        }
        let mut before = None;
        for node in parent.children(&mut cursor) {
            around.insert(node.id(), (parent, before.replace(node)));
            open.push((node, depth + 1));
        }
    }
    Some(around)
}

/// The words of a text: letters, digits and `_`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The last name of a path or type: `Foo` of `&a::Foo<'x>`.
fn last_name(text: &str) -> &str {
    let head = text.split(['<', '(', '[']).find(|part| !part.is_empty()).unwrap_or(text);
    words(head).last().unwrap_or("")
}

struct File<'s, 't> {
    source: &'s str,
    is_rust: bool,
    around: Around<'t>,
    /// The innermost definitions, by the ids of their nodes and of those inside that were passed.
    inside: HashMap<usize, usize>,
}

impl<'s, 't> File<'s, 't> {
    fn text(&self, node: Node<'_>) -> &'s str {
        &self.source[node.byte_range()]
    }

    fn field(&self, node: Node<'_>, field: &str) -> Option<&'s str> {
        node.child_by_field_name(field).map(|child| self.text(child))
    }

    fn before(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.around.get(&node.id()).and_then(|(_, before)| *before)
    }

    fn parent(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.around.get(&node.id()).map(|(parent, _)| *parent)
    }

    fn ancestors(&self, node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
        iter::successors(self.parent(node), |node| self.parent(*node))
    }

    /// The innermost definition around a node, if those around it are known. No node is passed twice:
    /// in deep lists of many references that would be square time.
    fn within(&mut self, node: Node<'t>) -> usize {
        let mut passed = Vec::new();
        let mut found = 0;
        for above in self.ancestors(node) {
            if let Some(known) = self.inside.get(&above.id()) {
                found = *known;
                break;
            }
            passed.push(above.id());
        }
        self.inside.extend(passed.into_iter().map(|id| (id, found)));
        found
    }

    /// A definition with its decorators and `export`.
    fn outer(&self, node: Node<'t>) -> Node<'t> {
        let is_outer =
            |node: &Node<'t>| matches!(node.kind(), "decorated_definition" | "export_statement");
        self.ancestors(node).take_while(is_outer).last().unwrap_or(node)
    }

    fn definition(&mut self, tag: &str, node: Node<'t>, name: Node<'t>) -> Option<Definition> {
        let (kind, word) = (self.kind(tag, node)?, self.text(name));
        let (containers, member_of) = self.containers(node);
        let length = word.len() + containers.iter().map(String::len).sum::<usize>();
        if word.is_empty() || word.contains(char::is_whitespace) || length > LONGEST_NAME {
            return None;
        }
        let outer = self.outer(node);
        Some(Definition {
            name: word.to_owned(),
            kind,
            containers,
            member_of,
            line: name.start_position().row + 1,
            within: self.within(outer),
            signature: self.signature(node),
            comment: self.comment(node, outer),
        })
    }

    /// The kind of a definition; `None` if it has no name of its own.
    fn kind(&self, tag: &str, node: Node<'t>) -> Option<&'static str> {
        let kind = node.kind();
        let is_member = || self.ancestors(node).find(|node| is_scope(*node)).is_some_and(is_type);
        Some(match tag {
            "definition.class" if kind.contains("class") => "class",
            "definition.class" if kind == "type_item" && is_member() => return None,
            "definition.class" | "definition.type" => "type",
            "definition.interface" => "interface",
            // Nobody else can name it.
            "definition.function" if is_value(node) => return None,
            "definition.function" | "definition.method" => {
                if kind.contains("method") || is_member() { "method" } else { "function" }
            }
            "definition.constant" => "const",
            "definition.macro" => "macro",
            "definition.module" if is_scope(node) => "package",
            _ => return None,
        })
    }

    /// The names of the definitions around a node, and the type among the innermost ones.
    fn containers(&self, node: Node<'t>) -> (Vec<String>, Option<String>) {
        // Of Go: `(c *Cart)`, `(c Cart[T])`.
        let receiver = self.field(node, "receiver").and_then(|text| text.split('[').next());
        let mut names = Vec::from_iter(receiver.and_then(|text| words(text).last()));
        let mut member_of = names.last().copied();
        for scope in self.ancestors(node).filter(|node| is_scope(*node)) {
            let is_innermost = names.is_empty();
            let is_impl = scope.kind() == "impl_item";
            let fields = if is_impl { &["trait", "type"][..] } else { &["name"] };
            let parts = fields.iter().filter_map(|field| self.field(scope, field)).map(last_name);
            names.extend(parts.filter(|name| !name.is_empty()));
            if is_innermost && is_type(scope) {
                member_of = names.last().copied();
            }
        }
        (names.iter().rev().map(|name| (*name).to_owned()).collect(), member_of.map(str::to_owned))
    }

    fn used_as(&self, tag: &str, node: Node<'t>, name: Node<'t>) -> Option<Use> {
        let parent = self.parent(name)?;
        let is_field = |field| parent.child_by_field_name(field).is_some_and(|child| child == name);
        // The tags have it as an implementation, too.
        let is_type_of_impl = parent.kind() == "impl_item" && is_field("type");
        let is_own = is_type_of_impl || (is_field("name") && !parent.kind().starts_with("scoped"));
        match tag {
            "reference.call" if node.kind() == "macro_invocation" => Some(Use::Macro),
            "reference.call" | "reference.class" => Some(Use::Call),
            "reference.implementation" if !is_type_of_impl => Some(Use::Implements),
            "reference.type" if !is_own => Some(Use::Type),
            _ => None,
        }
    }

    fn reference(&mut self, name: Node<'t>, used_as: Use) -> Reference {
        let within = self.within(name);
        let mut around = self.ancestors(name).take(2).filter(|_| used_as == Use::Implements);
        let item = around.find(|node| node.kind() == "impl_item");
        let of = item.and_then(|item| self.field(item, "type")).map(last_name);
        Reference {
            name: self.text(name).to_owned(),
            qualifier: self.qualifier(name),
            used_as,
            of: of.map(str::to_owned),
            within,
        }
    }

    fn import(&self, node: Node<'_>) -> Import {
        let text = self.text(node);
        let mut words_after = words(text).filter(|word| !matches!(*word, "pub" | "use" | "in"));
        let first = words_after.next().filter(|_| self.is_rust);
        let is_own = matches!(first, Some("crate" | "self" | "super")) || text.starts_with("from");
        let glob = text.matches('*').filter(|_| is_own);
        let words = words(text).chain(glob).map(str::to_owned).collect();
        Import { words, first: first.map(str::to_owned) }
    }

    /// What stands before a name and a sign such as `::`.
    fn qualifier(&self, name: Node<'t>) -> Qualifier {
        let sign = self.before(name);
        let Some((sign, before)) = sign.and_then(|sign| Some((sign, self.before(sign)?))) else {
            return Qualifier::None;
        };
        match (self.text(sign), self.text(before)) {
            ("::" | "." | "?.", "self" | "Self" | "this" | "cls" | "super()")
            | ("." | "?.", "super") => Qualifier::Own,
            ("::", path) => match last_name(path) {
                "self" | "super" | "crate" => Qualifier::None,
                last => Qualifier::Name(last.to_owned()),
            },
            // There a module and a variable look alike.
            ("." | "?.", text)
                if !self.is_rust
                    && matches!(before.kind(), "identifier" | "package_identifier") =>
            {
                Qualifier::Name(text.to_owned())
            }
            ("." | "?.", _) => Qualifier::Value,
            _ => Qualifier::None,
        }
    }

    fn signature(&self, node: Node<'_>) -> String {
        let end =
            node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
        let text = &self.source[node.start_byte()..end];
        let text = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '{' | ':'));
        let words = text.split(|c: char| c.is_whitespace() || c.is_control());
        let mut line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        if line.len() > 160 {
            let end = (0..=157).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
            line.replace_range(end.., "...");
        }
        line
    }

    fn comment(&self, node: Node<'t>, outer: Node<'t>) -> String {
        let is_comment = |node: &Node<'t>| node.kind().ends_with("comment");
        let before = iter::successors(self.before(outer), |node| self.before(*node));
        let before = before.take_while(|node| is_comment(node) || node.kind() == "attribute_item");
        let comments = before.filter(is_comment).take(40).map(|node| self.text(node));
        let mut lines: Vec<&str> = comments.collect();
        lines.reverse();
        let first = node.child_by_field_name("body").and_then(|body| body.named_child(0));
        let is_string = |node: &Node<'_>| node.named_child(0).unwrap_or(*node).kind() == "string";
        lines.extend(first.filter(is_string).map(|first| self.text(first)));
        lines.join(" ").chars().take(600).collect()
    }
}

/// Whether a node gives what is inside a name: `impl T`, a definition with a body, or a variable whose
/// value is one.
fn is_scope(node: Node<'_>) -> bool {
    let has_body = |node: Node<'_>| node.child_by_field_name("body").is_some();
    let is_named = node.child_by_field_name("name").is_some();
    let is_variable = || node.child_by_field_name("value").is_some_and(has_body);
    node.kind() == "impl_item" || (is_named && !is_value(node) && (has_body(node) || is_variable()))
}

/// Whether a node is JavaScript's `function name() {}` as a value.
fn is_value(node: Node<'_>) -> bool {
    matches!(node.kind(), "function_expression" | "generator_function")
}

/// Whether a scope is a type, whose functions are methods.
fn is_type(scope: Node<'_>) -> bool {
    ["impl", "trait", "class", "interface"].iter().any(|word| scope.kind().contains(word))
}
