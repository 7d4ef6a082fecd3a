# A platform engineer has a folder of JSON packs: how large are they, can they be smaller, are they whole, what has changed?
wirefmt() { cargo run --quiet --package wire-cli -- "$@"; }
packs=fixtures/payloads/packs

# What would they cost, and in which format?
wirefmt stats "$packs" --total > "$SCRATCH/stats.txt"
grep -q gcf "$SCRATCH/stats.txt"

# All of them, as GCF for models and as GCB1 for a cache; what is lost is a warning, unless it may go.
wirefmt convert "$packs" --to gcf -O "$SCRATCH/gcf" 2> "$SCRATCH/warnings.txt"
grep -q "signatures are dropped" "$SCRATCH/warnings.txt"
wirefmt convert "$packs" --to gcb -O "$SCRATCH/gcb" --quiet
test "$(find "$SCRATCH/gcf" -name '*.gcf' | wc -l)" -eq 6
wirefmt check "$SCRATCH/gcf" "$SCRATCH/gcb" --quiet

# From the cache to a person's screen, whose pipe ends early.
wirefmt convert "$SCRATCH/gcb/context_for_task_30.gcb" --to json-pretty --quiet | head -n 3 | grep -q '"tool"'

# A file that was cut, and one that is none: exit code 1, and each is named with its place.
head -c 500 "$SCRATCH/gcf/blast_radius_8.gcf" > "$SCRATCH/gcf/cut.gcf"
echo '{"tool": 7}' > "$SCRATCH/broken.json"
if wirefmt check "$SCRATCH/gcf" "$SCRATCH/broken.json" 2> "$SCRATCH/errors.txt"; then exit 1; fi
grep -q 'cut.gcf' "$SCRATCH/errors.txt"
grep -q 'broken.json' "$SCRATCH/errors.txt"
rm "$SCRATCH/gcf/cut.gcf"

# A typo gets a hint and exit code 2, and nothing is written.
code=0
wirefmt convert "$packs/blast_radius_8.json" --to gfc > "$SCRATCH/out" 2> "$SCRATCH/hint.txt" || code=$?
test "$code" -eq 2
test ! -s "$SCRATCH/out"
grep -q "gcf" "$SCRATCH/hint.txt"

# What has changed since yesterday, as a delta, and back.
wirefmt diff "$packs/context_for_task_10.json" "$packs/context_for_task_30.json" -o "$SCRATCH/change.gcf" --quiet
wirefmt apply "$packs/context_for_task_10.json" "$SCRATCH/change.gcf" --to json --quiet > "$SCRATCH/after.json"
wirefmt root "$packs/context_for_task_30.json" "$SCRATCH/after.json" | cut -d ' ' -f 1 | sort -u | wc -l | grep -q '^ *1$'
