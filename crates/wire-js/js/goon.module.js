import source from "#goon";
import * as glue from "./goon_bg.js";
import { loading } from "./load.js";

export default /* @__PURE__ */ loading(source, glue, "./goon_bg.js");
