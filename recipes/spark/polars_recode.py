"""The same function on Polars, in one process: `python polars_recode.py LOGS OUTPUT.parquet`."""

import sys
from pathlib import Path

import polars as pl
from documents import lines_of, recode_batch

logs, output = Path(sys.argv[1]), sys.argv[2]
lines = (line for path in sorted(logs.rglob("*.jsonl")) for line in lines_of(path))
frame = pl.DataFrame({"line": lines}, schema={"line": pl.Binary})
recoded = [pl.DataFrame(recode_batch(batch.to_arrow().to_batches()[0], counting=True)) for batch in frame.iter_slices(2000)]
out = pl.concat(recoded)
out.write_parquet(output)
print(out.select(pl.len().alias("documents"), pl.col("error").count().alias("bad"), pl.col("tokens_before", "tokens").sum()).to_dicts()[0])
