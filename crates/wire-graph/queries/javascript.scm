(import_statement) @name @import
(variable_declarator
  value: (call_expression function: (identifier) @function (#eq? @function "require"))) @name @import
