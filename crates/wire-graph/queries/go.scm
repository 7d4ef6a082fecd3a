(import_spec) @name @import
