import source from "#graph";
import * as glue from "./graph_bg.js";
import { loading } from "./load.js";

export default /* @__PURE__ */ loading(source, glue, "./graph_bg.js");
