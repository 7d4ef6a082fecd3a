"""Re-encodes folders of tool logs on Spark, and counts their tokens: `python recode.py LOGS OUTPUT`.

Files are worked on in partitions, each a folder of Parquet in OUTPUT. A partition is there whole or not at all, so that the same
command goes on where a run was killed. A partition is done again if a file of it has another size or time than when it was done.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
import time
from pathlib import Path

import java
import pyarrow as pa
import pyarrow.parquet as parquet
from documents import COLUMNS, SPARK_SCHEMA, lines_of, recode, recode_batches

HERE = Path(__file__).resolve().parent


def session(executors: int, memory: int, scratch: Path):
    """Spark with so many executors of one core each, which are processes of their own."""
    scratch.mkdir(parents=True, exist_ok=True)
    os.environ["JAVA_HOME"] = str(java.home(scratch))
    # Executors are on this machine, and take the same interpreter.
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_WORKER_DIR"] = os.environ["SPARK_LOCAL_DIRS"] = str(scratch)
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master(f"local-cluster[{executors},1,{memory}]")
        .appName("recode")
        .config("spark.executor.memory", f"{memory}m")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.log.level", "ERROR")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "2000")
        # Small tasks, so that each executor has some.
        .config("spark.sql.files.maxPartitionBytes", "1m")
        .config("spark.sql.files.openCostInBytes", "0")
        .getOrCreate()
    )
    spark.sparkContext.addPyFile(str(HERE / "documents.py"))
    return spark


def partitions(logs: Path, files: int) -> dict[str, list[str]]:
    """The files of each partition, by its name."""
    paths = sorted(str(path) for path in logs.rglob("*.jsonl"))
    if not paths:
        sys.exit(f"error: {logs} has no file that ends in .jsonl")
    return {f"part={at // files:05}": paths[at : at + files] for at in range(0, len(paths), files)}


def plan(options: argparse.Namespace, parts: dict[str, list[str]]) -> int:
    """Writes what the run is made from, and gives how many partitions that were done are done again, since a file of theirs changed."""
    paths = [path for files in parts.values() for path in files]
    now = {path: [found.st_size, found.st_mtime_ns] for path, found in zip(paths, map(os.stat, paths))}
    # Partitions are named by their place, so that a folder of other ones is not gone on with.
    made_from = {"each": options.files, "counting": options.counting, "states": now}
    written = options.output / "_plan.json"
    options.output.mkdir(parents=True, exist_ok=True)
    if not written.exists() and any(options.output.glob("*/_SUCCESS")):
        sys.exit(f"error: {options.output} has results and no _plan.json, which says what they were made from; give another folder")
    before = json.loads(written.read_text()) if written.exists() else made_from
    states = before.get("states", {})
    if {**before, "states": list(states)} != {**made_from, "states": list(now)}:
        sys.exit(f"error: {options.output} was made from other files or with other options; give another folder")
    changed = 0
    for name, files in parts.items():
        done = options.output / name / "_SUCCESS"
        if done.exists() and any(states[path] != now[path] for path in files):
            # Before the new plan is there, so that a run that is killed now does them again, too.
            done.unlink()
            changed += 1
    fresh = written.with_name("_plan.json.new")
    fresh.write_text(json.dumps(made_from))
    fresh.replace(written)
    return changed


def run(options: argparse.Namespace) -> dict[str, object]:
    from pyspark.sql import functions as sql

    parts = partitions(options.logs, options.files)
    changed = plan(options, parts)
    left = {name: files for name, files in parts.items() if not (options.output / name / "_SUCCESS").exists()}
    spark = session(options.executors, options.memory, options.scratch or options.output.with_name(options.output.name + ".scratch"))
    started = time.monotonic()
    for name, files in left.items():
        # As bytes: what is no UTF-8 stays what it is.
        lines = spark.read.text(files, lineSep="\n").select(sql.col("value").cast("binary"))
        recoded = lines.mapInArrow(functools.partial(recode_batches, counting=options.counting), SPARK_SCHEMA)
        recoded.write.mode("overwrite").parquet(str(options.output / name))
    seconds = time.monotonic() - started
    rows = spark.read.parquet(str(options.output))
    sums = rows.agg(
        sql.count("*").alias("documents"),
        sql.count("error").alias("bad"),
        sql.coalesce(sql.sum("tokens_before"), sql.lit(0)).alias("tokens_before"),
        sql.coalesce(sql.sum("tokens"), sql.lit(0)).alias("tokens"),
    ).first()
    formats = {row["format"] or "bad": row["count"] for row in rows.groupBy("format").count().collect()}
    spark.stop()
    return {
        **sums.asDict(),
        "formats": dict(sorted(formats.items())),
        "partitions": len(parts),
        "found_done": len(parts) - len(left),
        "changed": changed,
        "seconds": round(seconds, 3),
    }


def check(logs: Path, output: Path, sample: int, counting: bool) -> int:
    """Compares a sample with what this process makes of the same documents, and the number of all. Gives the size of the sample."""
    paths = sorted(logs.rglob("*.jsonl"))
    total = sum(len(lines_of(path)) for path in paths)
    step = max(1, total // sample)
    expected: list[tuple[object, ...]] = []
    at = 0
    for path in paths:
        for line in lines_of(path):
            # Every bad one belongs to the sample, too.
            if at % step == 0 or at % 500 == 250:
                expected.append(recode(line, counting))
            at += 1
    wanted = {row[0] for row in expected}
    found: set[tuple[object, ...]] = set()
    rows = 0
    for file in sorted(output.glob("part=*/*.parquet")):
        table = parquet.ParquetFile(file).read(columns=list(COLUMNS))
        rows += table.num_rows
        digests = table.column("digest").to_pylist()
        chosen = pa.array([place for place, digest in enumerate(digests) if digest in wanted], pa.int64())
        columns = [table.column(name).take(chosen).to_pylist() for name in COLUMNS]
        found.update(zip(*columns))
    if rows != total:
        sys.exit(f"error: {total} documents went in, {rows} came out")
    missing = [row for row in expected if row not in found]
    if missing:
        sys.exit(f"error: {len(missing)} of {len(expected)} documents differ from those of a single process, as {missing[0]}")
    return len(expected)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path, help="a folder of files *.jsonl, a document a line")
    parser.add_argument("output", type=Path, help="where to write; what is there is gone on with")
    parser.add_argument("--executors", type=int, default=2, help="processes of one core each (default: 2)")
    parser.add_argument("--memory", type=int, default=1024, help="MiB of each executor (default: 1024)")
    parser.add_argument("--files", type=int, default=4, help="how many files a partition has (default: 4)")
    parser.add_argument("--no-counting", dest="counting", action="store_false", help="write GCF and count nothing: faster")
    parser.add_argument("--check", type=int, default=0, metavar="N", help="compare N documents with a single process")
    parser.add_argument("--scratch", type=Path, help="where Spark keeps its own files (default: beside OUTPUT)")
    options = parser.parse_args()
    said = run(options)
    if options.check:
        said["checked"] = check(options.logs, options.output, options.check, options.counting)
    print(json.dumps(said))


if __name__ == "__main__":
    main()
