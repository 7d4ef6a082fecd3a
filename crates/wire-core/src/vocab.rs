//! The vocabularies of the payload: kinds, provenances, edge types and statuses.
//!
//! Each vocabulary is one table, and nothing else in the workspace repeats a row of it. A row has
//! the variant, its GCB1 id, its full name (for JSON and for people) and, for kinds, the
//! abbreviation that GCF writes.
//!
//! Every vocabulary is open (ruling A1): a name that is not in the table is kept verbatim as
//! [`Kind::Other`] and its siblings. `Other` contains an [`Unlisted`], which only the `From`
//! conversions of this module make, so it never contains a name of the table.

mod block;
mod words;

use std::borrow::Cow;
use std::fmt;

use self::block::Blocks;
pub use self::block::NameBlock;
use self::words::Words;

/// A name that is not in the vocabulary's table.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unlisted<'a>(Cow<'a, str>);

impl Unlisted<'_> {
    /// The name, verbatim.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn into_owned(self) -> Unlisted<'static> {
        Unlisted(Cow::Owned(self.0.into_owned()))
    }
}

impl fmt::Debug for Unlisted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// An id that no row has.
const NO_ID: u8 = u8::MAX;

/// Defines one vocabulary from its table.
macro_rules! vocabulary {
    (
        $(#[$meta:meta])*
        $name:ident {
            $( $(#[$row_meta:meta])* $variant:ident = $id:literal, $word:literal $(| $alias:literal)* ; )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $name<'a> {
            $( $(#[$row_meta])* $variant, )+
            /// A name outside the table, kept verbatim (ruling A1).
            Other(Unlisted<'a>),
        }

        impl<'a> $name<'a> {
            /// Every listed value, in the order of the GCB1 ids.
            pub const ALL: &'static [$name<'static>] = &[$( $name::$variant, )+];

            const WORDS: &'static Words =
                &Words::new(&[$( ($word, $id), $( ($alias, $id), )* )+]);

            /// The row with this name; `None` when the table has no such row.
            #[inline]
            fn listed(word: &str) -> Option<$name<'static>> {
                Self::WORDS.id(word).and_then($name::from_gcb_id)
            }

            /// The full name, for JSON and for people.
            #[inline(never)] // as `id`
            pub fn as_str(&self) -> &str {
                match self {
                    $( $name::$variant => $word, )+
                    $name::Other(word) => word.as_str(),
                }
            }

            /// The one-byte id of GCB1 (ruling B1); `None` for a name outside the table.
            #[inline]
            pub fn gcb_id(&self) -> Option<u8> {
                let id = self.id();
                (id != NO_ID).then_some(id)
            }

            // When not inlined, the match is compiled to a table. Inlined at its uses, it becomes
            // one jump for each arm; these are mispredicted, and need more time than everything
            // else about an edge.
            #[inline(never)]
            fn id(&self) -> u8 {
                match self {
                    $( $name::$variant => $id, )+
                    $name::Other(_) => NO_ID,
                }
            }

            /// The value with this GCB1 id; `None` when no row has it.
            #[inline]
            pub fn from_gcb_id(id: u8) -> Option<$name<'static>> {
                match id {
                    $( $id => Some($name::$variant), )+
                    _ => None,
                }
            }

            /// The row whose name is the lowest bytes of `key`, the first byte lowest, followed by
            /// zeros: for decoders that read names of 1 to 16 bytes into numbers. `None` for names
            /// outside the table and for the few longer ones.
            #[inline(always)] // the decoder of GCF asks it up to three times a line
            #[allow(clippy::inline_always)]
            pub fn from_key(key: u128) -> Option<$name<'static>> {
                Self::WORDS.id_of_key(key).and_then($name::from_gcb_id)
            }

            /// The name as a block, for encoders; `None` for a name outside the table.
            #[inline]
            pub fn block(&self) -> Option<&'static NameBlock> {
                static BLOCKS: Blocks = Blocks::new(&[$( ($word, $id), )+]);
                BLOCKS.get(self.id())
            }

            /// The same value without borrowed text.
            pub fn into_owned(self) -> $name<'static> {
                match self {
                    $( $name::$variant => $name::$variant, )+
                    $name::Other(word) => $name::Other(word.into_owned()),
                }
            }
        }

        impl<'a> From<&'a str> for $name<'a> {
            #[inline]
            fn from(word: &'a str) -> Self {
                match $name::listed(word) {
                    Some(listed) => listed,
                    None => $name::Other(Unlisted(Cow::Borrowed(word))),
                }
            }
        }

        impl From<String> for $name<'_> {
            fn from(word: String) -> Self {
                match $name::listed(&word) {
                    Some(listed) => listed,
                    None => $name::Other(Unlisted(Cow::Owned(word))),
                }
            }
        }

        impl<'a> From<Cow<'a, str>> for $name<'a> {
            fn from(word: Cow<'a, str>) -> Self {
                match word {
                    Cow::Borrowed(word) => $name::from(word),
                    Cow::Owned(word) => $name::from(word),
                }
            }
        }

        impl fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

/// The kinds: one row is the variant, its GCB1 id, its full name and its GCF abbreviation.
macro_rules! kinds {
    ($( $variant:ident = $id:literal, $word:literal, $abbreviation:literal; )+) => {
        vocabulary! {
            /// The kind of a symbol (the documented tables of kinds; the last two rows are ruling
            /// B1).
            ///
            /// ```
            /// use wire_core::Kind;
            ///
            /// assert_eq!(Kind::from("function"), Kind::Function);
            /// assert_eq!(Kind::Function.abbreviation(), "fn");
            /// assert_eq!(Kind::from("widget").as_str(), "widget");
            /// ```
            Kind { $( #[doc = concat!("`", $word, "`, in GCF `", $abbreviation, "`")] $variant = $id, $word; )+ }
        }

        impl<'a> Kind<'a> {
            /// The name that GCF writes: the abbreviation of the table, or the name itself.
            #[inline(never)] // as `id`
            pub fn abbreviation(&self) -> &str {
                match self {
                    $( Kind::$variant => $abbreviation, )+
                    Kind::Other(word) => word.as_str(),
                }
            }

            /// The kind that a GCF line names: by its abbreviation, else by its full name, else
            /// verbatim.
            #[inline]
            pub fn from_abbreviation(word: &'a str) -> Kind<'a> {
                match Self::ABBREVIATIONS.id(word).and_then(Kind::from_gcb_id) {
                    Some(kind) => kind,
                    None => Kind::from(word),
                }
            }

            const ABBREVIATIONS: &'static Words = &Words::new(&[$( ($abbreviation, $id), )+]);

            /// The abbreviation as a block; `None` for a name outside the table.
            #[inline]
            pub fn abbreviation_block(&self) -> Option<&'static NameBlock> {
                static BLOCKS: Blocks = Blocks::new(&[$( ($abbreviation, $id), )+]);
                BLOCKS.get(self.id())
            }

            /// The kind whose abbreviation of 1 to 16 bytes is the lowest bytes of `key`: see
            /// [`Kind::from_key`].
            #[inline]
            pub fn from_abbreviation_key(key: u128) -> Option<Kind<'static>> {
                Self::ABBREVIATIONS.id_of_key(key).and_then(Kind::from_gcb_id)
            }

            /// Returns `true` if the name is outside the table but equal to an abbreviation of it
            /// (`fn`). GCF text could not distinguish it from the listed kind (ruling A1).
            #[inline]
            pub fn is_shadowed_by_abbreviation(&self) -> bool {
                match self {
                    Kind::Other(word) => matches!(word.as_str(), $( $abbreviation )|+),
                    _ => false,
                }
            }
        }
    };
}

kinds! {
    Function = 1, "function", "fn";
    Type = 2, "type", "type";
    Method = 3, "method", "method";
    Interface = 4, "interface", "iface";
    Var = 5, "var", "var";
    Const = 6, "const", "const";
    Resource = 7, "resource", "resource";
    Table = 8, "table", "table";
    Class = 9, "class", "class";
    Selector = 10, "selector", "selector";
    Field = 11, "field", "field";
    RouteHandler = 12, "route_handler", "route";
    External = 13, "external", "ext";
    File = 14, "file", "file";
    Package = 15, "package", "pkg";
    Service = 16, "service", "svc";
    EnvVar = 17, "env_var", "env_var";
    Process = 18, "process", "process";
}

vocabulary! {
    /// The way in which the producer learned of a symbol and its edges (the documented table of 7).
    Provenance {
        /// `ast_inferred`: guessed from the syntax tree.
        AstInferred = 1, "ast_inferred";
        /// `ast_resolved`: resolved within the syntax tree.
        AstResolved = 2, "ast_resolved";
        /// `lsp_resolved`: resolved by a language server.
        LspResolved = 3, "lsp_resolved";
        /// `otel_trace`: seen in an OpenTelemetry trace.
        OtelTrace = 4, "otel_trace";
        /// `scip_resolved`: resolved by a SCIP index.
        ScipResolved = 5, "scip_resolved";
        /// `runtime_observed`: seen at run time.
        RuntimeObserved = 6, "runtime_observed";
        /// `structural`: follows from the layout of the code base.
        Structural = 7, "structural";
    }
}

vocabulary! {
    /// The relation that an edge states: `source` *edge type* `target` (the documented table of
    /// 38).
    EdgeType {
        /// `calls`
        Calls = 1, "calls";
        /// `imports`
        Imports = 2, "imports";
        /// `implements`
        Implements = 3, "implements";
        /// `references`
        References = 4, "references";
        /// `handles_route`
        HandlesRoute = 5, "handles_route";
        /// `depends_on`
        DependsOn = 6, "depends_on";
        /// `deploys`
        Deploys = 7, "deploys";
        /// `exposes`
        Exposes = 8, "exposes";
        /// `configures`
        Configures = 9, "configures";
        /// `extends`
        Extends = 10, "extends";
        /// `overrides`
        Overrides = 11, "overrides";
        /// `decorates`
        Decorates = 12, "decorates";
        /// `throws`
        Throws = 13, "throws";
        /// `owned_by`
        OwnedBy = 14, "owned_by";
        /// `authored_by`
        AuthoredBy = 15, "authored_by";
        /// `tests`
        Tests = 16, "tests";
        /// `runtime_calls`
        RuntimeCalls = 17, "runtime_calls";
        /// `runtime_rpc`
        RuntimeRpc = 18, "runtime_rpc";
        /// `runtime_produces`
        RuntimeProduces = 19, "runtime_produces";
        /// `runtime_consumes`
        RuntimeConsumes = 20, "runtime_consumes";
        /// `contains`
        Contains = 21, "contains";
        /// `member_of`
        MemberOf = 22, "member_of";
        /// `documents`
        Documents = 23, "documents";
        /// `consumes_endpoint`
        ConsumesEndpoint = 24, "consumes_endpoint";
        /// `implements_rpc`
        ImplementsRpc = 25, "implements_rpc";
        /// `consumes_rpc`
        ConsumesRpc = 26, "consumes_rpc";
        /// `gated_by_flag`
        GatedByFlag = 27, "gated_by_flag";
        /// `deployed_by`
        DeployedBy = 28, "deployed_by";
        /// `tested_by`
        TestedBy = 29, "tested_by";
        /// `publishes`
        Publishes = 30, "publishes";
        /// `subscribes`
        Subscribes = 31, "subscribes";
        /// `connects_to`
        ConnectsTo = 32, "connects_to";
        /// `similar_to`
        SimilarTo = 33, "similar_to";
        /// `co_tested_with`
        CoTestedWith = 34, "co_tested_with";
        /// `type_hint_of`
        TypeHintOf = 35, "type_hint_of";
        /// `accesses_field`
        AccessesField = 36, "accesses_field";
        /// `reads_env`
        ReadsEnv = 37, "reads_env";
        /// `executes_process`
        ExecutesProcess = 38, "executes_process";
    }
}

vocabulary! {
    /// The change of an edge between two versions of a graph (the documented table of statuses).
    ///
    /// The empty name means `unchanged` (ruling A1); text formats write neither.
    #[derive(Default)]
    EdgeStatus {
        /// `unchanged`, or no status at all.
        #[default]
        Unchanged = 0, "unchanged" | "";
        /// `added`
        Added = 1, "added";
        /// `removed`
        Removed = 2, "removed";
    }
}

impl EdgeStatus<'_> {
    /// Returns `true` if the status is [`EdgeStatus::Unchanged`], which text formats leave out.
    #[inline]
    pub fn is_unchanged(&self) -> bool {
        matches!(self, EdgeStatus::Unchanged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_sizes_of_the_format() {
        assert_eq!(Kind::ALL.len(), 18);
        assert_eq!(Provenance::ALL.len(), 7);
        assert_eq!(EdgeType::ALL.len(), 38);
        assert_eq!(EdgeStatus::ALL.len(), 3);
    }

    #[test]
    fn words_and_ids_name_one_row_each() {
        macro_rules! check {
            ($name:ident) => {
                for value in $name::ALL {
                    assert_eq!(&$name::from(value.as_str()), value);
                    assert_eq!(&$name::from(value.as_str().to_owned()), value);
                    let id = value.gcb_id().unwrap();
                    assert_eq!($name::from_gcb_id(id).as_ref(), Some(value));
                    let block = value.block().unwrap();
                    assert_eq!(&block.bytes()[..block.length()], value.as_str().as_bytes());
                }
                assert_eq!($name::from_gcb_id(200), None);
                assert_eq!($name::from("no_such_word").gcb_id(), None);
                assert_eq!($name::from("no_such_word").block(), None);
            };
        }
        check!(Kind);
        check!(Provenance);
        check!(EdgeType);
        check!(EdgeStatus);
    }

    #[test]
    fn abbreviations_read_back() {
        for kind in Kind::ALL {
            assert_eq!(&Kind::from_abbreviation(kind.abbreviation()), kind);
            assert_eq!(&Kind::from_abbreviation(kind.as_str()), kind);
            let block = kind.abbreviation_block().unwrap();
            assert_eq!(&block.bytes()[..block.length()], kind.abbreviation().as_bytes());
        }
        assert!(Kind::from("fn").is_shadowed_by_abbreviation());
        assert!(!Kind::from("widget").is_shadowed_by_abbreviation());
        assert!(!Kind::Function.is_shadowed_by_abbreviation());
    }

    #[test]
    fn other_never_holds_a_listed_word() {
        assert_eq!(EdgeStatus::from(""), EdgeStatus::Unchanged);
        assert_eq!(EdgeStatus::from(String::from("unchanged")), EdgeStatus::Unchanged);
        assert_eq!(Kind::from(Cow::Owned("method".to_owned())), Kind::Method);
    }
}
