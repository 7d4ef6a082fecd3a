// The worker from a Blob, for the page in one file.
export { default } from "./work?worker&inline";
