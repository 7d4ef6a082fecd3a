//! Names of data files, whose text a model may write back.

/// The extensions of data files, in lower case.
const EXTENSIONS: [&str; 31] = [
    "avsc",
    "cfg",
    "conf",
    "csv",
    "env",
    "geojson",
    "har",
    "ini",
    "ipynb",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsonld",
    "lock",
    "map",
    "ndjson",
    "plist",
    "properties",
    "tf",
    "tfstate",
    "tfvars",
    "toml",
    "topojson",
    "tsv",
    "webmanifest",
    "xml",
    "yaml",
    "yml",
    "xsd",
    "svg",
];

/// Returns `true` if a name, path or URL ends in the extension of a data file, whatever the case of
/// its letters.
///
/// ```
/// use wire_mcp::is_data_file;
///
/// assert!(is_data_file("src/Package.JSON") && is_data_file(".ipynb"));
/// assert!(!is_data_file("json") && !is_data_file("users"));
/// ```
pub fn is_data_file(name: &str) -> bool {
    data_extension(name).is_some()
}

/// That extension, in lower case.
pub(crate) fn data_extension(name: &str) -> Option<&'static str> {
    let (_, own) = name.rsplit_once('.')?;
    EXTENSIONS.into_iter().find(|extension| own.eq_ignore_ascii_case(extension))
}

/// The extensions of programs and pages.
const OTHERS: [&str; 37] = [
    "bak", "bat", "c", "cjs", "cpp", "cs", "css", "go", "h", "hcl", "htm", "html", "j2", "java",
    "js", "jsx", "kt", "log", "lua", "md", "mdx", "mjs", "php", "pl", "ps1", "py", "rb", "rs",
    "rst", "scala", "sh", "sql", "swift", "tmpl", "ts", "tsx", "txt",
];

/// Returns `true` if a word ends in the extension of a file of data, of a program or of a page.
pub(crate) fn is_file_name(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    is_data_file(word) || extension.is_some_and(|own| OTHERS.contains(&own.as_str()))
}
