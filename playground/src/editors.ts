// The two editors: CodeMirror with the repository's colours, token boundaries, errors under their character, and GCX1's cells in columns.
import { Compartment, EditorState, type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType, drawSelection, lineNumbers, placeholder } from "@codemirror/view";
import { type Grammar, spansOf } from "./spans";

/** A longer line, in characters, has no colours. */
const LONGEST_LINE = 20_000;
/** From this length on, in characters, the lines of a text are broken where they don't fit. */
const WIDE = 400;

/** An error, with its place in characters. */
export interface Mark {
  at: number;
  code: string;
  message: string;
}

/** What is marked in an editor. */
export interface Marks {
  grammar: Grammar;
  /** Where tokens end, in characters. */
  ends?: number[] | undefined;
  error?: Mark | undefined;
  /** Numbers of lines, and how they are marked. */
  lines?: Map<number, "hit" | "fix" | "cut"> | undefined;
}

const setMarks = StateEffect.define<Marks>();
const marksField = StateField.define<Marks>({
  create: () => ({ grammar: "text" }),
  update: (marks, { effects, docChanged }) => {
    for (const effect of effects) if (effect.is(setMarks)) return effect.value;
    // Places of another text.
    return docChanged ? { grammar: marks.grammar } : marks;
  },
});

class Tab extends WidgetType {
  constructor(readonly width: number) {
    super();
  }
  override eq(other: Tab) {
    return other.width === this.width;
  }
  toDOM() {
    const element = document.createElement("span");
    element.textContent = "\t";
    element.className = "tab";
    element.style.width = `${this.width}ch`;
    return element;
  }
}

class Caret extends WidgetType {
  constructor(readonly mark: Mark) {
    super();
  }
  override eq(other: Caret) {
    return other.mark.at === this.mark.at && other.mark.message === this.mark.message;
  }
  toDOM() {
    const element = document.createElement("span");
    element.className = "caret";
    const sign = document.createElement("b");
    sign.textContent = "^ ";
    const code = document.createElement("code");
    code.textContent = this.mark.code;
    const words = document.createElement("span");
    words.append(sign, code, ` ${this.mark.message}`);
    element.append(words);
    return element;
  }
}

const mark = (name: string) => Decoration.mark({ class: name });
const COLOURS = Object.fromEntries(["head", "key", "number", "punctuation", "comment"].map((name) => [name, mark(`c-${name}`)]));
/** The colours of tokens, in turn. */
const TOKENS = [1, 2, 3, 4].map((colour) => mark(`t${colour}`));
const LINES = { hit: Decoration.line({ class: "hit" }), fix: Decoration.line({ class: "fix" }), cut: Decoration.line({ class: "cutout" }) };

/** The widths of the cells of each line of GCX1: those of a section are columns. */
function widths(text: string): Map<number, number[]> {
  const lines = new Map<number, number[]>();
  let section: number[] = [];
  text.split("\n").forEach((line, index) => {
    if (line.startsWith("GCX1")) section = [];
    else {
      line.split("\t").forEach((cell, column) => (section[column] = Math.max(section[column] ?? 0, cell.length)));
      lines.set(index + 1, section);
    }
  });
  return lines;
}

/** Decorations of the lines that are seen. */
const seen = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    columns: Map<number, number[]> | undefined;
    constructor(view: EditorView) {
      this.decorations = this.made(view);
    }
    update(update: ViewUpdate) {
      const isMarked = update.startState.field(marksField) !== update.state.field(marksField);
      if (update.docChanged || isMarked) this.columns = undefined;
      if (update.docChanged || update.viewportChanged || isMarked) this.decorations = this.made(update.view);
    }
    made(view: EditorView): DecorationSet {
      const { grammar, ends, lines } = view.state.field(marksField);
      const found: Range<Decoration>[] = [];
      if (grammar === "gcx") this.columns ??= widths(view.state.doc.toString());
      for (const { from, to } of view.visibleRanges) {
        let end = ends === undefined ? 0 : firstAfter(ends, from);
        for (let at = from; at <= to; ) {
          const line = view.state.doc.lineAt(at);
          const marked = lines?.get(line.number);
          if (marked !== undefined) found.push(LINES[marked].range(line.from));
          if (ends !== undefined) {
            for (; end < ends.length && (ends[end - 1] ?? 0) < Math.min(line.to, to); end++) {
              const start = Math.max(ends[end - 1] ?? 0, line.from);
              const stop = Math.min(ends[end]!, line.to);
              if (start < stop) found.push(TOKENS[end % TOKENS.length]!.range(start, stop));
              if (ends[end]! > line.to) break;
            }
          } else if (line.length <= LONGEST_LINE) {
            for (const span of spansOf(line.text, grammar)) {
              found.push(COLOURS[span.colour]!.range(line.from + span.start, line.from + span.end));
            }
          }
          const columns = this.columns?.get(line.number);
          if (columns !== undefined) {
            let start = line.from;
            line.text.split("\t").forEach((cell, column, cells) => {
              const tab = start + cell.length;
              if (column < cells.length - 1) {
                const width = columns[column]! - cell.length + 2;
                found.push(Decoration.replace({ widget: new Tab(width) }).range(tab, tab + 1));
              }
              start = tab + 1;
            });
          }
          at = line.to + 1;
        }
      }
      return Decoration.set(found, true);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** The index of the first number above `wanted`. */
function firstAfter(ends: number[], wanted: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The sign under the character that is wrong: a box without width before it, and two lines high. */
const carets = EditorView.decorations.compute([marksField, "doc"], (state) => {
  const { error } = state.field(marksField);
  if (error === undefined) return Decoration.none;
  const at = Math.min(error.at, state.doc.length);
  const line = state.doc.lineAt(at);
  const caret = Decoration.widget({ widget: new Caret(error), side: -1 });
  const ranges = at < line.to ? [mark("bad").range(at, at + 1)] : [];
  return Decoration.set([caret.range(at), ...ranges]);
});

export class Editor {
  readonly view: EditorView;
  readonly #wrap = new Compartment();
  readonly #access = new Compartment();
  readonly #keys = new Compartment();
  #isSetting = false;

  constructor(parent: HTMLElement, label: string, { onEdit, empty }: { onEdit(text: string, isPasted: boolean): void; empty: string }) {
    const extensions: Extension[] = [
      EditorView.cspNonce.of("page"),
      lineNumbers(),
      drawSelection(),
      this.#keys.of([]),
      placeholder(empty),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
      this.#wrap.of([]),
      this.#access.of([]),
      marksField,
      seen,
      carets,
      EditorView.updateListener.of((update) => {
        if (!update.docChanged || this.#isSetting) return;
        let isAll = update.startState.doc.length === 0;
        update.changes.iterChangedRanges((from, to) => (isAll ||= from === 0 && to === update.startState.doc.length));
        onEdit(update.state.doc.toString(), isAll && update.transactions.some((transaction) => transaction.isUserEvent("input.paste")));
      }),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ extensions }) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another text with its marks. */
  set(text: string, marks: Marks, isReadOnly: boolean) {
    this.#isSetting = true;
    const isOther = text !== this.text;
    const isWide = text.split("\n").some((line) => line.length > WIDE);
    this.view.dispatch({
      ...(isOther ? { changes: { from: 0, to: this.view.state.doc.length, insert: text } } : {}),
      effects: [
        setMarks.of(marks),
        this.#wrap.reconfigure(isWide ? EditorView.lineWrapping : []),
        this.#access.reconfigure(isReadOnly ? [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-readonly": "true" })] : []),
      ],
    });
    this.#isSetting = false;
    if (isOther && marks.error === undefined) this.view.scrollDOM.scrollTo(0, 0);
  }

  /** Adds keys, which are loaded later. */
  use(keys: Extension) {
    this.view.dispatch({ effects: this.#keys.reconfigure(keys) });
  }

  mark(marks: Marks) {
    this.view.dispatch({ effects: setMarks.of(marks) });
  }

  /** Shows the character at a place. */
  show(at: number) {
    this.view.dispatch({ effects: EditorView.scrollIntoView(Math.min(at, this.view.state.doc.length), { y: "center" }) });
  }
}
