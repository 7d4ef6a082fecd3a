//! The shapes of a workspace with several repositories: the scope of each tool, a call of a tool,
//! and the reason why a call was rejected.
//!
//! ```
//! use gcx::workspace::{Scope, ToolDefinition, Workspace, tool_definitions};
//! use serde_json::json;
//!
//! let definitions = vec![
//!     ToolDefinition::new("search_symbols", Scope::FanOut),
//!     ToolDefinition::new("get_file_summary", Scope::Repo),
//! ];
//! assert_eq!(
//!     tool_definitions(&definitions)?,
//!     "GCX1 tool=tool_definitions fields=name,scope\nget_file_summary\trepo\n\
//!      search_symbols\tfan-out\n",
//! );
//! let workspace = Workspace::new(definitions, ["gortex", "gortex-cloud"]);
//! let request = workspace.judge("search_symbols", Some(&json!(["*"]))).unwrap();
//! assert_eq!(
//!     request.to_gcx()?,
//!     "GCX1 tool=tool_request fields=tool,scope,repo\n\
//!      search_symbols\tfan-out\t[\"*\"]\n",
//! );
//! let refused =
//!     workspace.judge("search_symbols", None).unwrap_err().section().unwrap();
//! assert_eq!(refused.code, gcx::workspace::MISSING_REPO_LIST);
//! # Ok::<(), gcx::Error>(())
//! ```

mod judge;
mod sections;
mod shapes;

pub use self::judge::{
    MISSING_REPO, MISSING_REPO_LIST, REPO_NOT_ALLOWED, Refusal, UNKNOWN_REPO, WRONG_REPO_SHAPE,
    Workspace,
};
pub(crate) use self::sections::definitions;
pub use self::sections::{
    ERROR, TOOL_DEFINITIONS, TOOL_REQUEST, read_tool_definitions, tool_definitions,
};
pub use self::shapes::{ALL_REPOS, ErrorSection, Scope, Target, ToolDefinition, ToolRequest};
