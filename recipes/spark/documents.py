"""A document of a tool log as compact text, with counts: one function for Spark, for Polars and for a plain loop."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from wire_formats import Error, count_tokens, gcf, gcx

# `bad` holds the bytes of a document that no format holds, as they are, and `error` why: no document is lost.
COLUMNS = {
    "digest": pa.string(),
    "format": pa.string(),
    "text": pa.string(),
    "tokens_before": pa.int64(),
    "tokens": pa.int64(),
    "bad": pa.binary(),
    "error": pa.string(),
}
SCHEMA = pa.schema(list(COLUMNS.items()))
SPARK_SCHEMA = "digest string, format string, text string, tokens_before bigint, tokens bigint, bad binary, error string"
FORMATS = {"gcf": gcf.from_json, "gcx": gcx.from_json}


def lines_of(path: Path) -> list[bytes]:
    """The documents of a file. The last one may have no newline after it."""
    lines = path.read_bytes().split(b"\n")
    return lines if lines[-1] else lines[:-1]


def recode(line: bytes, counting: bool) -> tuple[str | int | bytes | None, ...]:
    """A row of `COLUMNS`. With counting the format that uses the fewest tokens is taken, and JSON stays where none uses fewer."""
    digest = hashlib.sha256(line).hexdigest()[:16]
    texts: dict[str, str] = {}
    failed: Error | None = None
    for name, from_json in FORMATS.items():
        try:
            texts[name] = from_json(line)
        except Error as error:
            failed = failed or error
        if texts and not counting:
            return digest, name, texts[name], None, None, None, None
    if not texts:
        return digest, None, None, None, None, line, f"{failed.code}: {failed}" if failed else None
    texts = {"json": line.decode(), **texts}
    tokens = {name: count_tokens(text, "o200k") for name, text in texts.items()}
    best = min(tokens, key=lambda name: tokens[name])
    return digest, best, texts[best], tokens["json"], tokens[best], None, None


def recode_batch(batch: pa.RecordBatch, counting: bool) -> pa.RecordBatch:
    """A batch with a column of lines as one of `COLUMNS`."""
    rows = [recode(line, counting) for line in batch.column(0).to_pylist()]
    columns = list(zip(*rows)) or [[] for _ in COLUMNS]
    return pa.record_batch([pa.array(column, type) for column, type in zip(columns, COLUMNS.values())], schema=SCHEMA)


def recode_batches(batches: Iterable[pa.RecordBatch], counting: bool) -> Iterator[pa.RecordBatch]:
    """What `mapInArrow` calls in the executors."""
    for batch in batches:
        yield recode_batch(batch, counting)
