import source from "#gcf";
import * as glue from "./gcf_bg.js";
import { loading } from "./load.js";

export default /* @__PURE__ */ loading(source, glue, "./gcf_bg.js");
