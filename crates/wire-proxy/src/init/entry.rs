//! A server in a configuration.

pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) command: Option<Vec<String>>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) remote: Option<WithUrl>,
    pub(crate) is_off: bool,
}

/// What an entry says of a server with a URL.
pub(crate) struct WithUrl {
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
}
