//! What has happened since the start, for operators.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident: $family:literal $result:literal;)+) => {
        /// What has happened since a store was opened.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Counts {
            $($(#[$doc])* pub $name: u64,)+
        }

        #[derive(Debug, Default)]
        pub(crate) struct Counters {
            $(pub(crate) $name: AtomicU64,)+
        }

        impl Counters {
            pub(crate) fn read(&self) -> Counts {
                Counts { $($name: self.$name.load(Relaxed),)+ }
            }
        }

        impl Counts {
            /// The samples of a family: their labels and numbers.
            fn samples(&self, family: &str) -> impl Iterator<Item = (&'static str, u64)> {
                let all = [$(($family, $result, self.$name),)+];
                let family = family.to_owned();
                all.into_iter().filter(move |(of, ..)| *of == family).map(|(_, label, n)| (label, n))
            }
        }
    };
}

counters! {
    /// Packs that were found in memory.
    reads_memory: "reads" "memory";
    /// Packs that the engine had.
    reads_engine: "reads" "engine";
    /// Packs that neither had.
    reads_missing: "reads" "missing";
    /// Packs that were not found because the engine failed.
    reads_failed: "reads" "failed";
    /// Packs that were not found because the engine was not asked, after failures.
    reads_spared: "reads" "spared";
    /// Packs that the engine took.
    writes_done: "writes" "done";
    /// Packs that the engine did not take.
    writes_failed: "writes" "failed";
    /// Packs that were not written because the engine was not asked, after failures.
    writes_spared: "writes" "spared";
    /// Packs that were not written because their text is longer than [`Options::value_bytes`].
    ///
    /// [`Options::value_bytes`]: crate::Options::value_bytes
    writes_too_long: "writes" "too_long";
    /// Texts of the engine that were not the pack of their key, and were removed.
    dropped: "dropped" "";
}

const FAMILIES: [(&str, &str); 3] = [
    ("reads", "Packs that exchanges asked for."),
    ("writes", "Packs that were to be written to the engine."),
    ("dropped", "Texts of the engine that were not the pack of their key."),
];

impl Counts {
    /// The counters in the text format of Prometheus.
    pub(crate) fn page(&self) -> String {
        let mut page = String::new();
        for (family, help) in FAMILIES {
            head(&mut page, &format!("{family}_total"), "counter", help);
            for (result, n) in self.samples(family) {
                let labels = if result.is_empty() {
                    String::new()
                } else {
                    format!("{{result=\"{result}\"}}")
                };
                let _ = writeln!(page, "wire_store_{family}_total{labels} {n}");
            }
        }
        page
    }
}

/// Appends a number that rises and falls.
pub(crate) fn gauge(page: &mut String, name: &str, help: &str, value: u64) {
    head(page, name, "gauge", help);
    let _ = writeln!(page, "wire_store_{name} {value}");
}

fn head(page: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(page, "# HELP wire_store_{name} {help}\n# TYPE wire_store_{name} {kind}");
}
