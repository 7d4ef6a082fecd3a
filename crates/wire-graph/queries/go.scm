(import_spec) @name @reference.import
