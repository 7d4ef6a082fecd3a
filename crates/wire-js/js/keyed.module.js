import source from "#keyed";
import * as glue from "./keyed_bg.js";
import { loading } from "./load.js";

export default /* @__PURE__ */ loading(source, glue, "./keyed_bg.js");
