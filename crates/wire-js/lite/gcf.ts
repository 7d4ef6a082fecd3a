// The generic profile of GCF 3.5, written only: a value of JSON in, its text out. `crates/gcf/src/generic/encode` does the same in Rust; the
// corpus and `lite.test.mjs` compare both. Sections are those of the specification.

/** A value that `JSON.parse` made: no `undefined`, no `toJSON`, no prototypes of others. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Row = { [key: string]: Json };
/** How the values of a field are written, apart from null and missing ones. */
const enum Form { Plain, Flat, Inline, Shared }
interface Field {
  key: string;
  /** As a text has it. */
  name: string;
  form: Form;
  isColumn: boolean;
  isAttachable: boolean;
  /** Every object has a member of this name by its prototype. */
  isInherited: boolean;
  /** What the survey has seen: a scalar, the first object, whether all are objects like it, the fields of the first array. */
  scalars: boolean;
  object: Row | undefined;
  tree: boolean;
  inline: boolean;
  fields: string[] | undefined;
  arrays: boolean;
  /** The leaves of the objects. */
  leaves: string[];
  /** Its place among values that follow a row: columns come first. */
  order: number;
}
/** Where a container is: how its first line begins, the indentation of that, of its rows, and of its members (4.1, 7.4.4). */
interface Site { head: string; at: string; rows: string; members: string; isMember: boolean; bare: string }

/** The most levels of values (section 14). */
export const DEEPEST = 127;
function checkDepth(depth: number) {
  if (depth > DEEPEST) throw new RangeError("more than 127 levels");
}
const hasOwn = Object.prototype.hasOwnProperty;

const isObject = (value: Json | undefined): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: Json | undefined) => typeof value !== "object" || value === null;

/** Most texts that need no quotes: the tests below take longer. */
const PLAIN = /^(?!true$|false$)[A-Z_a-z](?:[\w ./:-]*\w)?$/;
/** Texts that need quotes (2.4): by a character, the first or last one, as another scalar, or as the head of an array. */
const QUOTED =
  /[\0-\x1f"\\|,\x80-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]|^$|^[ #@.]| $|^(?:-|~|\^|\^\{[^]*\}|true|false|[+-]\.?\d[^]*|0\d[^]*|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$|\[[^[\]]*\]\s*:/;

const text = (value: string) => (PLAIN.test(value) || !QUOTED.test(value) ? value : JSON.stringify(value));
/** The name of a member (2a.1). */
const name = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key));

function scalar(value: Json): string {
  switch (typeof value) {
    case "string":
      return text(value);
    case "number":
      // `JSON.stringify` writes integers of 64 bits as such, and doubles beyond have an exponent (2.3.1).
      return Math.abs(value) < 2 ** 63 ? `${value || 0}` : value.toExponential();
    default:
      return value === null ? "-" : `${value}`;
  }
}

/** Whether an object can be columns of a row: keys of which a path can be made, and scalars or such objects (7.4.6). */
function isTree(row: Row): boolean {
  const keys = Object.keys(row);
  return keys.length > 0 && keys.every((key) => key !== "" && !key.includes(">") && (isScalar(row[key]) || (isObject(row[key]) && isTree(row[key] as Row))));
}
/** As columns it would be read as null. */
const isAllNull = (row: Row): boolean => Object.keys(row).every((key) => row[key] === null || (isObject(row[key]) && isAllNull(row[key] as Row)));

/** Whether an object has the same keys in the same order, with scalars and objects in the same places. */
function isLike(row: Row, first: Row): boolean {
  const [keys, firsts] = [Object.keys(row), Object.keys(first)];
  return keys.length === firsts.length && keys.every((key, index) => {
    if (key !== firsts[index]) return false;
    const [value, other] = [row[key], first[key]];
    return isScalar(value) ? isScalar(other) : isObject(value) && isObject(other) && isLike(value, other);
  });
}
const haveSameKeys = (one: string[], other: string[]) => one.length === other.length && one.every((key, index) => key === other[index]);
const isOfScalars = (row: Row) => Object.keys(row).every((key) => isScalar(row[key]));

/** The paths of a table have about so many characters at most: of a long key with many leaves there would be far more than of the value. */
const LONGEST_PATHS = 1 << 24;

/** The paths of all leaves of a tree. */
function leaves(row: Row, path: string, depth: number, found: string[]): string[] {
  checkDepth(depth);
  for (const key of Object.keys(row)) {
    if (found.length * path.length > LONGEST_PATHS) throw new RangeError("too long to have fewer tokens");
    const value = row[key];
    isObject(value) ? leaves(value, `${path}>${key}`, depth + 1, found) : found.push(JSON.stringify(`${path}>${key}`));
  }
  return found;
}
/** The cells of a tree. */
function cells(row: Row): string {
  let line = "";
  for (const key of Object.keys(row)) {
    const value = row[key];
    line += isObject(value) ? cells(value) : `${scalar(value)}|`;
  }
  return line;
}

/** The union of the fields of objects of scalars; `undefined` if there are other items, or names that can't be columns. */
function plainFields(items: Json[]): string[] | undefined {
  const found = new Set<string>();
  for (const item of items) {
    if (!isObject(item) || !isOfScalars(item)) return undefined;
    for (const key of Object.keys(item)) found.add(key);
  }
  const keys = [...found];
  return keys.length > 0 && keys.every((key) => !key.includes(">")) ? keys : undefined;
}

/** The fields of rows (7.4.3), by their keys; `undefined` if they are not all objects, or if none can be a column. */
function survey(rows: Json[], depth: number): Map<string, Field> | undefined {
  if (!rows.every(isObject)) return undefined;
  const fields: Field[] = [];
  const places = new Map<string, Field>();
  let isFirst = true;
  for (const row of rows as Row[]) {
    let place = 0;
    for (const key of Object.keys(row)) {
      let field = fields[place++];
      if (field?.key !== key) {
        field = places.get(key)!;
        if (!field) {
          field = {
            key, name: name(key), form: Form.Plain, isColumn: !key.includes(">"), isAttachable: false, isInherited: key in {},
            scalars: false, object: undefined, tree: false, inline: false, fields: undefined, arrays: false, leaves: [], order: 0,
          };
          places.set(key, field);
          fields.push(field);
        }
      }
      const value = row[key];
      if (typeof value !== "object") field.scalars = true;
      else if (value !== null) see(field, value, isFirst);
    }
    isFirst = false;
  }
  for (const field of fields) {
    const { key, object, scalars, arrays } = field;
    if (!scalars && object && !arrays) {
      if (field.tree && key !== "" && field.isColumn) {
        field.form = Form.Flat;
        field.leaves = leaves(object, key, depth + 2, []);
      } else if (field.inline && field.isColumn) {
        checkDepth(depth + 2);
        field.form = Form.Inline;
      }
    } else if (!scalars && !object && field.fields) field.form = Form.Shared;
    field.isAttachable = !field.isColumn || ((object !== undefined || arrays) && field.form !== Form.Flat);
  }
  return fields.some((field) => field.isColumn) ? places : undefined;
}

function see(field: Field, value: Row | Json[], isFirst: boolean) {
  if (Array.isArray(value)) {
    // Declared in the first row (7.4.5.3), and the same in all.
    if (!field.arrays) field.fields = isFirst ? plainFields(value) : undefined;
    else if (field.fields) {
      const others = plainFields(value);
      if (!others || !haveSameKeys(field.fields, others)) field.fields = undefined;
    }
    field.arrays = true;
  } else if (!field.object) {
    field.object = value;
    field.tree = isTree(value) && !isAllNull(value);
    // Declared in the first row, of three members and more (7.4.5.1).
    field.inline = isFirst && isOfScalars(value) && Object.keys(value).length > 2;
  } else {
    if (field.tree) field.tree = isLike(value, field.object) && !isAllNull(value);
    if (field.inline) field.inline = isOfScalars(value) && haveSameKeys(Object.keys(value), Object.keys(field.object));
  }
}

const member = (key: string, at: string): Site => ({ head: `${at}## ${name(key)} `, at, rows: at, members: `${at}  `, isMember: true, bare: `${at}${name(key)}` });
const inner = (mark: string, at: string, more: string): Site => ({ head: `${at}${mark} `, at, rows: at + more, members: at + more, isMember: false, bare: "" });

/** The text of a value that `JSON.parse` made; a `RangeError` for more than 127 levels, and for a text of more than `most` characters. */
export function encode(value: Json, most = Infinity): string {
  let out = "GCF profile=generic\n";
  if (isScalar(value)) return `${out}=${scalar(value)}\n`;
  container(value as Row, { head: "## ", at: "", rows: "", members: "", isMember: false, bare: "" }, 1, false);
  return out;

  /** What was written may be too long after each member, item and row: rows without common keys have the square of their number as cells. */
  function checkLength() {
    if (out.length > most) throw new RangeError("too long to have fewer tokens");
  }

  function container(value: Row | Json[], site: Site, depth: number, isShared: boolean) {
    checkDepth(depth);
    Array.isArray(value) ? array(value, site, depth, isShared) : object(value, site, depth);
  }

  function object(value: Row, site: Site, depth: number) {
    const keys = Object.keys(value);
    if (keys.length > 1 && table(keys.map((key) => value[key]), site, depth, keys, false)) return;
    if (site.isMember) out += `${site.head.slice(0, -1)}\n`;
    else if (site.head !== "## ") out += `${site.head}{}\n`;
    for (const key of keys) {
      const inside = value[key];
      if (isScalar(inside)) out += `${site.members}${name(key)}=${scalar(inside)}\n`;
      else container(inside as Row, member(key, site.members), depth + 1, false);
      checkLength();
    }
  }

  function array(items: Json[], site: Site, depth: number, isShared: boolean) {
    const count = items.length;
    if (count > 0 && items.every(isScalar)) out += `${site.isMember ? site.bare : site.head}[${count}]: ${items.map(scalar).join(",")}\n`;
    else if (!table(items, site, depth, undefined, isShared)) {
      out += `${site.head}[${count}]\n`;
      items.forEach((item, index) => {
        if (isScalar(item)) out += `${site.rows}@${index} =${scalar(item)}\n`;
        else container(item as Row, inner(`@${index}`, site.rows, "  "), depth + 1, false);
        checkLength();
      });
    }
  }

  /** An array of objects as rows, or an object of objects with these keys (7.2a). Says whether it can be. */
  function table(rows: Json[], site: Site, depth: number, keys: string[] | undefined, isShared: boolean): boolean {
    const fields = survey(rows, depth);
    if (!fields) return false;
    checkDepth(depth + 1);
    const columns = [...fields.values()].filter((field) => field.isColumn);
    [...columns, ...[...fields.values()].filter((field) => !field.isColumn)].forEach((field, index) => (field.order = index));
    const hasAttachable = [...fields.values()].some((field) => field.isAttachable);
    out += `${site.head}[${rows.length}${keys ? ":" : ""}]`;
    if (!isShared) {
      const names = columns.flatMap((field) => (field.form === Form.Flat ? field.leaves : field.name));
      if (keys) {
        let label = "key";
        while (fields.has(label)) label = `_${label}`;
        names.unshift(label);
      }
      out += `{${names}}`;
    }
    out += "\n";
    rows.forEach((row, index) => {
      const of = ({ key, isInherited }: Field) => (isInherited && !hasOwn.call(row, key) ? undefined : (row as Row)[key]);
      // By the keys of the row, since there may be as many fields as rows.
      const own = hasAttachable ? Object.keys(row as Row).map((key) => fields.get(key)!) : [];
      const attached = own.filter((field) => field.isAttachable && !(field.isColumn && isScalar(of(field)))).sort((one, other) => one.order - other.order);
      let line = keys ? `${text(keys[index])}|` : "";
      for (const field of columns) {
        const value = of(field);
        if (field.form === Form.Flat) line += isObject(value) ? cells(value) : (value === null ? "-|" : "~|").repeat(field.leaves.length);
        else if (value === undefined) line += "~|";
        else if (isScalar(value)) line += `${scalar(value)}|`;
        else line += index === 0 && field.form === Form.Inline ? `^{${Object.keys(value as Row).map(name)}}|` : "^|";
      }
      out += `${site.rows}${attached.length > 0 ? `@${index} ` : ""}${line.slice(0, -1)}\n`;
      for (const field of attached) {
        const value = of(field)!;
        if (isScalar(value)) out += `${site.rows}.${field.name} =${scalar(value)}\n`;
        else if (field.form === Form.Inline) out += `${site.rows}${cells(value as Row).slice(0, -1)}\n`;
        else container(value as Row, inner(`.${field.name}`, site.rows, "    "), depth + 2, field.form === Form.Shared && index > 0);
      }
      checkLength();
    });
    return true;
  }
}
