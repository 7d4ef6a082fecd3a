# Somebody writes an implementation in another language, and has the cases and the documentation, nothing else.
cp -r fixtures docs "$SCRATCH"
"$XTASK" follow docs/conformance.md --folder "$SCRATCH"
# A rule that is broken is found.
cd "$SCRATCH/implementer"
sed -i.bak 's/"\\\\t"/"\\\\T"/' src/main.rs
if cargo run --quiet -- ../fixtures/gcx/rows 2> /dev/null; then exit 1; fi
