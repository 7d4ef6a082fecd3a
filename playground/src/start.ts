// The worker as a file of its own.
export { default } from "./work?worker";
