import source from "#cl100k";
import * as glue from "./cl100k_bg.js";
import { loading } from "./load.js";

export default /* @__PURE__ */ loading(source, glue, "./cl100k_bg.js");
