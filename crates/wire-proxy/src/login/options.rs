//! The options of `wire-proxy login` and `logout`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct LogIn {
    /// The URL of the server.
    pub(crate) url: String,

    /// The id of a client that is registered at the server [default: wire-proxy registers itself].
    #[arg(long, value_name = "ID")]
    pub(crate) client_id: Option<String>,

    /// The variable of the environment with that client's secret.
    #[arg(long, value_name = "VAR", requires = "client_id")]
    pub(crate) client_secret_env: Option<String>,

    /// The port of the redirection, if it is registered with one [default: any].
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) callback_port: u16,

    /// A right to ask for; can be repeated [default: those that the server names].
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct LogOut {
    /// The URL of the server.
    pub(crate) url: String,
}
