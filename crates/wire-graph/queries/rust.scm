; What the grammar's own tags lack: calls by path, calls with types given, uses of types, constants, imports.
(call_expression
  function: (scoped_identifier name: (identifier) @name)) @reference.call
(call_expression
  function: (generic_function function: (identifier) @name)) @reference.call
(call_expression
  function: (generic_function function: (scoped_identifier name: (identifier) @name))) @reference.call
(call_expression
  function: (generic_function function: (field_expression field: (field_identifier) @name))) @reference.call
(macro_invocation
  macro: (scoped_identifier name: (identifier) @name)) @reference.call
(impl_item
  trait: (generic_type type: (type_identifier) @name)) @reference.implementation
(impl_item
  trait: (scoped_type_identifier name: (type_identifier) @name)) @reference.implementation
(type_identifier) @name @reference.type
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.constant
(function_signature_item name: (identifier) @name) @definition.method
(use_declaration) @name @reference.import
; The arguments of macros have no grammar: a name before parentheses is a call.
(token_tree (identifier) @name . (token_tree) @arguments (#match? @arguments "^\\(")) @reference.call
