import source from "#gcx";
import * as glue from "./gcx_bg.js";
import { loading } from "./load.js";

export default /* @__PURE__ */ loading(source, glue, "./gcx_bg.js");
