(import_statement) @name @reference.import
(variable_declarator
  value: (call_expression function: (identifier) @function (#eq? @function "require"))) @name @reference.import
