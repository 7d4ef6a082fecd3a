import { open } from "./cart";

export function View() {
  return <p>{open([]).show()}</p>;
}
