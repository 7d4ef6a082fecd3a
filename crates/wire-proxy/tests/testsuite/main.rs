//! The tests of the program, as one program: linking many takes longer than building them.

#[cfg(feature = "sqlite")]
mod audit;
mod bridge;
mod fake;
mod hook;
mod http;
mod init;
mod logins;
mod serve;
mod stdio;
mod trust;
