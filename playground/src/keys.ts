// Keys and undo of the editors: a quarter of their code, which is loaded after the first paint.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { keymap } from "@codemirror/view";

/** Tab leaves the editor, as everywhere on the page. */
export const keys = [history(), keymap.of([...defaultKeymap, ...historyKeymap])];
