/**
 * The number of tokens of a text in the vocabulary of GPT-4o and later. The vocabulary is loaded at the first call.
 * @example countTokens("hello world"); // 2
 */
export declare const countTokens: (text: string) => number;
