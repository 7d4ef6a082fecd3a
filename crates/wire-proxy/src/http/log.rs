//! The log on standard error. It has only lines of the proxy's own code, because those of libraries
//! could contain URLs and headers.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::options::listen::LogLevel;

/// Logs from here on.
pub(crate) fn start(level: LogLevel) {
    let level = match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_target(false)
        .log_internal_errors(false);
    let only_ours = Targets::new().with_target(env!("CARGO_CRATE_NAME"), level);
    // A second start would be a bug of ours, and harms nobody.
    let _ = tracing_subscriber::registry().with(lines).with(only_ours).try_init();
}
