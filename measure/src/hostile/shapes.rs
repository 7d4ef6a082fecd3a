//! Inputs that are made to hurt. Each is about as long as it is asked to be, and looks the same at
//! every length.

#![allow(clippy::format_collect)] // shapes are short

/// What reads an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Gcf,
    Session,
    Delta,
    Generic,
    Keyed,
    Gcb,
    GcxRows,
    GcxHeaders,
    Goon,
    Json,
    Xml,
}

/// A kind of input.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) format: Format,
    /// An input of about so many bytes.
    pub(crate) make: fn(usize) -> Vec<u8>,
}

/// A head, and a unit behind it as often as there is room.
fn repeat(head: &str, unit: &str, bytes: usize) -> Vec<u8> {
    format!("{head}{}", unit.repeat(bytes.saturating_sub(head.len()) / unit.len())).into_bytes()
}

/// A head, and behind it lines that a number makes.
fn numbered(head: &str, bytes: usize, line: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = head.to_owned();
    let mut number = 0;
    while text.len() < bytes {
        text += &line(number);
        number += 1;
    }
    text.into_bytes()
}

/// So many names, as short as distinct ones can be.
fn short_names(count: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
    let name = |mut number: usize| {
        let mut name = String::new();
        loop {
            name.push(LETTERS[number % LETTERS.len()].into());
            number /= LETTERS.len();
            if number == 0 {
                return name;
            }
        }
    };
    (0..count).map(name).collect::<Vec<_>>().join(",")
}

/// What `make` makes with the largest count for which it has about so many bytes.
fn counted(bytes: usize, unit: usize, make: impl Fn(usize) -> String) -> Vec<u8> {
    make((bytes / unit).max(1)).into_bytes()
}

/// The same of as many lines that a number makes.
fn each(
    bytes: usize,
    unit: usize,
    line: impl Fn(usize) -> String,
    make: impl Fn(usize, String) -> String,
) -> Vec<u8> {
    counted(bytes, unit, |count| make(count, (0..count).map(&line).collect()))
}

/// The varints of GCB1.
fn varint(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

fn gcb(symbols: usize, edges: usize, body: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = b"GCB1\x01\x01t\0\0".to_vec();
    varint(&mut bytes, symbols);
    varint(&mut bytes, edges);
    body(&mut bytes);
    bytes
}

const SYMBOL: [u8; 25] = {
    let mut symbol = [0; 25];
    (symbol[1], symbol[6]) = (1, 1);
    symbol
};

const GOON: &str = "@header\nquery_type:search\ngoon_version:1.0.0\n";
const AGGREGATION: &str = "@header\nquery_type:aggregation\ngoon_version:1.0.0\n";
const XML: &str = "<context tool=\"t\" tokens_used=\"0\" token_budget=\"0\"><target_symbols>";
const XML_SYMBOL: &str =
    r#"<symbol name="a" kind="b" score="0" confidence="0" provenance="c" distance="0"/>"#;
const SET: &str = "GCF profile=generic pack_root=sha256:0 key=id\n";
const SET_DELTA: &str =
    "GCF profile=generic delta=true base_root=sha256:0 new_root=sha256:1 key=id\n";
const GENERIC: &str = "GCF profile=generic\n";

macro_rules! shapes {
    ($($format:ident: $($name:literal $make:expr;)*)*) => {
        /// Every shape.
        pub(crate) const SHAPES: &[Shape] = &[$($(
            Shape { name: $name, format: Format::$format, make: $make },
        )*)*];
    };
}

shapes! {
    Gcf:
        "smallest symbols" |n| numbered("GCF tool=t\n", n, |id| format!("@{id} a b 0 c\n"));
        "fewer symbols declared than there are" |n| numbered("GCF tool=t symbols=1\n", n, |id| format!("@{id} a b 0 c\n"));
        "more symbols declared than there can be" |n| repeat("GCF tool=t symbols=4294967295\n@0 a b 0 c\n## edges\n", "@0<@0 a\n", n);
        "symbols and edges in turns" |n| numbered("GCF tool=t\n", n, |id| format!("## targets\n@{id} a b 0 c\n## edges\n@{id}<@0 a\n"));
        "lines that are none, and symbols" |n| numbered(&format!("GCF tool=t\n{}", "x\n".repeat(n / 5)), n, |id| format!("@{id} a b 0 c\n"));
        "symbols, and lines that are none" |n| {
            let mut text = numbered("GCF tool=t\n", n / 2, |id| format!("@{id} a b 0 c\n"));
            text.extend("x\n".repeat(n / 4).bytes());
            text
        };
        "blank lines behind one that is none" |n| repeat("GCF tool=t\nx\n", "\n", n);
        "blank lines, and counts that are too large" |n| repeat("GCF tool=t symbols=4294967295\n## edges [4294967295]\n@0<@1 a\nx\n## targets\n@0 a b 0 c\n", "\n", n);
        "symbols between groups of edges" |n| numbered("GCF tool=t\n", n, |id| {
            let group = if id % 200 == 199 { "## edges\n## targets\n" } else { "" };
            format!("@{id} a b 0 c\n{group}")
        });
        "symbols, some with arrows, and an edge before them" |n| numbered("GCF tool=t symbols=4294967295\n@0 a b 0 c\n## edges\n@0<@0 c\n## targets\n", n, |id| format!("@{} a < 0 c\n", id + 1));
        "symbols and edges without groups" |n| numbered("GCF tool=t\n## distance_4294967295\n", n, |id| format!("@{id} a b 0 c\n@0<@0 c\n"));
        "edges that are none and a count that is too large" |n| repeat("GCF tool=t symbols=4294967295\n## edges [4294967295]\n", "@0<@1 a\n", n);
        "groups with wrong counts" |n| repeat("GCF tool=t symbols=4294967295\n", "## edges [9]\n", n);
        "fields of a header that are none" |n| repeat("GCF tool=t", " x", n);
        "empty fields of a header" |n| numbered("GCF tool=t", n, |id| {
            let digit = |place: u32| char::from(b'!' + u8::try_from(id / 28_usize.pow(place) % 28).unwrap_or_default());
            format!(" {}{}{}=", digit(2), digit(1), digit(0))
        });
        "empty comments and a line that is none" |n| repeat("GCF tool=t\nx\n", "# \n", n);
        "edges to one symbol" |n| repeat("GCF tool=t symbols=1\n@0 a b 0 c\n## edges\n", "@0<@0 a\n", n);
        "edges between groups of edges" |n| numbered("GCF tool=t symbols=1\n@0 a b 0 c\n", n, |id| {
            let group = if id % 200 == 0 { "## edges\n" } else { "" };
            format!("{group}@0<@0 a\n")
        });
        "edges with a status" |n| repeat("GCF tool=t symbols=1\n@0 a b 0 c\n## edges\n", "@0<@0 a b\n", n);
        "arrows among edges" |n| repeat("GCF tool=t\n@0 a b 0 c\n## edges\n@0<@0 c\n", "<\n", n);
        "edges to symbols that are not there" |n| repeat("GCF tool=t\n## edges\n", "@0<@1 a\n", n);
        "symbols twice" |n| repeat("GCF tool=t\n", "@0 a b 0 c\n", n);
        "ids far apart" |n| numbered("GCF tool=t\n", n, |id| format!("@{} a b 0 c\n", (id * 2_654_435_769) % 4_294_967_296));
        "ids from the last to the first" |n| numbered("GCF tool=t\n", n, |id| format!("@{} a b 0 c\n", 4_294_967_295 - id));
        "tiny sections" |n| numbered("GCF tool=t\n", n, |id| format!("## distance_{id}\n"));
        "unknown sections" |n| repeat("GCF tool=t\n", "## x\n", n);
        "one giant line" |n| repeat("GCF tool=t\n@0 fn ", "a", n);
        "a giant name" |n| counted(n, 1, |n| format!("GCF tool=t\n@0 fn {} 0.5 x\n", "a".repeat(n)));
        "a giant header" |n| numbered("GCF tool=t", n, |id| format!(" k{id}=v"));
        "a header of one key" |n| repeat("GCF tool=t", " k=v", n);
        "spaces" |n| repeat("GCF tool=t\n@0 fn", " ", n);
        "comments" |n| repeat("GCF tool=t\n", "# c\n", n);
        "one long comment" |n| repeat("GCF tool=t\n# ", "c", n);
        "blank lines" |n| repeat("GCF tool=t\n", "\n", n);
        "blank lines of DOS" |n| repeat("GCF tool=t\n", "\r\n", n);
        "carriage returns" |n| repeat("GCF tool=t\n", "\r", n);
        "at signs" |n| repeat("GCF tool=t\n", "@", n);
        "arrows" |n| repeat("GCF tool=t\n## edges\n", "<@", n);
        "digits" |n| repeat("GCF tool=t\n@0 fn a 0.", "9", n);
        "lines that are none" |n| repeat("GCF tool=t\n", "x\n", n);
        "headers" |n| repeat("", "GCF tool=t\n", n);
        "fences" |n| repeat("GCF tool=t\n", "```\n", n);
        "bullets" |n| repeat("GCF tool=t\n", "- @0 fn a 0.5", n);
        "entities" |n| repeat("GCF tool=t\n", "&lt;&amp;", n);
        "escaped line endings" |n| repeat("GCF tool=t", "\\n@1 fn a 0.5 x", n);
        "numbers of a list" |n| repeat("GCF tool=t\n", "1. ", n);
        "quotes of mail" |n| repeat("GCF tool=t\n", "> ", n);
        "symbols without an id" |n| repeat("GCF tool=t\n", "fn a 0.5 x\n", n);
        "summaries" |n| repeat("GCF tool=t\n", "## _summary symbols=1 edges=0\n", n);
    Session:
        "symbols of a session with arrows" |n| numbered("GCF tool=t session=true symbols=4294967295\n@0 a b 0 c\n## edges\n@0<@0 c\n## targets\n", n, |id| format!("@{} a < 0 c\n", id + 1));
        "ids of a session that are far apart" |n| numbered("GCF tool=t session=true\n", n, |id| format!("@{} a b 0 c\n", (id * 2_654_435_769) % 4_294_967_296));
        "symbols of a session" |n| numbered("GCF tool=t session=true\n", n, |id| format!("@{id} a b 0 c\n"));
        "references to what nobody knows" |n| numbered("GCF tool=t session=true\n", n, |id| format!("@{id}\n"));
        "edges of a session" |n| repeat("GCF tool=t session=true\n@0 a b 0 c\n## edges\n", "@0<@0 a\n", n);
    Delta:
        "smallest removed symbols" |n| repeat("GCF tool=t delta=true base_root=a new_root=b\n## removed\n", "f a\n", n);
        "smallest added symbols" |n| numbered("GCF tool=t delta=true base_root=a new_root=b\n## added\n", n, |id| format!("@{id} f a 0 b\n"));
        "smallest removed edges" |n| repeat("GCF tool=t delta=true base_root=a new_root=b\n## edges_removed\n", "a -> b c\n", n);
        "smallest added edges" |n| repeat("GCF tool=t delta=true base_root=a new_root=b\n## edges_added\n", "a -> b c\n", n);
        "removed symbols, and edges" |n| {
            let half = |head: &str, line: &str| head.to_owned() + &line.repeat(n / 2 / line.len());
            let head = "GCF tool=t delta=true base_root=a new_root=b\n";
            (half(&format!("{head}## removed\n"), "f a\n") + &half("## edges_removed\n", "a -> b c\n")).into_bytes()
        };
        "sections of a delta" |n| repeat("GCF tool=t delta=true base_root=a new_root=b\n", "## added\n## removed\n", n);
        "one giant line of a delta" |n| repeat("GCF tool=t delta=true base_root=a new_root=b\n## removed\nfn ", "a", n);
    Generic:
        "smallest rows" |n| counted(n, 2, |n| format!("{GENERIC}## [{n}]{{a}}\n{}", "1\n".repeat(n)));
        "empty rows" |n| counted(n, 2, |n| format!("{GENERIC}## [{n}]{{a}}\n{}", "~\n".repeat(n)));
        "rows of ten columns" |n| counted(n, 20, |n| format!("{GENERIC}## [{n}]{{a,b,c,d,e,f,g,h,i,j}}\n{}", "1|1|1|1|1|1|1|1|1|1\n".repeat(n)));
        "rows of empty texts" |n| counted(n, 3, |n| format!("{GENERIC}## [{n}]{{a}}\n{}", "\"\"\n".repeat(n)));
        "long names of columns" |n| counted(n, 4, |n| format!("{GENERIC}## [{n}]{{{}}}\n{}", "a".repeat(n), "1\n".repeat(n)));
        "a long path" |n| counted(n, 4, |n| format!("{GENERIC}## [{n}]{{\"{}\"}}\n{}", ["a"; 100].join(">"), "1\n".repeat(n)));
        "many columns" |n| numbered(&format!("{GENERIC}## [0]{{a"), n, |id| format!(",c{id}"));
        "many columns that end" |n| counted(n, 4, |n| format!("{GENERIC}## [0]{{{}}}\n", short_names(n)));
        "a long constant" |n| counted(n, 4, |n| format!("{GENERIC}## [{n}]{{a={},b}}\n{}", "x".repeat(n), "1\n".repeat(n)));
        "many constants" |n| counted(n, 12, |n| {
            let constants: String = (0..n).map(|id| format!("c{id}=1,")).collect();
            format!("{GENERIC}## [{n}]{{{constants}b}}\n{}", "1\n".repeat(n))
        });
        "groups" |n| each(n, 8, |id| format!("g={id} [1]\n{id}\n"), |n, groups| format!("{GENERIC}## [{n}]{{@a,g}} group=g\n{groups}"));
        "a long group" |n| counted(n, 4, |n| {
            let rows: String = (0..n / 4).map(|id| format!("{id}\n")).collect();
            format!("{GENERIC}## [{}]{{@a,g}} group=g\ng={} [{}]\n{rows}", n / 4, "x".repeat(n), n / 4)
        });
        "scalars in a line" |n| counted(n, 2, |n| format!("{GENERIC}## [{n}]: {}1\n", "1,".repeat(n - 1)));
        "empty arrays" |n| each(n, 9, |id| format!("@{id} [0]\n"), |n, items| format!("{GENERIC}## [{n}]\n{items}"));
        "empty objects" |n| each(n, 9, |id| format!("@{id} {{}}\n"), |n, items| format!("{GENERIC}## [{n}]\n{items}"));
        "members" |n| numbered(GENERIC, n, |id| format!("{id}=1\n"));
        "one member again and again" |n| repeat(GENERIC, "a=1\n", n);
        "sections" |n| numbered(GENERIC, n, |id| format!("## s{id}\n"));
        "nested sections" |n| numbered(GENERIC, n, |id| format!("{}## a\n", "  ".repeat(id.min(100))));
        "deeper and deeper" |n| numbered(GENERIC, n, |id| format!("{}## a\n", "  ".repeat(id)));
        "a keyed map" |n| each(n, 7, |id| format!("{id}|1\n"), |n, rows| format!("{GENERIC}## [{n}:]{{key,a}}\n{rows}"));
        "attachments" |n| each(n, 16, |id| format!("@{id} ^\n.a [0]\n"), |n, rows| format!("{GENERIC}## [{n}]{{a}}\n{rows}"));
        "attachments without a cell" |n| each(n, 16, |id| format!("@{id} 1\n.b{id} [0]\n"), |n, rows| format!("{GENERIC}## [{n}]{{a}}\n{rows}"));
        "attachments that declare columns" |n| each(n, 26, |id| format!("@{id} 1\n.\"b>{id}\" [0]{{c}}\n"), |n, rows| format!("{GENERIC}## [{n}]{{a}}\n{rows}"));
        "one row with a large attachment" |n| counted(n, 6, |n| {
            format!("{GENERIC}## [1]{{a}}\n@0 ^\n.a [{n}]{{b}}\n{}", "    1\n".repeat(n))
        });
        "an inline schema" |n| counted(n, 12, |n| {
            let rows: String = (0..n).map(|id| format!("@{id} ^\n1|1|1\n")).collect();
            format!("{GENERIC}## [{n}]{{a}}\n{}", rows.replacen('^', "^{b,c,d}", 1))
        });
        "shared fields" |n| counted(n, 20, |n| {
            let fields: String = (0..n).map(|id| format!("f{id},")).collect();
            let rows: String = (1..n).map(|id| format!("@{id} ^\n.a [1]\n    1\n")).collect();
            format!("{GENERIC}## [{n}]{{a}}\n@0 ^\n.a [1]{{{fields}x}}\n    1\n{rows}")
        });
        "escapes" |n| counted(n, 2, |n| format!("{GENERIC}a=\"{}\"\n", "\\n".repeat(n)));
        "an open quote" |n| repeat(&format!("{GENERIC}a=\""), "x", n);
        "digits of a number" |n| repeat(&format!("{GENERIC}a="), "9", n);
        "brackets that look like arrays" |n| repeat(&format!("{GENERIC}a="), "[1] ", n);
        "comments of the generic profile" |n| repeat(GENERIC, "# c\n", n);
        "blank lines of the generic profile" |n| repeat(GENERIC, "\n", n);
    Keyed:
        "rows of a set" |n| each(n, 6, |id| format!("{id}|1\n"), |n, rows| format!("{SET}## o [{n}]{{@id,a}}\n{rows}"));
        "one row of a set again and again" |n| counted(n, 4, |n| format!("{SET}## o [{n}]{{@id,a}}\n{}", "1|1\n".repeat(n)));
        "columns of a set" |n| numbered(&format!("{SET}## o [0]{{@id"), n, |id| format!(",c{id}"));
        "columns of a set that end" |n| counted(n, 4, |n| format!("{SET}## o [0]{{@id,{}}}\n", short_names(n)));
        "removed rows of a set" |n| each(n, 5, |id| format!("{id}\n"), |n, rows| format!("{SET_DELTA}## removed [{n}]{{@id}}\n{rows}"));
        "added rows of a set" |n| each(n, 7, |id| format!("{id}|1\n"), |n, rows| format!("{SET_DELTA}## added [{n}]{{@id,a}}\n{rows}"));
        "a giant cell of a set" |n| counted(n, 1, |n| format!("{SET}## o [1]{{@id,a}}\n1|{}\n", "x".repeat(n)));
    Gcb:
        "smallest symbols of GCB1" |n| gcb(n / 25, 0, |out| (0..n / 25).for_each(|_| out.extend(SYMBOL)));
        "smallest edges of GCB1" |n| gcb(1, n / 4, |out| {
            out.extend(SYMBOL);
            (0..n / 4).for_each(|_| out.extend([0, 0, 1, 0]));
        });
        "symbols that are not there" |n| gcb(n / 25, 0, |out| out.resize(n / 2, 0));
        "as many symbols as zeros" |n| gcb(n / 25 - 10, n, |out| out.resize(n, 0));
        "a giant name of GCB1" |n| gcb(1, 0, |out| {
            varint(out, n);
            out.resize(out.len() + n, b'a');
        });
    GcxRows:
        "smallest rows of GCX1" |n| counted(n, 2, |n| format!("GCX1 tool=t fields=a rows={n}\n{}", "1\n".repeat(n)));
        "rows without a count" |n| repeat("GCX1 tool=t fields=a\n", "1\n", n);
        "rows of many cells" |n| repeat("GCX1 tool=t fields=a,b,c,d,e,f,g,h\n", "\t\t\t\t\t\t\t\n", n);
        "more cells than fields" |n| repeat("GCX1 tool=t fields=a\n", "1\t1\n", n);
        "comments of GCX1" |n| repeat("GCX1 tool=t fields=a\n", "# c\n", n);
        "escapes of GCX1" |n| repeat("GCX1 tool=t fields=a\n", "\\n", n);
        "one giant line of GCX1" |n| repeat("GCX1 tool=t fields=a\n", "a", n);
        "tabs" |n| repeat("GCX1 tool=t fields=a\n", "\t", n);
        "lists in cells" |n| repeat("GCX1 tool=t fields=a,b typed=objects:json,json\n", "[1,1]\t{\"a\":1}\n", n);
    GcxHeaders:
        "many fields and short rows" |n| counted(n, 12, |n| {
            let fields: String = (0..n).map(|id| format!(",f{id}")).collect();
            format!("GCX1 tool=t fields=a{fields}\n{}", "1\n".repeat(n))
        });
        "long names of fields" |n| counted(n, 4, |n| format!("GCX1 tool=t fields={}\n{}", "a".repeat(n), "1\n".repeat(n)));
        "headers of GCX1" |n| repeat("", "GCX1 tool=t fields=a\n", n);
        "metadata" |n| numbered("GCX1 tool=t", n, |id| format!(" k{id}=v"));
        "metadata twice" |n| repeat("GCX1 tool=t", " k=v", n);
    Goon:
        "smallest nodes" |n| each(n, 7, |id| format!("{id}\n"), |n, nodes| format!("{GOON}nodes:{n}\nedges:0\n@nodes\nA({n}):\n{nodes}@edges\n"));
        "smallest properties" |n| each(n, 11, |id| format!("{id} a=1\n"), |n, nodes| format!("{GOON}nodes:{n}\nedges:0\n@nodes\nA({n}):\n{nodes}@edges\n"));
        "properties of one node" |n| each(n, 9, |id| format!(" p{id}=1"), |_, properties| format!("{GOON}nodes:1\nedges:0\n@nodes\nA(1):\n1{properties}\n@edges\n"));
        "types of one node" |n| each(n, 12, |id| format!("A{id}(1):\n1\n"), |n, types| format!("{GOON}nodes:{n}\nedges:0\n@nodes\n{types}@edges\n"));
        "edges to one node" |n| counted(n, 12, |n| {
            let edges = "A:1 --> A:1\n".repeat(n);
            format!("{GOON}nodes:1\nedges:{n}\n@nodes\nA(1):\n1\n@edges\nE({n}):\n{edges}")
        });
        "rows of one node" |n| counted(n, 6, |n| {
            let rows = "u=A:1\n".repeat(n);
            format!("{AGGREGATION}nodes:1\nedges:0\nrows:{n}\ngroup_by:u(node)\n@nodes\nA(1):\n1\n@edges\n@rows\n{rows}")
        });
        "rows of a large node" |n| counted(n, 16, |n| {
            let properties: String = (0..n).map(|id| format!(" p{id}=1")).collect();
            let rows = "u=A:1\n".repeat(n);
            format!("{AGGREGATION}nodes:1\nedges:0\nrows:{n}\ngroup_by:u(node)\n@nodes\nA(1):\n1{properties}\n@edges\n@rows\n{rows}")
        });
        "blank rows" |n| counted(n, 1, |n| format!("{AGGREGATION}nodes:0\nedges:0\nrows:{n}\n@nodes\n@edges\n@rows\n{}", "\n".repeat(n)));
        "members of the header" |n| numbered("@header\nquery_type:search\n", n, |id| format!("k{id}:v\n"));
        "brackets in a value" |n| counted(n, 1, |n| format!("{GOON}nodes:1\nedges:0\n@nodes\nA(1):\n1 a={}\n@edges\n", "[".repeat(n)));
        "a giant text" |n| counted(n, 2, |n| format!("{GOON}nodes:1\nedges:0\n@nodes\nA(1):\n1 a=\"{}\"\n@edges\n", "\\n".repeat(n)));
        "digits of an id" |n| repeat(&format!("{GOON}nodes:1\nedges:0\n@nodes\nA(1):\n"), "9", n);
    Json:
        "smallest symbols of JSON" |n| counted(n, 66, |n| {
            let symbol = r#"{"qualified_name":"a","kind":"b","score":0,"provenance":"c"}"#;
            format!("{{\"tool\":\"t\",\"symbols\":[{}],\"edges\":[]}}", vec![symbol; n].join(","))
        });
        "empty objects of JSON" |n| counted(n, 3, |n| format!("{{\"tool\":\"t\",\"symbols\":[{}]}}", vec!["{}"; n].join(",")));
        "brackets" |n| repeat("{\"tool\":\"t\",\"x\":", "[", n);
        "unknown members" |n| each(n, 14, |id| format!(",\"k{id}\":[1]"), |_, members| format!("{{\"tool\":\"t\"{members}}}"));
        "one member of JSON again and again" |n| repeat("{\"tool\":\"t\"", ",\"tool\":\"t\"", n);
    Xml:
        "smallest symbols of XML" |n| counted(n, 77, |n| format!("{XML}{}</target_symbols></context>", XML_SYMBOL.repeat(n)));
        "smallest edges of XML" |n| counted(n, 43, |n| {
            let edges = r#"<edge source="a" target="a" type="x"/>"#.repeat(n);
            format!("{XML}{XML_SYMBOL}</target_symbols><edges>{edges}</edges></context>")
        });
        "open elements" |n| repeat("<context tool=\"t\">", "<a>", n);
        "attributes" |n| numbered("<context tool=\"t\"", n, |id| format!(" k{id}=\"v\""));
        "entities of XML" |n| repeat("<context tool=\"t\">", "&amp;", n);
        "comments of XML" |n| repeat("<context tool=\"t\">", "<!--c-->", n);
        "a declaration of entities" |n| repeat("<!DOCTYPE a [", "<!ENTITY a \"&a;&a;\">", n);
}
