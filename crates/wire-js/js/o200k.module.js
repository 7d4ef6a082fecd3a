import source from "#o200k";
import * as glue from "./o200k_bg.js";
import { loading } from "./load.js";

export default /* @__PURE__ */ loading(source, glue, "./o200k_bg.js");
