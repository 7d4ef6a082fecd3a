//! The definitions and references of one file, by tags queries; nothing is resolved here.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use tree_sitter::{Node, Parser, QueryCursor, StreamingIterator, Tree};

use crate::lang::Language;

/// A definition.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    /// The definitions around it, outermost first. Of a method of `impl Trait for Type` the last two are type and trait.
    pub(crate) containers: Vec<String>,
    /// The type whose member it is.
    pub(crate) member_of: Option<String>,
    /// A kind of GCF, or `macro`.
    pub(crate) kind: &'static str,
    /// From 1.
    pub(crate) line: usize,
    /// Its bytes in the file.
    pub(crate) bytes: (usize, usize),
    /// The text before the body, on one line, at most 160 bytes.
    pub(crate) signature: String,
    /// The comments in front, and Python's docstring, at most 600 characters.
    pub(crate) comment: String,
}

/// What a name refers to by its syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Call,
    Macro,
    Implements,
    Type,
}

/// What stands before a name.
#[derive(Debug)]
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
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) qualifier: Qualifier,
    pub(crate) used_as: Use,
    /// The type of an `impl`, which implements the name; else what is around the name uses it.
    pub(crate) of: Option<String>,
    /// Its byte in the file.
    pub(crate) at: usize,
}

/// An import.
#[derive(Debug, Default)]
pub(crate) struct Import {
    /// All its words: names, and the parts of paths.
    pub(crate) words: HashSet<String>,
    /// Where it begins, in Rust: `crate`, `super`, a package or a module.
    pub(crate) first: Option<String>,
    /// All names of a module, of this package in Rust.
    pub(crate) is_glob: bool,
}

/// All of one file.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) definitions: Vec<Definition>,
    pub(crate) references: Vec<Reference>,
    pub(crate) imports: Vec<Import>,
    /// The imports that have a word.
    pub(crate) imports_of: HashMap<String, Vec<usize>>,
    /// One of them imports all names of a module.
    pub(crate) has_glob: bool,
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
    parser
        .set_language(&language.grammar)
        .expect("the grammar has a version that the library reads");
    let tree = parser.parse(source, None)?;
    let file = File { source, around: around(&tree)? };
    let names = language.query.capture_names();
    let mut facts = Facts {
        words: words(source).map(str::to_owned).collect(),
        has_errors: tree.root_node().has_error(),
        ..Facts::default()
    };
    let (mut defined, mut referred) = (HashSet::new(), HashMap::new());
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&language.query, tree.root_node(), source.as_bytes());
    while let Some(found) = matches.next() {
        let (mut name, mut tag) = (None, None);
        for capture in found.captures {
            match names[capture.index as usize] {
                "name" => name = Some(capture.node),
                "doc" | "arguments" | "function" => {}
                other => tag = Some((other, capture.node)),
            }
        }
        // A pattern of imports captures one node as both.
        let Some(((tag, node), name)) = tag.zip(name) else { continue };
        if tag == "import" {
            let import = import(file.text(name));
            for word in &import.words {
                facts.imports_of.entry(word.clone()).or_default().push(facts.imports.len());
            }
            facts.has_glob |= import.is_glob;
            facts.imports.push(import);
        } else if tag.starts_with("definition.") {
            if let Some(definition) = file.definition(node, name)
                && defined.insert(name.start_byte())
            {
                facts.definitions.push(definition);
            }
        } else if let Some(used_as) = file.used_as(tag, node, name) {
            match referred.entry(name.start_byte()) {
                Entry::Vacant(entry) => {
                    entry.insert(facts.references.len());
                    facts.references.push(file.reference(name, used_as));
                }
                // Two patterns have it, and this says more.
                Entry::Occupied(entry) if used_as == Use::Implements => {
                    facts.references[*entry.get()].used_as = used_as;
                }
                Entry::Occupied(_) => {}
            }
        }
    }
    Some(facts)
}

/// The parent and the sibling before it of each node, by id. The library finds these from the root, and
/// each again.
type Around<'t> = HashMap<usize, (Node<'t>, Option<Node<'t>>)>;

fn around(tree: &Tree) -> Option<Around<'_>> {
    let mut around = HashMap::new();
    let mut cursor = tree.walk();
    let mut parents: Vec<Node<'_>> = Vec::new();
    loop {
        let node = cursor.node();
        if parents.len() > DEEPEST || (node.is_error() && node.child_count() > WIDEST_ERROR) {
            return None;
        }
        if cursor.goto_first_child() {
            around.insert(cursor.node().id(), (node, None));
            parents.push(node);
            continue;
        }
        loop {
            let before = cursor.node();
            if cursor.goto_next_sibling() {
                let parent = parents.last().expect("a sibling has a parent");
                around.insert(cursor.node().id(), (*parent, Some(before)));
                break;
            }
            if !cursor.goto_parent() {
                return Some(around);
            }
            parents.pop();
        }
    }
}

fn import(text: &str) -> Import {
    let is_rust = text.starts_with("use") || text.starts_with("pub");
    let first = words(text).find(|word| !matches!(*word, "pub" | "use" | "in"));
    let first = first.filter(|_| is_rust);
    let is_glob = text.contains('*')
        && (matches!(first, Some("crate" | "self" | "super")) || text.starts_with("from"));
    let words = words(text).map(str::to_owned).collect();
    Import { words, first: first.map(str::to_owned), is_glob }
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
    around: Around<'t>,
}

impl<'s, 't> File<'s, 't> {
    fn text(&self, node: Node<'_>) -> &'s str {
        &self.source[node.byte_range()]
    }

    fn before(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.around.get(&node.id()).and_then(|(_, before)| *before)
    }

    fn parent(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.around.get(&node.id()).map(|(parent, _)| *parent)
    }

    /// The kind of what a node defines; `None` if it defines nothing that has a name of its own.
    fn kind(&self, node: Node<'t>) -> Option<&'static str> {
        let function = |owners: &[&str]| {
            let owner = self.owner(node).map_or("", |owner| owner.kind());
            if owners.contains(&owner) { "method" } else { "function" }
        };
        Some(match node.kind() {
            "function_item" | "function_signature_item" => function(&["impl_item", "trait_item"]),
            "function_definition" => function(&["class_definition"]),
            "type_item" if function(&["impl_item", "trait_item"]) == "method" => return None,
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                "function"
            }
            "function_expression"
            | "arrow_function"
            | "lexical_declaration"
            | "variable_declarator"
            | "assignment_expression"
            | "pair" => {
                let value =
                    ["value", "right"].iter().find_map(|field| node.child_by_field_name(field));
                let is_function = node.kind() == "lexical_declaration"
                    || value.is_some_and(|value| value.kind().contains("function"));
                return is_function.then_some("function");
            }
            "method_definition"
            | "method_signature"
            | "abstract_method_signature"
            | "method_declaration"
            | "method_elem" => "method",
            "struct_item"
            | "enum_item"
            | "union_item"
            | "type_item"
            | "type_alias_declaration"
            | "enum_declaration"
            | "type_spec"
            | "type_alias"
            | "type_declaration" => "type",
            "trait_item" | "interface_declaration" => "interface",
            "class_definition" | "class_declaration" | "abstract_class_declaration" | "class" => {
                "class"
            }
            "const_item" | "static_item" | "assignment" | "const_spec" | "var_spec" => "const",
            "mod_item" if node.child_by_field_name("body").is_some() => "package",
            "module" | "internal_module" => "package",
            "macro_definition" => "macro",
            _ => return None,
        })
    }

    /// The node around, but for blocks, lists, decorators and `export`.
    fn owner(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut owner = self.parent(node)?;
        while matches!(
            owner.kind(),
            "declaration_list"
                | "block"
                | "class_body"
                | "decorated_definition"
                | "export_statement"
        ) {
            owner = self.parent(owner)?;
        }
        Some(owner)
    }

    /// A definition with its decorators and `export`.
    fn outer(&self, node: Node<'t>) -> Node<'t> {
        let mut outer = node;
        while let Some(parent) = self.parent(outer)
            && matches!(parent.kind(), "decorated_definition" | "export_statement")
        {
            outer = parent;
        }
        outer
    }

    fn used_as(&self, tag: &str, node: Node<'t>, name: Node<'t>) -> Option<Use> {
        let parent = self.parent(name)?;
        let is_field = |field| parent.child_by_field_name(field).is_some_and(|child| child == name);
        let used_as = match tag {
            "reference.call" if node.kind() == "macro_invocation" => Use::Macro,
            "reference.call" | "reference.class" | "reference.send" => Use::Call,
            // The tags have the type of an `impl` without a trait here, too.
            "reference.implementation" if parent.kind() == "impl_item" && !is_field("trait") => {
                return None;
            }
            "reference.implementation" => Use::Implements,
            _ => Use::Type,
        };
        // Names of definitions and of type parameters, and the type of an `impl`.
        let is_own = (is_field("name") && !parent.kind().starts_with("scoped"))
            || parent.kind().starts_with("type_parameter")
            || (parent.kind() == "impl_item" && is_field("type"));
        (used_as != Use::Type || !is_own).then_some(used_as)
    }

    fn field(&self, node: Node<'_>, field: &str) -> Option<&'s str> {
        node.child_by_field_name(field).map(|child| self.text(child))
    }

    fn definition(&self, node: Node<'t>, name: Node<'t>) -> Option<Definition> {
        let word = self.text(name);
        if word.is_empty() || word.contains(char::is_whitespace) {
            return None;
        }
        let outer = self.outer(node);
        let (containers, member_of) = self.containers(node);
        if word.len() + containers.iter().map(String::len).sum::<usize>() > LONGEST_NAME {
            return None;
        }
        Some(Definition {
            name: word.to_owned(),
            containers,
            member_of,
            kind: self.kind(node)?,
            line: name.start_position().row + 1,
            bytes: (outer.start_byte(), outer.end_byte()),
            signature: self.signature(node),
            comment: self.comment(node, outer),
        })
    }

    fn reference(&self, name: Node<'t>, used_as: Use) -> Reference {
        let of = self.parent(name).filter(|parent| parent.kind() == "impl_item");
        let of = of.or_else(|| {
            self.parent(self.parent(name)?).filter(|parent| parent.kind() == "impl_item")
        });
        let of = of.filter(|_| used_as == Use::Implements);
        Reference {
            name: self.text(name).to_owned(),
            qualifier: self.qualifier(name),
            used_as,
            of: of.and_then(|item| self.field(item, "type")).map(|name| last_name(name).to_owned()),
            at: name.start_byte(),
        }
    }

    /// The names of the definitions around a node, and the type among the innermost ones.
    fn containers(&self, node: Node<'t>) -> (Vec<String>, Option<String>) {
        let mut names: Vec<&str> = Vec::new();
        let mut member_of = None;
        if let Some(receiver) = self.field(node, "receiver") {
            // Of Go: `(c *Cart)`, `(c Cart[T])`.
            names.extend(words(receiver.split('[').next().unwrap_or(receiver)).last());
            member_of = names.last().copied();
        }
        let mut around = self.parent(node);
        while let Some(parent) = around {
            let is_innermost = names.is_empty();
            if parent.kind() == "impl_item" {
                names.extend(self.field(parent, "trait").map(last_name));
                names.extend(self.field(parent, "type").map(last_name));
            } else if self.kind(parent).is_some() {
                names.extend(self.field(parent, "name").map(last_name));
            }
            if is_innermost && matches!(self.kind(parent), Some("type" | "class" | "interface"))
                || parent.kind() == "impl_item"
            {
                member_of = member_of.or(names.last().copied());
            }
            around = self.parent(parent);
        }
        names.retain(|name| !name.is_empty());
        (names.iter().rev().map(|name| (*name).to_owned()).collect(), member_of.map(str::to_owned))
    }

    fn signature(&self, node: Node<'_>) -> String {
        let end =
            node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
        let text = self.source[node.start_byte()..end].trim_end_matches(['{', ' ', '\n', ':']);
        let words = text.split(|c: char| c.is_whitespace() || c.is_control());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let mut line = words.join(" ");
        if line.len() > 160 {
            line.truncate((0..=157).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0));
            line.push_str("...");
        }
        line
    }

    fn comment(&self, node: Node<'t>, outer: Node<'t>) -> String {
        let mut lines = Vec::new();
        let mut before = self.before(outer);
        while let Some(sibling) = before {
            match sibling.kind() {
                "line_comment" | "comment" | "block_comment" => lines.push(self.text(sibling)),
                "attribute_item" => {}
                _ => break,
            }
            before = self.before(sibling).filter(|_| lines.len() < 40);
        }
        lines.reverse();
        if let Some(first) = node.child_by_field_name("body").and_then(|body| body.named_child(0))
            && first.named_child(0).unwrap_or(first).kind() == "string"
        {
            lines.push(self.text(first));
        }
        lines.join(" ").chars().take(600).collect()
    }

    fn qualifier(&self, name: Node<'t>) -> Qualifier {
        let Some(parent) = self.parent(name) else { return Qualifier::None };
        let (is_path, before) = match parent.kind() {
            // In the arguments of a macro: two tokens before.
            "token_tree" => {
                let sign = self.before(name);
                let is_path = match sign.map(|sign| self.text(sign)) {
                    Some("::") => true,
                    Some(".") => false,
                    _ => return Qualifier::None,
                };
                (is_path, sign.and_then(|sign| self.before(sign)))
            }
            "scoped_identifier" | "scoped_type_identifier" => {
                (true, parent.child_by_field_name("path"))
            }
            "field_expression" => (false, parent.child_by_field_name("value")),
            "attribute" | "member_expression" => (true, parent.child_by_field_name("object")),
            "selector_expression" => (true, parent.child_by_field_name("operand")),
            "qualified_type" => (true, parent.child_by_field_name("package")),
            _ => return Qualifier::None,
        };
        let Some(before) = before.filter(|before| *before != name) else { return Qualifier::None };
        let text = self.text(before);
        match text {
            "self" | "Self" | "this" | "cls" | "super" | "super()"
                if text != "super" || !is_rust(parent) =>
            {
                Qualifier::Own
            }
            _ if !is_path => Qualifier::Value,
            _ if is_rust(parent) => match last_name(text) {
                "self" | "super" | "crate" => Qualifier::None,
                last => Qualifier::Name(last.to_owned()),
            },
            _ if matches!(before.kind(), "identifier" | "package_identifier") => {
                Qualifier::Name(text.to_owned())
            }
            _ => Qualifier::Value,
        }
    }
}

fn is_rust(parent: Node<'_>) -> bool {
    parent.kind().starts_with("scoped") || parent.kind() == "token_tree"
}
