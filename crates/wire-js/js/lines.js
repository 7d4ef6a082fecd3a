// Rows of GCF as they come, a line for each.
import { written } from "./convert.js";
import { WireError, calling } from "./error.js";
import gcf from "./gcf.module.js";
import { PARSE, STRINGIFY, TYPES, checked } from "./options.js";
import { toValue } from "./values.js";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
const HEADER = "GCF profile=generic";

export async function* stringifyLines(rows, given) {
  const { fields, ...options } = checked(given, { fields: TYPES.names, ...STRINGIFY }, "replacer");
  let names = fields;
  const lines = (row) => calling(() => gcf().lines(encoder.encode(JSON.stringify(names)), row));
  let count = 0;
  for await (const row of rows) {
    // The first row declares the columns.
    names ??= Object.keys(row ?? {});
    if (count === 0) yield lines(NOTHING);
    yield written(row, options, lines);
    count += 1;
  }
  if (names === undefined) yield `${HEADER}\n## [0]\n`;
  else yield `${count === 0 ? lines(NOTHING) : ""}##! summary counts=${count}\n`;
}

/** The lines of chunks, without their ends. What follows the last line ending is no line. */
async function* linesOf(chunks) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // What has no line ending yet, in pieces, so that many small ones take linear time.
  let rest = [];
  for await (const chunk of chunks) {
    const lines = (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })).split("\n");
    rest.push(lines[0]);
    if (lines.length === 1) continue;
    yield rest.join("");
    rest = [lines.pop()];
    yield* lines.slice(1);
  }
  if (rest.join("") + decoder.decode() !== "") throw new WireError({ code: "missing_final_newline", message: "the last line has no line ending: the text may be cut off" });
}

export async function* parseLines(chunks, given) {
  const options = checked(given, PARSE, "reviver");
  let [number, offset, count, head] = [0, 0, 0, undefined];
  let isOver = false;
  const refuse = (code, message) => {
    throw new WireError({ code, message: `line ${number}, column 1: ${message}`, line: number, column: 1, offset });
  };
  for await (const line of linesOf(chunks)) {
    number += 1;
    if (isOver) refuse("unrecognized_line", "a line follows the trailer, expected the end of the text");
    const trailer = /^##! summary counts=(\d+)$/.exec(line);
    if (number === 1) {
      if (line !== HEADER) refuse("missing_header", `expected \`${HEADER}\``);
    } else if (head === undefined) {
      if (line === "## [0]") isOver = true;
      else if (!line.startsWith("## [?]{")) refuse("not_streamable", "expected a table whose rows are counted at its end, `## [?]{…}`");
      head = line.replace("?", "1");
    } else if (trailer) {
      if (Number(trailer[1]) !== count) refuse("count_mismatch", `the trailer declares ${trailer[1]} rows, and there are ${count}`);
      isOver = true;
    } else {
      yield row(head, line, number, offset, options);
      count += 1;
    }
    offset += encoder.encode(line).length + 1;
  }
  if (!isOver) refuse("count_mismatch", "the text ends without the trailer, so rows may be missing");
}

/** The value of a row, from a text of this row alone. */
function row(head, line, number, offset, options) {
  const before = `${HEADER}\n${head}\n`;
  try {
    return toValue(calling(() => gcf().to_json(encoder.encode(`${before}${line}\n`))), options)[0];
  } catch (error) {
    if (!(error instanceof WireError) || error.line === undefined) throw error;
    const { code, column, path } = error;
    const message = error.message.replace(/^line \d+/, `line ${number}`);
    throw new WireError({ code, message, line: number, column, path, offset: offset + error.offset - encoder.encode(before).length });
  }
}
