// The page's side of the worker.
import Work from "./start";
import type { Answer, Problem, Progress, Request, Results } from "./protocol";

interface Waiting {
  resolve(result: unknown): void;
  reject(problem: Problem): void;
  progress?: ((progress: Progress) => void) | undefined;
}

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, Waiting>();

function started(): Worker {
  worker = new Work();
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    const found = waiting.get(data.id);
    if (data.progress !== undefined) return found?.progress?.(data.progress);
    waiting.delete(data.id);
    if (data.error !== undefined) found?.reject(data.error);
    else found?.resolve(data.result);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    stop({ code: "internal", message: event.message || "the worker can't be started" });
  });
  return worker;
}

/** Ends the worker, and with it all that it does. */
export function stop(problem: Problem = { code: "cancelled", message: "cancelled" }): void {
  worker?.terminate();
  worker = undefined;
  for (const { reject } of waiting.values()) reject(problem);
  waiting.clear();
}

/** Asks the worker. A request is rejected with a {@link Problem}. */
export function ask<K extends Request["kind"]>(request: Extract<Request, { kind: K }>, progress?: (progress: Progress) => void): Promise<Results[K]> {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, progress });
    (worker ?? started()).postMessage({ id, ...request });
  });
}
