/** Options of the plugs for frameworks. */
export interface CompactOptions {
  /**
   * Says which results stay as they came, by the name of the tool and, if it has to, by the result (default: `mayBeQuoted`). If it throws, the
   * result stays. It has to give the same answer at each turn, or a provider's cache of the conversation is lost.
   */
  except?: (toolName: string, result: unknown) => boolean;
}

/**
 * Whether a model may have to quote the result of a tool exactly, by the words of its name: it reads a file (`read_file`, `getWikiPage`), or it
 * reads something (`read_query`) and a text in the result has several lines or over 256 bytes.
 */
export declare function mayBeQuoted(toolName: string, result: unknown): boolean;
