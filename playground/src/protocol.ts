// What the page and its worker say to each other.

export type Vocabulary = "o200k" | "cl100k";

/** A text in a format. */
export interface Form {
  format: string;
  isText: boolean;
  /** Another project's format, to compare. */
  isRival?: boolean;
  /** Whether it is one of those that programs choose from by default. */
  isCandidate?: boolean;
  /** What of the value it loses; nothing if it decodes to an equal one. */
  losses: string[];
  /** Why there is no text. */
  code?: string | null;
  message?: string | null;
  bytes?: Uint8Array;
  tokens?: number;
}

/** A repair of a model's answer. */
export interface Repair {
  line: number;
  code: string;
  message: string;
  reason: string | null;
  isLoss: boolean;
}

/** A text that was read. */
export interface Opened {
  format: string;
  content: string;
  /** Whether its forms are texts around data, which no decoder reads alone. */
  isAround: boolean;
  /** Whether the tokens are estimates, which decide nothing. */
  isDraft?: boolean;
  warnings: { message: string; isLoss: boolean }[];
  forms: Form[];
  /** The form that programs take, if there is one. */
  smallest?: string | undefined;
  repairs?: Repair[];
}

/** Why a text could not be read; the offset is in bytes of UTF-8. */
export interface Problem {
  code: string;
  message: string;
  line?: number | null;
  column?: number | null;
  offset?: number | null;
}

export type Request =
  | { kind: "open"; bytes: Uint8Array; extension: string; from: string; flags: string[]; vocabulary: Vocabulary }
  | { kind: "recover"; bytes: Uint8Array; vocabulary: Vocabulary }
  | { kind: "pretty"; bytes: Uint8Array; from: string }
  | { kind: "cuts"; bytes: Uint8Array; vocabulary: Vocabulary };

/** What each request is answered with. */
export interface Results {
  open: Opened;
  recover: Opened;
  pretty: string;
  cuts: Uint32Array | undefined;
}

export interface Progress {
  done: number;
  all: number;
}

export interface Answer {
  id: number;
  progress: Progress;
  result: unknown;
  error: Problem;
}
